/**
 * The parser of a rule's expression (grammar: `observed`, the provider's open-source rules engine).
 *
 *     expression := simple (combinator simple)*      or, ||  <  xor, ^^  <  and, &&     left associative
 *     simple     := "(" expression ")" | ("not" | "!") simple | call | comparison
 */

import { failure, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
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
import { providerKind } from "./provider-names.ts";
import { type ExpressionError, ExpressionSyntaxError, errorAt } from "./syntax-error.ts";
import { wildcardProblem } from "./wildcard.ts";

/** Limits of an expression. */
export interface ExpressionLimits {
  /** Maximum length in UTF-16 code units, at least 1; 4,096 by default. */
  readonly maxLength?: number;
  /** Maximum depth of nested parentheses and negations, 1 to {@link nestingCeiling}; 128 by default. */
  readonly maxNesting?: number;
}

/** The default limits (`observed`). */
export const expressionLimits = {
  /** In UTF-16 code units. */
  maxLength: 4096,
  /** Depth of nested parentheses and negations. */
  maxNesting: 128,
} as const;

/** Maximum of the option `maxNesting`: deeper nesting could exhaust the call stack (`chosen`). */
export const nestingCeiling = 1000;

/** A syntax tree, or the error that prevents parsing. */
export type ParsedExpression = Result<Expression, ExpressionError>;

interface Parser {
  readonly cursor: Cursor;
  readonly maxNesting: number;
  nesting: number;
}

/** The second spelling of each combinator. */
const combinatorSymbols: Record<Combinator, string> = { or: "||", xor: "^^", and: "&&" };

/** The spellings of comparison operators that consist of one token. */
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
 * Parses an expression. A failure has exactly one error.
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
  if (text.length > maxLength) return failure(tooLong(text, maxLength));
  try {
    const parser = { cursor: startCursor(withoutOuterTabs(text)), maxNesting, nesting: 0 };
    const expression = parseCombination(parser, "or");
    if (parser.cursor.token.kind !== "end") failAfterExpression(parser.cursor);
    return success(expression);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return failure(error.error);
    throw error;
  }
}

/**
 * Fills in the default limits.
 *
 * @throws RangeError when a limit is not a positive integer or the nesting limit is above {@link nestingCeiling}
 */
export function checkLimits(limits: ExpressionLimits): Required<ExpressionLimits> {
  const { maxLength = expressionLimits.maxLength, maxNesting = expressionLimits.maxNesting } = limits;
  const all = { maxLength, maxNesting };
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`\`${name}\` must be a positive integer; found \`${String(value)}\`.`);
    }
  }
  if (all.maxNesting > nestingCeiling) {
    throw new RangeError(`\`maxNesting\` must be at most ${nestingCeiling}; found \`${all.maxNesting}\`.`);
  }
  return all;
}

/** White space around an expression may have tabs (`observed`); spaces instead keep all positions. */
function withoutOuterTabs(text: string): string {
  if (!text.includes("\t")) return text;
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const spaces = (part: string) => part.replaceAll("\t", " ");
  return spaces(text.slice(0, start)) + text.slice(start, end) + spaces(text.slice(end));
}

function tooLong(text: string, maxLength: number): ExpressionError {
  const message = `An expression must have at most ${maxLength} characters; this one has ${text.length}.`;
  const span = { start: maxLength, end: maxLength + 1 };
  return errorAt(text, span, [`at most ${maxLength} characters`], message);
}

/** The combinator of the next higher precedence. */
const nextCombinator: Record<Combinator, Combinator | undefined> = { or: "xor", xor: "and", and: undefined };

/** Parses operands joined by a combinator. Few frames for each level of nesting: deep nesting must not exhaust the stack. */
function parseCombination(parser: Parser, operator: Combinator): Expression {
  const { cursor } = parser;
  const next = nextCombinator[operator];
  const start = cursor.token.span.start;
  const operands: Expression[] = [];
  do operands.push(next === undefined ? parseSimple(parser) : parseCombination(parser, next));
  while (accept(cursor, operator) ?? accept(cursor, combinatorSymbols[operator]));
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return { kind: "combination", operator, operands, span: { start, end: cursor.previousEnd } };
}

function parseSimple(parser: Parser): Expression {
  const { cursor } = parser;
  if (isAt(cursor, "(")) return parseParentheses(parser);
  if (isAt(cursor, "not") || isAt(cursor, "!")) return parseNegation(parser);
  return parseTokenTest(cursor) ?? parseComparison(cursor) ?? failAtOperand(cursor);
}

function parseParentheses(parser: Parser): Expression {
  enterNesting(parser);
  const expression = parseCombination(parser, "or");
  expectSymbol(parser.cursor, ")");
  parser.nesting--;
  return expression;
}

function parseNegation(parser: Parser): Expression {
  const { start } = enterNesting(parser).span;
  const operand = parseSimple(parser);
  parser.nesting--;
  return { kind: "not", operand, span: { start, end: parser.cursor.previousEnd } };
}

/** Accepts the token that opens a level of nesting. */
function enterNesting(parser: Parser): Token {
  if (parser.nesting === parser.maxNesting) {
    const message = `An expression must be nested at most ${parser.maxNesting} levels deep.`;
    unexpected(parser.cursor, [`at most ${parser.maxNesting} levels`], message);
  }
  parser.nesting++;
  return advance(parser.cursor);
}

function parseTokenTest(cursor: Cursor): TokenTest | undefined {
  const test = tokenTests.find((name) => isAt(cursor, name));
  if (test === undefined) return undefined;
  const { start } = advance(cursor).span;
  expectSymbol(cursor, "(");
  const id = expectString(cursor, "a configuration id in double quotes");
  if (isAt(cursor, ",")) unexpected(cursor, ["`)`"], oneArgument(test));
  const { end } = expectSymbol(cursor, ")").span;
  return { kind: "token", test, configId: id.text, configSpan: id.span, span: { start, end } };
}

function oneArgument(test: TokenTest["test"]): string {
  return `\`${test}\` has one argument; for several configurations write \`${test}("a") or ${test}("b")\`.`;
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
  const reason = wildcardProblem(pattern);
  if (reason === undefined) return;
  const error = errorAt(text, span, ["a wildcard pattern"]);
  const message = `Expected a wildcard pattern, but found ${error.found}: ${reason}.`;
  throw new ExpressionSyntaxError({ ...error, message });
}

/** Rejects a token that no operand starts with. */
function failAtOperand(cursor: Cursor): never {
  const { token } = cursor;
  if (token.kind !== "word") return unexpected(cursor, expectedSimple);
  const advice = lowerCaseAdvice(token) ?? unknownName(token.text);
  return unexpected(cursor, expectedSimple, advice);
}

/** Rejects a token after a complete expression. */
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
  const kind = providerKind(name);
  if (kind !== undefined) return `${quote(name)} is a ${kind} of the provider that is not supported here.`;
  const known = [...tokenTests.map((test) => `${test}("id")`), ...fieldNames].map((n) => `\`${n}\``);
  return `Unknown name ${quote(name)}; known names are ${known.join(", ")}.`;
}
