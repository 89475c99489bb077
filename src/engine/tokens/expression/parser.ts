/**
 * The parser of a rule's expression (grammar: `observed`, the provider's open-source rules engine).
 *
 *     expression := simple (combinator simple)*      or, ||  <  xor, ^^  <  and, &&     left associative
 *     simple     := "(" expression ")" | ("not" | "!") simple | call | comparison
 */

import {
  type Combinator,
  type Comparison,
  combinators,
  type Expression,
  type Field,
  type stringOperators,
  type TokenTest,
  tokenTests,
} from "./ast.ts";
import { acceptField, fieldNames } from "./field.ts";
import {
  accept,
  advance,
  type Cursor,
  expectString,
  expectSymbol,
  isAt,
  startCursor,
  type Token,
  unexpected,
} from "./lexer.ts";
import { type ExpressionError, ExpressionSyntaxError, errorAt } from "./syntax-error.ts";
import { wildcardProblem } from "./wildcard.ts";

/** How long and how deep an expression may be. */
export interface ExpressionLimits {
  /** In UTF-16 code units. */
  readonly maxLength?: number;
  /** Parentheses and negations inside one another; at most {@link nestingCeiling}. */
  readonly maxNesting?: number;
}

/** The limits when none are given (`observed`). */
export const expressionLimits = { maxLength: 4096, maxNesting: 128 } as const;

/** Deeper nesting than this could exhaust the call stack, so no option allows it (`chosen`). */
export const nestingCeiling = 1000;

/** A tree, or why there is none. */
export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly error: ExpressionError };

interface Parser {
  readonly cursor: Cursor;
  readonly maxNesting: number;
  nesting: number;
}

/** The two spellings of each combinator and of the negation. */
const combinatorSymbols: Record<Combinator, string> = { or: "||", xor: "^^", and: "&&" };

/** Every spelling of a comparison that starts with one token. */
const comparisonSpellings = new Map<string, (typeof stringOperators)[number] | "in">([
  ["==", "eq"],
  ["!=", "ne"],
  ["eq", "eq"],
  ["ne", "ne"],
  ["contains", "contains"],
  ["wildcard", "wildcard"],
  ["in", "in"],
]);

const expectedOperators = ["eq", "ne", "in", "contains", "wildcard", "strict wildcard"].map(
  (o) => `\`${o}\``,
);

const expectedSimple = ["`is_jwt_valid(...)`", "`is_jwt_present(...)`", "a comparison", "`not`", "`(`"];

/**
 * Reads an expression.
 *
 * @example
 * ```ts
 * parseExpression('is_jwt_valid("a") or is_jwt_valid("b")').ok; // => true
 * parseExpression("is_jwt_valid(a)").ok; // => false
 * ```
 * @throws RangeError when a limit is not a positive integer or the nesting limit is above {@link nestingCeiling}
 */
export function parseExpression(text: string, limits: ExpressionLimits = {}): ParsedExpression {
  const { maxLength, maxNesting } = checkLimits(limits);
  if (text.length > maxLength) return { ok: false, error: tooLong(text, maxLength) };
  try {
    const parser = { cursor: startCursor(text), maxNesting, nesting: 0 };
    const expression = parseCombination(parser, 0);
    if (parser.cursor.token.kind !== "end") failAfterExpression(parser.cursor);
    return { ok: true, expression };
  } catch (fault) {
    if (fault instanceof ExpressionSyntaxError) return { ok: false, error: fault.error };
    throw fault;
  }
}

/** Fills in the limits, and refuses those that cannot be. */
export function checkLimits(limits: ExpressionLimits): Required<ExpressionLimits> {
  const { maxLength = expressionLimits.maxLength, maxNesting = expressionLimits.maxNesting } = limits;
  const all = { maxLength, maxNesting };
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} is a positive integer, but ${String(value)} was given.`);
    }
  }
  if (all.maxNesting > nestingCeiling) throw new RangeError(`maxNesting is at most ${nestingCeiling}.`);
  return all;
}

function tooLong(text: string, maxLength: number): ExpressionError {
  const message = `An expression has at most ${maxLength} characters, but this has ${text.length}.`;
  const span = { start: maxLength, end: maxLength + 1 };
  return errorAt(text, span, [`at most ${maxLength} characters`], message);
}

/** Reads operands joined by the combinator of a level; the levels are those of `combinators`. */
function parseCombination(parser: Parser, level: number): Expression {
  const operator = combinators[level];
  if (operator === undefined) return parseSimple(parser);
  const { cursor } = parser;
  const start = cursor.token.span.start;
  const operands = [parseCombination(parser, level + 1)];
  while (accept(cursor, operator) ?? accept(cursor, combinatorSymbols[operator])) {
    operands.push(parseCombination(parser, level + 1));
  }
  if (operands.length === 1) return operands[0] as Expression;
  return { kind: "combination", operator, operands, span: { start, end: cursor.previousEnd } };
}

function parseSimple(parser: Parser): Expression {
  const { cursor } = parser;
  if (isAt(cursor, "(")) return nest(parser, parseParentheses);
  if (isAt(cursor, "not") || isAt(cursor, "!")) return nest(parser, parseNegation);
  return parseTokenTest(cursor) ?? parseComparison(cursor) ?? failAtOperand(cursor);
}

function nest(parser: Parser, parse: (parser: Parser) => Expression): Expression {
  if (parser.nesting === parser.maxNesting) {
    const message = `An expression nests at most ${parser.maxNesting} levels deep.`;
    unexpected(parser.cursor, [`at most ${parser.maxNesting} levels`], message);
  }
  parser.nesting++;
  const expression = parse(parser);
  parser.nesting--;
  return expression;
}

function parseParentheses(parser: Parser): Expression {
  advance(parser.cursor);
  const expression = parseCombination(parser, 0);
  expectSymbol(parser.cursor, ")");
  return expression;
}

function parseNegation(parser: Parser): Expression {
  const { start } = advance(parser.cursor).span;
  const operand = parseSimple(parser);
  return { kind: "not", operand, span: { start, end: parser.cursor.previousEnd } };
}

function parseTokenTest(cursor: Cursor): TokenTest | undefined {
  const test = tokenTests.find((name) => isAt(cursor, name));
  if (test === undefined) return undefined;
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const id = expectString(cursor, "a configuration id in double quotes");
  const { end } = expectSymbol(cursor, ")").span;
  return { kind: "token", test, configId: id.text, configSpan: id.span, span: { start, end } };
}

function parseComparison(cursor: Cursor): Comparison | undefined {
  const { start } = cursor.token.span;
  const field = acceptField(cursor);
  if (field === undefined) return undefined;
  const operator = parseOperator(cursor);
  return operator === "in"
    ? parseMembership(cursor, field, start)
    : parseStringComparison(cursor, field, operator, start);
}

function parseOperator(cursor: Cursor): (typeof stringOperators)[number] | "in" {
  if (accept(cursor, "strict")) {
    expectSymbol(cursor, "wildcard");
    return "strict wildcard";
  }
  if (isAt(cursor, "matches")) unexpected(cursor, expectedOperators, noRegularExpressions);
  const { token } = cursor;
  const operator = token.kind === "string" ? undefined : comparisonSpellings.get(token.text);
  if (operator === undefined) return unexpected(cursor, expectedOperators, lowerCaseAdvice(token));
  advance(cursor);
  return operator;
}

const noRegularExpressions =
  "`matches` (regular expressions) is not supported; use `wildcard`, `strict wildcard` or `contains`.";

function parseMembership(cursor: Cursor, field: Field, start: number): Comparison {
  expectSymbol(cursor, "{");
  const values: string[] = [];
  while (cursor.token.kind === "string") values.push(advance(cursor).text);
  if (!isAt(cursor, "}")) unexpected(cursor, ["a string literal", "`}`"]);
  const { end } = advance(cursor).span;
  return { kind: "comparison", field, operator: "in", values, span: { start, end } };
}

function parseStringComparison(
  cursor: Cursor,
  field: Field,
  operator: (typeof stringOperators)[number],
  start: number,
): Comparison {
  const { text: value, span } = expectString(cursor);
  if (operator.endsWith("wildcard")) checkPattern(cursor.text, value, span);
  return { kind: "comparison", field, operator, value, span: { start, end: span.end } };
}

function checkPattern(text: string, pattern: string, span: Token["span"]): void {
  const fault = wildcardProblem(pattern);
  if (fault === undefined) return;
  const error = errorAt(text, span, ["a wildcard pattern"]);
  const message = `Expected a wildcard pattern, but found ${error.found}: ${fault}.`;
  throw new ExpressionSyntaxError({ ...error, message });
}

/** Names of the provider's language that stand for something else here than a typing mistake. */
function failAtOperand(cursor: Cursor): never {
  const { token } = cursor;
  if (token.kind !== "word") return unexpected(cursor, expectedSimple);
  const advice = lowerCaseAdvice(token) ?? unknownName(token.text);
  return unexpected(cursor, expectedSimple, advice);
}

function failAfterExpression(cursor: Cursor): never {
  const expected = ["`or`", "`xor`", "`and`", "the end of the text"];
  return unexpected(cursor, expected, lowerCaseAdvice(cursor.token));
}

const keywords = new Set<string>([
  ...combinators,
  ...tokenTests,
  ...comparisonSpellings.keys(),
  "not",
  "strict",
  "matches",
]);

function lowerCaseAdvice(token: Token): string | undefined {
  const lower = token.text.toLowerCase();
  if (token.kind !== "word" || lower === token.text || !keywords.has(lower)) return undefined;
  return `Keywords are lower case: write \`${lower}\`, not \`${token.text}\`.`;
}

function unknownName(name: string): string | undefined {
  if (keywords.has(name)) return undefined;
  const known = [...tokenTests.map((test) => `${test}("id")`), ...fieldNames].map((n) => `\`${n}\``);
  return `Unknown name \`${name.slice(0, 80)}\`; known are ${known.join(", ")}.`;
}
