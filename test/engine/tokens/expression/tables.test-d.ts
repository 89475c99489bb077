/** An entry without one of its members does not compile, in each table of the expression language. */
import { test } from "vitest";
import type { stringFunctions } from "../../../../src/engine/tokens/analysis/strings/function-dfas.ts";
import type { integerSigns } from "../../../../src/engine/tokens/analysis/strings/operator-dfas.ts";
import type { FieldEntry } from "../../../../src/engine/tokens/expression/language/fields.ts";
import { defineFunction } from "../../../../src/engine/tokens/expression/language/functions.ts";
import { defineOperators } from "../../../../src/engine/tokens/expression/language/operators.ts";

const equal = { operand: "string", form: ["==="], node: "function", compile: () => () => true } as const;
const help = "The value is the string.";
const unhelped = { ...equal, mutant: "none" } as const;
const ofNone = { ...equal, mutant: "none", help } as const;
const ofUnknown = { ...equal, mutant: "other", help } as const;
const ofSet = { ...equal, mutant: "set", help } as const;
const set = { ...ofNone, operand: "set" } as const;

test("an operator has all members, and a mutant with the same kind of operand", () => {
  const define = defineOperators<"String">();
  define({ equal: ofNone, set });
  // @ts-expect-error: `help` is missing
  define({ equal: unhelped });
  // @ts-expect-error: there is no operator `other`
  define({ equal: ofUnknown });
  // @ts-expect-error: the operand of `set` is of another kind
  define({ equal: ofSet, set });
});

test("a function has all members", () => {
  // @ts-expect-error: `help` is missing
  defineFunction({ parameter: "String", result: "String", apply: (value: string) => value });
});

test("a field has all members", () => {
  // @ts-expect-error: `help` is missing
  const field: FieldEntry = { type: "String", node: "comparison", mutant: "value" };
  void field;
});

test("the analysis has an entry for each operator and function", () => {
  // @ts-expect-error: `ne` and the others are missing
  const signs: typeof integerSigns = { eq: [0] };
  // @ts-expect-error: `upper` is missing
  const functions: typeof stringFunctions = { lower: "undecided" };
  void [signs, functions];
});
