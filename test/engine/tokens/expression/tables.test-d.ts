/** An entry without one of its members does not compile, in each table of the expression language. */
import { test } from "vitest";
import type { stringFunctions } from "../../../../src/engine/tokens/analysis/strings/function-dfas.ts";
import type { integerSigns } from "../../../../src/engine/tokens/analysis/strings/operator-dfas.ts";
import type { FieldEntry } from "../../../../src/engine/tokens/expression/language/fields.ts";
import { defineFunction } from "../../../../src/engine/tokens/expression/language/functions.ts";
import { defineOperators } from "../../../../src/engine/tokens/expression/language/operators.ts";
import type { mutantCatalogue } from "../../../../src/engine/tokens/suite/mutants/catalogue.ts";
import type { operandChanges } from "../../../../src/engine/tokens/suite/mutants/operand-mutants.ts";

const equal = { operand: "string", form: ["==="], node: "function", compile: () => () => true } as const;
const help = "The value is the string.";

test("an operator has all members, and a kind of operand that mutants have changes of", () => {
  const define = defineOperators<"String">();
  define({ equal: { ...equal, help } });
  // @ts-expect-error: `help` is missing
  define({ equal });
  // @ts-expect-error: there is no kind of operand `list`
  define({ equal: { ...equal, help, operand: "list" } });
});

test("a kind of mutants has all members, and each kind of operand has its mutants", () => {
  // @ts-expect-error: `part` and the others are missing
  const entry: (typeof mutantCatalogue)["action"] = { changes: "The action." };
  // @ts-expect-error: `string` and the others are missing
  const changes: typeof operandChanges = {};
  void [entry, changes];
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
