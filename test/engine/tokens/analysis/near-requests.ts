/** Expressions over few locations, and requests whose values are near the operands of their comparisons. */

import fc from "fast-check";
import type {
  Comparison,
  Expression,
  Field,
  FunctionTest,
  ValueField,
} from "../../../../src/engine/tokens/expression/ast.ts";
import { leaves } from "../../../../src/engine/tokens/expression/references.ts";
import { comparison, functionTest, tokenTest } from "../arbitraries.ts";
import { expressionTree } from "../expression-tree.ts";

/** Few fields, so that comparisons in one expression read the same values. */
const fields: readonly ValueField[] = [
  { name: "http.request.method" },
  { name: "http.host" },
  { name: "http.request.uri.path" },
  { name: "http.request.uri" },
  { name: "http.request.uri.query" },
  { name: "http.request.headers", key: "x-a", index: 0 },
  { name: "http.request.headers", key: "X-A", index: 1 },
  { name: "http.request.cookies", key: "c", index: 0 },
];

const fieldsOfUri = fields.slice(2, 5);
const fieldsOfHeader = fields.slice(5, 7);

/** Strings of which values in requests often consist. */
const likely = fc.constantFrom("/a", "/a?b", "b", "a", "?", "/", "B", "");

/** Comparisons of the fields given; `[*]` where the comparison is quantified. */
function leafOf(allowed: readonly ValueField[]): fc.Arbitrary<Expression> {
  return fc
    .tuple(
      fc.constantFrom(...allowed),
      fc.oneof({ weight: 4, arbitrary: functionTest }, comparison),
      fc.option(likely),
    )
    .map(([field, leaf, operand]) => moved(field, operand === null ? leaf : withOperand(leaf, operand)));
}

function withOperand(leaf: FunctionTest | Comparison, operand: string): FunctionTest | Comparison {
  if (leaf.kind === "comparison") return leaf.operator === "in" ? leaf : { ...leaf, value: operand };
  return typeof leaf.operand === "string" && leaf.operator !== "matches" ? { ...leaf, operand } : leaf;
}

function moved(field: ValueField, leaf: FunctionTest | Comparison): Expression {
  if (leaf.kind === "function" && leaf.quantifier !== undefined) {
    const list =
      "key" in field ? { name: field.name, key: field.key } : { name: leaf.field.name, key: "x-a" };
    return { ...leaf, field: { ...list, index: "*" } as ValueField };
  }
  if (leaf.kind === "function") return { ...leaf, field };
  // Plain comparisons have no fields of the whole URI.
  const isUri = field.name === "http.request.uri" || field.name === "http.request.uri.query";
  return { ...leaf, field: isUri ? { name: "http.request.uri.path" } : (field as Field) };
}

/** Pairs of expressions of the same few comparisons. */
export const relatedExpressions: fc.Arbitrary<readonly [Expression, Expression]> = fc
  .constantFrom(fields, fieldsOfUri, fieldsOfHeader)
  .chain((allowed) =>
    fc.array(fc.oneof({ weight: 8, arbitrary: leafOf(allowed) }, tokenTest), { minLength: 1, maxLength: 4 }),
  )
  .chain((pool) => {
    const size = { maxDepth: 2, depthSize: "small", maxOperands: 3 } as const;
    const expression = expressionTree(fc.constantFrom(...pool), 3, size);
    return fc.tuple(expression, expression);
  });

/** Strings near the operands of the comparisons of some expressions. */
function nearValues(expressions: readonly Expression[]): fc.Arbitrary<string> {
  const operands = expressions.flatMap(leaves).flatMap((leaf): readonly (string | number)[] => {
    if (leaf.kind === "token") return [];
    if (leaf.kind === "function") return typeof leaf.operand === "object" ? leaf.operand : [leaf.operand];
    return leaf.operator === "in" ? leaf.values : [leaf.value];
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
    value.filter((one) => /^[A-Za-z]+$/.test(one)),
  );
  const host = fc.oneof(
    fc.constantFrom("api.example.com", "a"),
    value.filter((one) => /^[a-z]{1,40}$/.test(one)),
  );
  const url = fc
    .tuple(host, value, fc.option(value))
    .map(([name, path, query]) => {
      const rooted = path.startsWith("/") ? path : `/${path}`;
      return `https://${name}${rooted}${query === null ? "" : `?${query}`}`;
    })
    .filter((one) => URL.canParse(one));
  const headers = fc.array(
    fc.oneof(
      value.map((one) => ["x-a", one] as const),
      value.map((one) => ["x-a", one] as const),
      value.map((one) => ["cookie", `c=${one}`] as const),
      value.map((one) => ["accept", one] as const),
      value.map((one) => ["x-tag", one] as const),
    ),
    { maxLength: 4 },
  );
  return fc.record({ method, url, headers });
}
