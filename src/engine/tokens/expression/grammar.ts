/**
 * The grammar of expressions above their tests: combinators, negations, parentheses and limits.
 *
 *     expression := simple (combinator simple)*      or, ||  <  xor, ^^  <  and, &&     left associative
 *     simple     := "(" expression ")" | ("not" | "!") simple | leaf
 */

import { anyValue, type KindsOf } from "../../../core/arguments.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import type { FunctionName } from "./language/functions.ts";
import { isValueKind, type RuleKind } from "./language/rule-kinds.ts";
import {
  accept,
  advance,
  type Cursor,
  expectSymbol,
  isAt,
  startCursor,
  type Token,
  unexpected,
} from "./lexer.ts";
import { type ExpressionError, ExpressionSyntaxError, errorAt, type Span } from "./syntax-error.ts";
import type { Combinator, Expression } from "./tree.ts";
import { rejectSpan } from "./typed-literals.ts";
import { keywordsOf } from "./words.ts";

/** Limits of an expression. */
export interface ExpressionLimits {
  /** Maximum length in UTF-16 code units, at least 1; 4,096 by default. */
  readonly maxLength?: number;
  /** Maximum depth of nested parentheses and negations, 1 to {@link nestingCeiling}; 128 by default. */
  readonly maxNesting?: number;
}

/** The options of `ExpressionLimits`; the values are checked by `checkLimits`. */
export const limitMembers: KindsOf<ExpressionLimits> = { maxLength: anyValue, maxNesting: anyValue };

/** The default limits (`observed`). */
export const expressionLimits = {
  /** In UTF-16 code units. */
  maxLength: 4096,
  /** Depth of nested parentheses and negations. */
  maxNesting: 128,
} as const;

/** Maximum of the option `maxNesting`: deeper nesting could exhaust the call stack (`chosen`). */
export const nestingCeiling = 1000;

/** The state of parsing an expression. */
export interface Parser {
  readonly rules: RuleKind;
  readonly cursor: Cursor;
  readonly maxNesting: number;
  /** Parses an expression without operands. */
  readonly parseLeaf: (parser: Parser) => Expression;
  nesting: number;
  /** The number of `any` and `all` around the current position. */
  quantifiers: number;
  /** The number of regular expressions so far. */
  regexes: number;
  /** The calls so far that an expression can have once, and the one around the current position. */
  readonly calledOnce: Set<FunctionName>;
  insideOnce: FunctionName | undefined;
  /** Forms of version 0.2 that are still read. */
  readonly earlier: EarlierForm[];
}

/** A form that is read until version 0.3, with the reason why it must change. */
export interface EarlierForm {
  readonly span: Span;
  /** In one sentence. */
  readonly message: string;
}

/** The second spelling of each combinator. */
const combinatorSymbols: Record<Combinator, string> = { or: "||", xor: "^^", and: "&&" };

/** An expression, and its forms that version 0.3 will reject or read in another way. */
export interface ReadExpression {
  readonly expression: Expression;
  readonly earlier: readonly EarlierForm[];
}

/** Parses a whole text. @throws RangeError when a limit is not allowed */
export function parseWhole(
  rules: RuleKind,
  parseLeaf: Parser["parseLeaf"],
  text: string,
  limits: ExpressionLimits,
): Result<ReadExpression, ExpressionError> {
  const { maxLength, maxNesting } = checkLimits(limits);
  if (text.length > maxLength) return failure(tooLong(text, maxLength));
  try {
    const parser = createParser(rules, text, maxNesting, parseLeaf);
    const { cursor } = parser;
    const expression = isValueKind(rules) ? parseLeaf(parser) : parseCombination(parser, "or");
    if (cursor.token.kind !== "end") failAfterExpression(parser);
    return success({ expression, earlier: parser.earlier });
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return failure(error.error);
    throw error;
  }
}

/** Starts to parse a text. @throws {ExpressionSyntaxError} when its first token is none */
export function createParser(
  rules: RuleKind,
  text: string,
  maxNesting: number,
  parseLeaf: Parser["parseLeaf"],
): Parser {
  const cursor = startCursor(withoutOuterTabs(text));
  const calls = { calledOnce: new Set<FunctionName>(), insideOnce: undefined };
  return {
    rules,
    cursor,
    maxNesting,
    parseLeaf,
    nesting: 0,
    quantifiers: 0,
    regexes: 0,
    earlier: [],
    ...calls,
  };
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
      throw new RangeError(`\`${name}\` must be a positive integer; found ${quote(value)}.`);
    }
  }
  if (all.maxNesting > nestingCeiling) {
    throw new RangeError(`\`maxNesting\` must be at most ${nestingCeiling}; found ${quote(all.maxNesting)}.`);
  }
  return all;
}

/** White space around an expression may have tabs (`observed`); spaces instead keep all positions. */
export function withoutOuterTabs(text: string): string {
  if (!text.includes("\t")) return text;
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const spaces = (part: string) => part.replaceAll("\t", " ");
  return spaces(text.slice(0, start)) + text.slice(start, end) + spaces(text.slice(end));
}

function tooLong(text: string, maxLength: number): ExpressionError {
  const message = `An expression must have at most ${maxLength} characters; this one has ${text.length}. Divide it into several rules.`;
  const span = { start: maxLength, end: maxLength + 1 };
  return errorAt(text, span, [`at most ${maxLength} characters`], message);
}

/** The combinator of the next higher precedence. */
const nextCombinator: Record<Combinator, Combinator | undefined> = { or: "xor", xor: "and", and: undefined };

/** Parses operands joined by a combinator. Few frames for each level of nesting: deep nesting must not exhaust the stack. */
export function parseCombination(parser: Parser, operator: Combinator): Expression {
  const { cursor } = parser;
  const next = nextCombinator[operator];
  const start = cursor.token.span.start;
  const operands: Expression[] = [];
  do operands.push(next === undefined ? parseSimple(parser) : parseCombination(parser, next));
  while (accept(cursor, operator) ?? accept(cursor, combinatorSymbols[operator]));
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return combine(cursor, operator, operands, { start, end: cursor.previousEnd });
}

function combine(
  cursor: Cursor,
  operator: Combinator,
  operands: readonly Expression[],
  span: Span,
): Expression {
  const [first] = operands as readonly [Expression];
  const other = operands.find(({ isArray }) => isArray !== first.isArray);
  if (other !== undefined) {
    const [array, single] = first.isArray ? ["left", "right"] : ["right", "left"];
    const clause = `\`${operator}\` has an Array<Bool> on its ${array} and a Bool on its ${single}; both must be of one type`;
    rejectSpan(cursor, other.span, [first.isArray ? "an Array<Bool>" : "a Bool"], clause);
  }
  return { kind: "combination", operator, operands, isArray: first.isArray, span };
}

/** Parses one operand. */
export function parseSimple(parser: Parser): Expression {
  const { cursor } = parser;
  if (isAt(cursor, "(")) return parseParentheses(parser);
  if (isAt(cursor, "not") || isAt(cursor, "!")) return parseNegation(parser);
  return parser.parseLeaf(parser);
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
  const span = { start, end: parser.cursor.previousEnd };
  return { kind: "not", operand, isArray: operand.isArray, span };
}

/** Accepts the token that opens a level of nesting. */
export function enterNesting(parser: Pick<Parser, "cursor" | "maxNesting" | "nesting">): Token {
  if (parser.nesting === parser.maxNesting) {
    const message = `An expression must be nested at most ${parser.maxNesting} levels deep. Remove parentheses, or divide it into several rules.`;
    unexpected(parser.cursor, [`at most ${parser.maxNesting} levels`], message);
  }
  parser.nesting++;
  return advance(parser.cursor);
}

/** Rejects a token after a complete expression. */
function failAfterExpression({ rules, cursor }: Parser): never {
  const combined = isValueKind(rules) ? [] : ["`or`", "`xor`", "`and`"];
  const expected = [...combined, "the end of the text"];
  return unexpected(cursor, expected, lowerCaseAdvice(cursor.token, keywordsOf(rules)));
}

/** Advice for a keyword with upper-case letters; undefined for another token. */
export function lowerCaseAdvice(token: Token, keywords: ReadonlySet<string>): string | undefined {
  const lower = token.text.toLowerCase();
  if (token.kind !== "word" || lower === token.text || !keywords.has(lower)) return undefined;
  return `Keywords are lower case: write \`${lower}\`, not \`${token.text}\`.`;
}
