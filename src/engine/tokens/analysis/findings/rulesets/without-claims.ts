/** The values of tests for requests without a valid token of a configuration, as far as that decides them. */

import { knownFields } from "../../../expression/language/fields.ts";
import { entryOfFunction } from "../../../expression/language/functions.ts";
import type { Expression, FieldValue, Literal, Test, Value } from "../../../expression/tree.ts";
import { isValue, testsOf } from "../../../expression/tree-queries.ts";
import { toBytes } from "../../../expression/values/bytes.ts";

/** Whether a value is missing without a valid token of a configuration. */
export function isMissing(value: Value | Literal, config: string): boolean {
  switch (value.kind) {
    case "literal":
    case "field":
      return false;
    case "index":
      return isOfConfig(value, config) || isMissing(value.of, config);
    case "each":
      return isMissing(value.of, config);
    case "call": {
      const { args, name } = value;
      const [first] = args;
      if (first?.isEach) return isMissing(first, config);
      // `concat` and `coalesce` skip missing arguments.
      const skips = entryOfFunction(name).missing === "own";
      return skips ? args.every((arg) => isMissing(arg, config)) : args.some((arg) => isMissing(arg, config));
    }
  }
}

function isOfConfig(value: Value, config: string): boolean {
  return value.kind === "index" && isClaims(value.of) && value.key === toBytes(config);
}

function isClaims(value: Value | Literal | undefined): value is FieldValue {
  return value?.kind === "field" && claimsOf(value)?.part === undefined && claimsOf(value) !== undefined;
}

function claimsOf({ name }: FieldValue) {
  const field = knownFields.get(name);
  return field?.source === "claims" ? field : undefined;
}

/** The value of a test; undefined when something else decides it. */
export function withoutClaims(test: Test, config: string): boolean | undefined {
  switch (test.kind) {
    case "constant":
      return test.value;
    case "comparison": {
      const { left, right } = test;
      return isMissing(left, config) || (isValue(right) && isMissing(right, config)) ? false : undefined;
    }
    case "test":
      return isMissing(test.value, config) || asksForConfig(test.value, config) ? false : undefined;
    case "quantified": {
      const { quantifier, operand } = test;
      if (hasNoElements(operand, config)) return quantifier === "all" && operand.kind !== "test";
      return quantifier === "any" && asksForName(operand, config) ? false : undefined;
    }
  }
}

/** Whether it is `has_key` of the claims and the configuration. */
function asksForConfig(value: Value, config: string): boolean {
  if (value.kind !== "call" || value.name !== "has_key") return false;
  const [map, key] = value.args;
  return isClaims(map) && key?.kind === "literal" && key.value === toBytes(config);
}

/** Whether an array of results is that of a missing array: the shortest decides about the length. */
function hasNoElements(expression: Expression, config: string): boolean {
  return testsOf(expression).some((test) => {
    if (test.kind === "comparison") return isMissing(test.left, config);
    return test.kind === "test" && isMissing(test.value, config);
  });
}

/** Whether it compares the configurations that have the claim with the one. */
function asksForName(operand: Expression, config: string): boolean {
  if (operand.kind !== "comparison" || operand.operator !== "eq") return false;
  const { left, right } = operand;
  if (left.kind !== "each" || left.of.kind !== "field") return false;
  return claimsOf(left.of)?.part === "names" && right.kind === "literal" && right.value === toBytes(config);
}
