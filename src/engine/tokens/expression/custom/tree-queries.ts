/** Facts about an expression of a custom rule that its tree shows. */

import { customFields } from "../language/custom-fields.ts";
import type {
  CustomComparison,
  CustomExpression,
  CustomLiteral,
  CustomTest,
  CustomValue,
  IndexValue,
} from "./tree.ts";
import { toText } from "./values/bytes.ts";

/** The leaves from left to right; `any` and `all` are one each. */
export function leavesOf(expression: CustomExpression): CustomTest[] {
  if (expression.kind === "combination") return expression.operands.flatMap(leavesOf);
  return expression.kind === "not" ? leavesOf(expression.operand) : [expression];
}

/** All tests without operands, also those inside of `any` and `all`. */
export function testsOf(expression: CustomExpression): CustomTest[] {
  return leavesOf(expression).flatMap((leaf) =>
    leaf.kind === "quantified" ? testsOf(leaf.operand) : [leaf],
  );
}

/** All values in an expression, each with its parts. */
export function valuesOf(expression: CustomExpression): CustomValue[] {
  return testsOf(expression).flatMap((test) => {
    if (test.kind === "test") return partsOf(test.value);
    if (test.kind !== "comparison") return [];
    const { left, right } = test;
    return [...partsOf(left), ...(isValue(right) ? partsOf(right) : [])];
  });
}

/** Whether an operand is a value of the request. */
export function isValue(operand: CustomComparison["right"]): operand is CustomValue {
  return ["field", "index", "each", "call"].includes(operand.kind);
}

function partsOf(value: CustomValue | CustomLiteral): CustomValue[] {
  if (value.kind === "literal") return [];
  if (value.kind === "field") return [value];
  return [value, ...(value.kind === "call" ? value.args.flatMap(partsOf) : partsOf(value.of))];
}

/** Whether a field is a map of claims, or one of its parts. */
function isClaims(value: CustomValue): boolean {
  return value.kind === "field" && customFields.get(value.name)?.source === "claims";
}

/** The references to configurations by name, in order. */
export function configReferences(
  expression: CustomExpression,
): { readonly id: string; readonly at: IndexValue }[] {
  return valuesOf(expression).flatMap((value) =>
    value.kind === "index" && isClaims(value.of) && typeof value.key === "string"
      ? [{ id: toText(value.key) ?? value.key, at: value }]
      : [],
  );
}

/** The configurations whose tokens an expression reads. */
export function configsOf(expression: CustomExpression): {
  readonly configs: readonly string[];
  readonly allConfigs: boolean;
} {
  const values = valuesOf(expression);
  const claims = values.filter(isClaims).length;
  const named = configReferences(expression);
  return { configs: [...new Set(named.map(({ id }) => id))], allConfigs: claims > named.length };
}

/** Whether a value is made of claims. */
export function readsClaims(value: CustomValue): boolean {
  return partsOf(value).some(isClaims);
}

/** The single values that an expression looks up in as JSON. */
export function jsonSources(expression: CustomExpression): CustomValue[] {
  return valuesOf(expression).flatMap((value) => {
    if (value.kind !== "call" || !value.name.startsWith("lookup_json_")) return [];
    const [source] = value.args;
    return source === undefined || source.kind === "literal" || source.isEach ? [] : [source];
  });
}
