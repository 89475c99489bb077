/**
 * The grammar that token rules and custom rules share: combinators, negations, parentheses and limits. A phase has its own
 * lexer, leaves and trees.
 *
 *     expression := simple (combinator simple)*      or, ||  <  xor, ^^  <  and, &&     left associative
 *     simple     := "(" expression ")" | ("not" | "!") simple | leaf
 */

import { failure, type Result, success } from "../../../core/result.ts";
import type { Combinator } from "./ast.ts";
import {
  accept,
  advance,
  type Cursor,
  expectSymbol,
  isAt,
  type Phase,
  startCursor,
  type Token,
  unexpected,
} from "./lexer.ts";
import { type ExpressionError, ExpressionSyntaxError, errorAt, type Span } from "./syntax-error.ts";

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

/** The part of the grammar that a phase adds. */
export interface Grammar<Tree> {
  /** Decides the tokens and the values of strings. */
  readonly phase: Phase;
  /** Every word with a meaning, for advice about their case. */
  readonly keywords: ReadonlySet<string>;
  /** Parses an expression without operands. */
  parseLeaf(parser: Parser<Tree>): Tree;
  /** Joins two operands or more. */
  combine(operator: Combinator, operands: readonly Tree[], span: Span, parser: Parser<Tree>): Tree;
  /** Negates an operand. */
  negate(operand: Tree, span: Span): Tree;
}

/** The state of parsing an expression. */
export interface Parser<Tree> {
  readonly grammar: Grammar<Tree>;
  readonly cursor: Cursor;
  readonly maxNesting: number;
  nesting: number;
}

/** The second spelling of each combinator. */
const combinatorSymbols: Record<Combinator, string> = { or: "||", xor: "^^", and: "&&" };

/** Parses a whole text. @throws RangeError when a limit is not allowed */
export function parseWith<Tree>(
  grammar: Grammar<Tree>,
  text: string,
  limits: ExpressionLimits,
): Result<Tree, ExpressionError> {
  const { maxLength, maxNesting } = checkLimits(limits);
  if (text.length > maxLength) return failure(tooLong(text, maxLength));
  try {
    const cursor = startCursor(withoutOuterTabs(text), grammar.phase);
    const parser = { grammar, cursor, maxNesting, nesting: 0 };
    const expression = parseCombination(parser, "or");
    if (cursor.token.kind !== "end") failAfterExpression(parser);
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
export function parseCombination<Tree>(parser: Parser<Tree>, operator: Combinator): Tree {
  const { cursor } = parser;
  const next = nextCombinator[operator];
  const start = cursor.token.span.start;
  const operands: Tree[] = [];
  do operands.push(next === undefined ? parseSimple(parser) : parseCombination(parser, next));
  while (accept(cursor, operator) ?? accept(cursor, combinatorSymbols[operator]));
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return parser.grammar.combine(operator, operands, { start, end: cursor.previousEnd }, parser);
}

/** Parses one operand. */
export function parseSimple<Tree>(parser: Parser<Tree>): Tree {
  const { cursor } = parser;
  if (isAt(cursor, "(")) return parseParentheses(parser);
  if (isAt(cursor, "not") || isAt(cursor, "!")) return parseNegation(parser);
  return parser.grammar.parseLeaf(parser);
}

function parseParentheses<Tree>(parser: Parser<Tree>): Tree {
  enterNesting(parser);
  const expression = parseCombination(parser, "or");
  expectSymbol(parser.cursor, ")");
  parser.nesting--;
  return expression;
}

function parseNegation<Tree>(parser: Parser<Tree>): Tree {
  const { start } = enterNesting(parser).span;
  const operand = parseSimple(parser);
  parser.nesting--;
  return parser.grammar.negate(operand, { start, end: parser.cursor.previousEnd });
}

/** Accepts the token that opens a level of nesting. */
export function enterNesting(parser: Pick<Parser<unknown>, "cursor" | "maxNesting" | "nesting">): Token {
  if (parser.nesting === parser.maxNesting) {
    const message = `An expression must be nested at most ${parser.maxNesting} levels deep. Remove parentheses, or divide it into several rules.`;
    unexpected(parser.cursor, [`at most ${parser.maxNesting} levels`], message);
  }
  parser.nesting++;
  return advance(parser.cursor);
}

/** Rejects a token after a complete expression. */
function failAfterExpression({ grammar, cursor }: Parser<unknown>): never {
  const expected = ["`or`", "`xor`", "`and`", "the end of the text"];
  return unexpected(cursor, expected, lowerCaseAdvice(cursor.token, grammar.keywords));
}

/** Advice for a keyword with upper-case letters; undefined for another token. */
export function lowerCaseAdvice(token: Token, keywords: ReadonlySet<string>): string | undefined {
  const lower = token.text.toLowerCase();
  if (token.kind !== "word" || lower === token.text || !keywords.has(lower)) return undefined;
  return `Keywords are lower case: write \`${lower}\`, not \`${token.text}\`.`;
}
