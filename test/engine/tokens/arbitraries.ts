/** Random expressions, requests and zones for the laws of the token engine. */

import fc from "fast-check";
import type { IntegerOperator } from "../../../src/engine/tokens/analysis/strings/text-operators.ts";
import type { Field, ValueField } from "../../../src/engine/tokens/expression/field.ts";
import type { Expression } from "../../../src/engine/tokens/expression/tree.ts";
import { expressionTree } from "./expression-tree.ts";
import { type FieldComparison, integerOperators, type Leaf, type TokenTest, testOf } from "./leaves.ts";

const span = { start: 0, end: 0 };

/** Characters that have a meaning in literals and patterns, and some that have none. */
export const trickyText = fc.string({
  unit: fc.constantFrom(
    "a",
    "B",
    "z",
    '"',
    "\\",
    "*",
    "#",
    "r",
    "x",
    "4",
    "\n",
    "\t",
    " ",
    "é",
    "\u0000",
    "\u{1f600}",
  ),
  maxLength: 8,
});

export const configIds = ["a", "b", "c", "d"] as const;

export const tokenTest: fc.Arbitrary<TokenTest> = fc.record({
  kind: fc.constant("token" as const),
  test: fc.constantFrom("is_jwt_valid" as const, "is_jwt_present" as const),
  configId: fc.constantFrom(...configIds),
  configSpan: fc.constant(span),
  span: fc.constant(span),
});

export const headerNames = ["accept", "x-tag"] as const;

export const field: fc.Arbitrary<Field> = fc.oneof(
  fc.constantFrom<Field>(
    { name: "http.request.method" },
    { name: "http.host" },
    { name: "http.request.uri.path" },
  ),
  fc.record({
    name: fc.constantFrom("http.request.headers" as const, "http.request.cookies" as const),
    key: fc.oneof(
      fc.constantFrom<string>(...headerNames),
      trickyText.map((text) => text.toLowerCase()),
    ),
    index: fc.nat({ max: 2 }),
  }),
);

/** Patterns that the language takes: no two stars in a row, a backslash only before a star or a backslash. */
export const pattern = fc
  .array(fc.constantFrom("*", "\\*", "\\\\", "a", "B", "/", "é"), { maxLength: 8 })
  .map((parts) => parts.filter((part, i) => part !== "*" || parts[i - 1] !== "*").join(""));

/** Values that requests of {@link request} have often, so that comparisons come out true. */
const likelyValue = fc.constantFrom("GET", "POST", "api.example.com", "/a", "/a/b", "aB", "a");

const noFunctions = fc.constant<readonly []>([]);

export const comparison: fc.Arbitrary<FieldComparison> = fc.oneof(
  fc.record({
    kind: fc.constant("comparison" as const),
    field,
    operator: fc.constantFrom("eq" as const, "ne" as const, "contains" as const),
    functions: noFunctions,
    operand: fc.oneof(likelyValue, trickyText),
    span: fc.constant(span),
  }),
  fc.record({
    kind: fc.constant("comparison" as const),
    field,
    operator: fc.constantFrom("wildcard" as const, "strict wildcard" as const),
    functions: noFunctions,
    operand: fc.oneof(likelyValue, pattern),
    span: fc.constant(span),
  }),
  fc.record({
    kind: fc.constant("comparison" as const),
    field,
    operator: fc.constant("in" as const),
    functions: noFunctions,
    operand: fc.array(fc.oneof(likelyValue, trickyText), { maxLength: 4 }),
    span: fc.constant(span),
  }),
);

const valueField: fc.Arbitrary<ValueField> = fc.oneof(
  field as fc.Arbitrary<ValueField>,
  fc.constantFrom<ValueField>({ name: "http.request.uri" }, { name: "http.request.uri.query" }),
);

const caseFunctions = fc.array(fc.constantFrom("lower" as const, "upper" as const), { maxLength: 2 });

/** Valid patterns in which quotation marks, backslashes and brackets meet. */
export const quotedPattern = fc
  .array(
    fc.constantFrom(
      ...['"', '\\"', "\\\\", "\\.", "\\[", "\\]", "\\d", "\\x22", "a", "#", "]", " ", "\n", "\t", "é"],
      ...['["]', '[^"]', '[\\"]', "[\\]]", "[\\\\]", '[]"]', "[a#]", '[[:alpha:]"]', "[[a]]", '"#'],
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const stringTest = fc.oneof(
  fc.record({
    operator: fc.constantFrom("starts_with" as const, "ends_with" as const),
    operand: fc.oneof(likelyValue, trickyText),
  }),
  fc.record({
    operator: fc.constant("matches" as const),
    operand: fc.constantFrom(
      ...["^/a", "a|b", "[A-Z]+", "^$", "(a.)*b$", "\\w{2}", "\\.", '"', '["a]', '\\\\"', '[\\]"]'],
    ),
  }),
);

/** Comparisons that only the functions make different from plain ones. */
const plainTest = fc.oneof(
  fc.record({
    operator: fc.constantFrom("eq" as const, "ne" as const, "contains" as const),
    operand: fc.oneof(likelyValue, trickyText),
  }),
  fc.record({ operator: fc.constantFrom("wildcard" as const, "strict wildcard" as const), operand: pattern }),
  fc.record({ operator: fc.constant("in" as const), operand: fc.array(likelyValue, { maxLength: 3 }) }),
);

const lengthTest = fc.record({
  operator: fc.constantFrom(...(Object.keys(integerOperators) as IntegerOperator[])),
  operand: fc.nat({ max: 12 }),
});

const base = { kind: "comparison" as const, span };

const allValues = fc.record({
  name: fc.constantFrom("http.request.headers" as const, "http.request.cookies" as const),
  key: fc.constantFrom<string>(...headerNames),
  index: fc.constant("*" as const),
});

/** Comparisons with functions, quantifiers, `matches` and fields of the whole URI. */
export const functionTest: fc.Arbitrary<FieldComparison> = fc.oneof(
  fc
    .tuple(valueField, caseFunctions, stringTest)
    .map(([of, functions, test]) => ({ ...base, field: of, functions, ...test })),
  fc
    .tuple(valueField, fc.constantFrom("lower" as const, "upper" as const), plainTest)
    .map(([of, name, test]) => ({ ...base, field: of, functions: [name], ...test })),
  fc
    .tuple(valueField, lengthTest)
    .map(([of, test]) => ({ ...base, field: of, functions: ["len" as const], ...test })),
  fc
    .tuple(
      fc.constantFrom("any" as const, "all" as const),
      allValues,
      caseFunctions,
      fc.oneof(stringTest, plainTest),
    )
    .map(([quantifier, of, functions, test]) => ({
      ...base,
      // `all` of the results of a call differs for a missing value, and is a test of another kind.
      quantifier: test.operator === "starts_with" || test.operator === "ends_with" ? "any" : quantifier,
      field: of,
      functions,
      ...test,
    })),
);

/** Any expression of moderate depth. */
export const expression: fc.Arbitrary<Expression> = expressionTree(
  fc
    .oneof<fc.WeightedArbitrary<Leaf>[]>(
      { weight: 2, arbitrary: tokenTest },
      { weight: 2, arbitrary: comparison },
      { weight: 1, arbitrary: functionTest },
    )
    .map(testOf),
  5,
  { maxDepth: 5, depthSize: "small", maxOperands: 4 },
);

/** A request whose parts the expressions above can see. */
export const request = fc.record({
  method: fc.constantFrom("GET", "POST", "get", "PATCH"),
  url: fc.constantFrom(
    "https://api.example.com/a",
    "https://API.example.com:8443/a/b?q=1",
    "https://www.example.com/",
    "http://api.example.com/A/%62",
  ),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom("Accept", "accept", "X-Tag", "cookie", "Cookie"),
      fc.oneof(fc.constantFrom("aB", "a", "accept=a; x-tag=aB; accept=/a", "%61ccept=b"), trickyText),
    ),
    { maxLength: 5 },
  ),
});

/** A tree without its spans, for comparing. */
export function withoutSpans(tree: Expression): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value) => (/span$/i.test(key) ? undefined : value)));
}
