/** The strings that an expression compares values with, and the part of the value that each of them is. */

import { knownFields } from "../../../expression/language/fields.ts";
import { printString } from "../../../expression/literal.ts";
import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printBytes } from "../../../expression/printer.ts";
import type { Span } from "../../../expression/syntax-error.ts";
import type { Comparison, Expression, Literal, Test, Value } from "../../../expression/tree.ts";
import { testsOf } from "../../../expression/tree-queries.ts";
import { toText } from "../../../expression/values/bytes.ts";
import { ownName } from "../../../expression/values/given.ts";
import { splitPattern } from "../../../expression/wildcard.ts";
import type { RuleExpression } from "./rule-expression.ts";

/** The part of the value that a string is. */
export type Part = "whole" | "part" | "start" | "end";

/** A string that a value is compared with. */
export interface ComparedText {
  readonly test: Test;
  /** The field without aliases, also of each of its elements; undefined for another value. */
  readonly field: string | undefined;
  /** The outermost function of the value that changes the case of letters. */
  readonly changesCase: "lower" | "upper" | undefined;
  readonly ignoresCase: boolean;
  readonly part: Part;
  readonly isWildcard: boolean;
  readonly text: string;
  /** The string in the source text; the test where it is not found. */
  readonly span: Span;
}

/** The replacement of a string; none where it is not found in the source text, such as a raw string of a set. */
export function replacedBy(
  { test, span }: Pick<ComparedText, "test" | "span">,
  fixed: string | undefined,
): Pick<NotedSpan, "correction"> {
  if (fixed === undefined || span === test.span) return {};
  return { correction: { span, text: printString(fixed) } };
}

type Piece = Pick<ComparedText, "part" | "text" | "span">;

/** All strings that an expression compares with, from left to right. */
export function comparedTexts({ text: source, tree }: RuleExpression): ComparedText[] {
  return testsOf(tree).flatMap((test) => {
    const value = comparedValue(test);
    if (value === undefined) return [];
    const operator = test.kind === "comparison" ? test.operator : undefined;
    const isWildcard = operator === "wildcard" || operator === "strict wildcard";
    return piecesOf(source, test).map((piece) => ({
      ...piece,
      ...withoutCase(value),
      test,
      isWildcard,
      ignoresCase: operator === "wildcard",
    }));
  });
}

/** The compared value: of a function that tests a string, its first argument. */
function comparedValue(test: Test): Value | undefined {
  if (test.kind === "comparison") return test.left;
  const [first] = affixOf(test)?.args ?? [];
  return first?.kind === "literal" ? undefined : first;
}

function affixOf(test: Test) {
  const isAffix =
    test.kind === "test" && test.value.kind === "call" && Object.hasOwn(affixes, test.value.name);
  return isAffix && test.value.kind === "call" ? test.value : undefined;
}

const affixes: Readonly<Record<string, Part>> = { starts_with: "start", ends_with: "end" };

/** The field of a value, without functions that change the case of letters. */
export function withoutCase(value: Value): Pick<ComparedText, "field" | "changesCase"> {
  let current: Value | Literal = value;
  let changesCase: ComparedText["changesCase"];
  for (;;) {
    if (current.kind === "each" && current.of.kind === "call") current = current.of;
    if (current.kind !== "call" || (current.name !== "lower" && current.name !== "upper")) break;
    const [first]: readonly (Value | Literal)[] = current.args;
    if (first === undefined) break;
    changesCase ??= current.name;
    current = first;
  }
  const of = current.kind === "each" ? current.of : current;
  const known = of.kind === "field" ? knownFields.get(of.name) : undefined;
  // The path as it was sent has the same form.
  return { field: known && ownName(known).replace(/^raw\./, ""), changesCase };
}

const wholeOperators: readonly string[] = ["eq", "ne", "in"];

function piecesOf(source: string, test: Test): Piece[] {
  const piece = (part: Part, bytes: string, span = spanOf(source, test, bytes)): Piece[] => {
    const text = toText(bytes);
    return text === undefined ? [] : [{ part, text, span }];
  };
  const affix = affixOf(test);
  const [, argument] = affix?.args ?? [];
  if (affix !== undefined && argument?.kind === "literal" && typeof argument.value === "string")
    return piece(affixes[affix.name] ?? "part", argument.value, argument.span);
  if (test.kind !== "comparison") return [];
  const { operator, right } = test;
  if (right.kind === "set")
    return right.items.flatMap((item) => (item.type === "String" ? piece("whole", item.value) : []));
  if (right.kind === "wildcard")
    return wildcardPieces(right.value).flatMap(([part, text]) =>
      piece(part, text, spanOf(source, test, right.value)),
    );
  if (right.kind !== "literal" || typeof right.value !== "string") return [];
  if (wholeOperators.includes(operator)) return piece("whole", right.value, right.span);
  return operator === "contains" ? piece("part", right.value, right.span) : [];
}

/** The pieces of a wildcard pattern that are not empty. */
function wildcardPieces(pattern: string): [Part, string][] {
  const pieces = splitPattern(pattern);
  if (pieces.length === 1) return pieces.map((piece) => ["whole", piece]);
  const last = pieces.length - 1;
  return pieces.flatMap((piece, i): [Part, string][] =>
    piece === "" ? [] : [[i === 0 ? "start" : i === last ? "end" : "part", piece]],
  );
}

/** The place of a string of a set or of a pattern, which have none in the tree. */
function spanOf(source: string, test: Test, bytes: string): Span {
  // The value on the left may have the same text, as the name of a header.
  const start = test.kind === "comparison" ? test.left.span.end : test.span.start;
  return findSpan(source, { start, end: test.span.end }, printBytes(bytes)) ?? test.span;
}

/** The first place of a text within a span. */
export function findSpan(source: string, { start, end }: Span, text: string): Span | undefined {
  const at = source.slice(start, end).indexOf(text);
  return at === -1 ? undefined : { start: start + at, end: start + at + text.length };
}

/** The comparisons of an expression. */
export function comparisonsOf(tree: Expression): Comparison[] {
  return testsOf(tree).flatMap((test) => (test.kind === "comparison" ? test : []));
}
