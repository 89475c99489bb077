/** Expressions over few locations, and requests whose values are near the operands of their comparisons. */

import fc from "fast-check";
import type { ValueField } from "../../../../src/engine/tokens/expression/field.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { comparison, functionTest, tokenTest } from "../arbitraries.ts";
import { expressionTree } from "../expression-tree.ts";
import { type FieldComparison, type Leaf, leaves, testOf } from "../leaves.ts";

/** Few fields, so that comparisons in one expression read the same values. */
const fields: readonly ValueField[] = [
  { name: "http.request.method" },
  { name: "http.host" },
  { name: "http.request.uri.path" },
  { name: "http.request.uri" },
  { name: "http.request.uri.query" },
  { name: "http.request.headers", key: "x-a", index: 0 },
  { name: "http.request.headers", key: "x-a", index: 1 },
  { name: "http.request.cookies", key: "c", index: 0 },
];

const fieldsOfUri = fields.slice(2, 5);
const fieldsOfHeader = fields.slice(5, 7);

/** Strings of which values in requests often consist. */
const likely = fc.constantFrom("/a", "/a?b", "b", "a", "?", "/", "B", "");

/** Comparisons of the fields given; `[*]` where the comparison is quantified. */
function leafAmong(allowed: readonly ValueField[]): fc.Arbitrary<FieldComparison> {
  return fc
    .tuple(
      fc.constantFrom(...allowed),
      fc.oneof({ weight: 4, arbitrary: functionTest }, comparison),
      fc.option(likely),
    )
    .map(([field, leaf, operand]) => moved(field, operand === null ? leaf : withOperand(leaf, operand)));
}

function withOperand(leaf: FieldComparison, operand: string): FieldComparison {
  return typeof leaf.operand === "string" && leaf.operator !== "matches" ? { ...leaf, operand } : leaf;
}

function moved(field: ValueField, leaf: FieldComparison): FieldComparison {
  if (leaf.quantifier !== undefined) {
    const list =
      "key" in field ? { name: field.name, key: field.key } : { name: leaf.field.name, key: "x-a" };
    return { ...leaf, field: { ...list, index: "*" } as ValueField };
  }
  return { ...leaf, field };
}

/** Pairs of expressions of the same few comparisons. */
export const relatedExpressions: fc.Arbitrary<readonly [Expression, Expression]> = fc
  .constantFrom(fields, fieldsOfUri, fieldsOfHeader)
  .chain((allowed) =>
    fc.array(
      fc.oneof<fc.WeightedArbitrary<Leaf>[]>(
        { weight: 8, arbitrary: leafAmong(allowed) },
        { weight: 1, arbitrary: tokenTest },
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .chain((pool) => {
    const size = { maxDepth: 2, depthSize: "small", maxOperands: 3 } as const;
    const expression = expressionTree(fc.constantFrom(...pool.map(testOf)), 3, size);
    return fc.tuple(expression, expression);
  });

/** Strings near the operands of the comparisons of some expressions. */
function nearValues(expressions: readonly Expression[]): fc.Arbitrary<string> {
  const operands = expressions.flatMap(leaves).flatMap((leaf): readonly (string | number)[] => {
    if (leaf.kind !== "comparison") return [];
    return typeof leaf.operand === "object" ? leaf.operand : [leaf.operand];
  });
  const strings = operands.filter((operand) => typeof operand === "string");
  const lengths = operands.filter((operand) => typeof operand === "number");
  const piece = fc.constantFrom("", "a", "B", "/", "/a", "b", "é", "x", "\u{1f600}", ...strings, ...strings);
  const ofLength = fc
    .tuple(fc.constantFrom(0, 1, ...lengths), fc.integer({ min: -1, max: 1 }), fc.constantFrom("a", "é"))
    .map(([length, more, unit]) => unit.repeat(Math.max(0, length + more)));
  return fc
    .tuple(
      fc.oneof(
        fc.tuple(piece, piece).map((pieces) => pieces.join("")),
        piece,
        ofLength,
      ),
      fc.nat({ max: 3 }),
    )
    .map(([value, spelling]) => {
      if (spelling === 0) return value.toLowerCase();
      return spelling === 1 ? value.toUpperCase() : value;
    });
}

/** Requests with such values, as far as URLs and methods can have them. */
export function requestsNear(expressions: readonly Expression[]) {
  const value = nearValues(expressions);
  const method = fc.oneof(
    fc.constantFrom("GET", "POST"),
    value.filter((method) => /^[A-Za-z]+$/.test(method)),
  );
  const host = fc.oneof(
    fc.constantFrom("api.example.com", "a"),
    value.filter((scheme) => /^[a-z]{1,40}$/.test(scheme)),
  );
  const url = fc
    .tuple(host, value, fc.option(value))
    .map(([name, path, query]) => {
      const rooted = path.startsWith("/") ? path : `/${path}`;
      return `https://${name}${rooted}${query === null ? "" : `?${query}`}`;
    })
    .filter((url) => URL.canParse(url));
  const headers = fc.array(
    fc.oneof(
      value.map((content) => ["x-a", content] as const),
      value.map((content) => ["x-a", content] as const),
      value.map((content) => ["cookie", `c=${content}`] as const),
      value.map((content) => ["accept", content] as const),
      value.map((content) => ["x-tag", content] as const),
    ),
    { maxLength: 4 },
  );
  return fc.record({ method, url, headers });
}
