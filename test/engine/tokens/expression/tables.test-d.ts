/** An entry without one of its members does not compile, in each table of the expression language. */
import { test } from "vitest";
import type { stringFunctions } from "../../../../src/engine/tokens/analysis/strings/function-dfas.ts";
import type { integerSigns } from "../../../../src/engine/tokens/analysis/strings/operator-dfas.ts";
import type { FieldEntry } from "../../../../src/engine/tokens/expression/language/fields.ts";
import type { FunctionEntry } from "../../../../src/engine/tokens/expression/language/functions.ts";
import type { Operator } from "../../../../src/engine/tokens/expression/language/operators.ts";
import type { appliedFunctions } from "../../../../src/engine/tokens/expression/values/apply.ts";
import type { mutantCatalogue } from "../../../../src/engine/tokens/suite/mutants/catalogue.ts";
import type { operandChanges } from "../../../../src/engine/tokens/suite/mutants/operand-mutants.ts";

test("an operator has all members, and the evaluation of its kind of operand", () => {
  // @ts-expect-error: `help` is missing
  const first: Operator<string> = { operand: "set", form: [] };
  // @ts-expect-error: `compile` is missing
  const second: Operator<string> = { operand: "string", form: [], help: "The value contains the string." };
  void [first, second];
});

test("a kind of mutants has all members, and each kind of operand has its mutants", () => {
  // @ts-expect-error: `part` and the others are missing
  const entry: (typeof mutantCatalogue)["action"] = { changes: "The action." };
  // @ts-expect-error: `string` and the others are missing
  const changes: typeof operandChanges = {};
  void [entry, changes];
});

test("a function has all members, and an evaluation", () => {
  // @ts-expect-error: `help` is missing
  const entry: FunctionEntry = { parameters: [], result: "Bool", missing: "propagates", rules: ["token"] };
  // @ts-expect-error: the other functions are missing
  const applied: typeof appliedFunctions = { lower: () => "" };
  void [entry, applied];
});

test("a field has all members", () => {
  // @ts-expect-error: `help` is missing
  const field: FieldEntry = { type: "String", source: "request" };
  void field;
});

test("the analysis has an entry for each operator and function", () => {
  // @ts-expect-error: `ne` and the others are missing
  const signs: typeof integerSigns = { eq: [0] };
  // @ts-expect-error: `upper` is missing
  const functions: typeof stringFunctions = { lower: "undecided" };
  void [signs, functions];
});
