/** Facts about an expression that its tree shows. */

import { knownFields } from "./language/fields.ts";
import { isTokenTest, type TokenTestName } from "./language/functions.ts";
import type { Span } from "./syntax-error.ts";
import type { CallValue, Comparison, Expression, IndexValue, Literal, Test, Value } from "./tree.ts";
import { toText } from "./values/bytes.ts";

/** The leaves from left to right; `any` and `all` are one each. */
export function leavesOf(expression: Expression): Test[] {
  if (expression.kind === "combination") return expression.operands.flatMap(leavesOf);
  return expression.kind === "not" ? leavesOf(expression.operand) : [expression];
}

/** `is_jwt_valid("id")` or `is_jwt_present("id")`. */
export interface TokenTest {
  readonly kind: "token";
  readonly test: TokenTestName;
  /** Id of the token configuration. */
  readonly configId: string;
  /** Span of the configuration's id, quotes included. */
  readonly configSpan: Span;
  /** Span of the whole call. */
  readonly span: Span;
}

/** The parts of a test of a token; undefined for another test. */
export function tokenTestOf(leaf: Test): TokenTest | undefined {
  if (leaf.kind !== "test" || leaf.value.kind !== "call") return undefined;
  const { name: test, args } = leaf.value;
  const [id] = args;
  if (!isTokenTest(test) || id?.kind !== "literal") return undefined;
  const bytes = String(id.value);
  return { kind: "token", test, configId: toText(bytes) ?? bytes, configSpan: id.span, span: leaf.span };
}

/** All tests without operands, also those inside of `any` and `all`. */
export function testsOf(expression: Expression): Test[] {
  return leavesOf(expression).flatMap((leaf) =>
    leaf.kind === "quantified" ? testsOf(leaf.operand) : [leaf],
  );
}

/** The same test of a token by another function. */
export function withTokenTest(test: Test, name: TokenTestName): Test {
  return test.kind === "test" && test.value.kind === "call"
    ? { ...test, value: { ...test.value, name } }
    : test;
}

/** The names of the lists that an expression compares with. */
export function listsOf(expression: Expression): string[] {
  return testsOf(expression).flatMap((test) =>
    test.kind === "comparison" && test.right.kind === "list" ? [test.right.name] : [],
  );
}

/** All values in an expression, each with its parts. */
export function valuesOf(expression: Expression): Value[] {
  return testsOf(expression).flatMap((test) => {
    if (test.kind === "test") return partsOf(test.value);
    if (test.kind !== "comparison") return [];
    const { left, right } = test;
    return [...partsOf(left), ...(isValue(right) ? partsOf(right) : [])];
  });
}

/** Whether an operand is a value of the request. */
export function isValue(operand: Comparison["right"]): operand is Value {
  return ["field", "index", "each", "call"].includes(operand.kind);
}

function partsOf(value: Value | Literal): Value[] {
  if (value.kind === "literal") return [];
  if (value.kind === "field") return [value];
  return [value, ...(value.kind === "call" ? value.args.flatMap(partsOf) : partsOf(value.of))];
}

/** Whether a field is a map of claims, or one of its parts. */
export function isClaims(value: Value): boolean {
  return value.kind === "field" && knownFields.get(value.name)?.source === "claims";
}

/** The references to configurations by name, in order. */
export function configReferences(expression: Expression): { readonly id: string; readonly at: IndexValue }[] {
  return valuesOf(expression).flatMap((value) =>
    value.kind === "index" && isClaims(value.of) && typeof value.key === "string"
      ? [{ id: toText(value.key) ?? value.key, at: value }]
      : [],
  );
}

/** The configurations whose tokens an expression reads. */
export function configsOf(expression: Expression): {
  readonly configs: readonly string[];
  readonly allConfigs: boolean;
} {
  const values = valuesOf(expression);
  const claims = values.filter(isClaims).length;
  const named = configReferences(expression);
  return { configs: [...new Set(named.map(({ id }) => id))], allConfigs: claims > named.length };
}

/** Whether a value is made of claims. */
export function readsClaims(value: Value): boolean {
  return partsOf(value).some(isClaims);
}

/** Whether a value is looked up in JSON. */
export function isLookup(value: Value): value is CallValue {
  return value.kind === "call" && value.name.startsWith("lookup_json_");
}

/** The single values that an expression looks up in as JSON. */
export function jsonSources(expression: Expression): Value[] {
  return valuesOf(expression).flatMap((value) => {
    if (!isLookup(value)) return [];
    const [source] = value.args;
    return source === undefined || source.kind === "literal" || source.isEach ? [] : [source];
  });
}
