/** The lexer of expressions and token sources: one token at a time, each with its span (`observed`). */

import { operators } from "./language/operators.ts";
import { readString, startsString } from "./literal.ts";
import { readPattern } from "./patterns/pattern-literal.ts";
import { ExpressionSyntaxError, errorAt, type Span } from "./syntax-error.ts";

/** `text` is the source text of a word, number or symbol, and the value of a string, in bytes. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "symbol" | "end";
  readonly text: string;
  readonly span: Span;
}

/** A position in the source: the current token, and the end of the token before it. */
export interface Cursor {
  readonly text: string;
  token: Token;
  previousEnd: number;
}

/** A tab is not white space (`observed`). */
const space = /[ \r\n]*/y;
const word = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*/y;
const digits = /[0-9]+/y;
const symbols = /==|!=|<=|>=|\|\||&&|\^\^|[()[\]{}!,*.<>~$&:/-]/y;

/** Starts at the first token of a source. */
export function startCursor(text: string): Cursor {
  return { text, token: readToken(text, 0, false), previousEnd: 0 };
}

/** Returns the current token and advances to the next one. */
export function advance(cursor: Cursor): Token {
  const { token } = cursor;
  cursor.previousEnd = token.span.end;
  cursor.token = readToken(cursor.text, token.span.end, isBeforePattern(token));
  return token;
}

/** Accepts the characters from the current token on that a sticky pattern matches, whatever tokens they are; `""` for none. */
export function acceptRaw(cursor: Cursor, pattern: RegExp): string {
  const { start } = cursor.token.span;
  const found = match(pattern, cursor.text, start);
  if (found === "") return found;
  cursor.previousEnd = start + found.length;
  cursor.token = readToken(cursor.text, cursor.previousEnd, false);
  return found;
}

/** Whether the current token is this word or symbol. */
export function isAt(cursor: Cursor, text: string): boolean {
  const { token } = cursor;
  return token.text === text && (token.kind === "word" || token.kind === "symbol");
}

/** Accepts this word or symbol; undefined, without advancing, when the current token is another one. */
export function accept(cursor: Cursor, text: string): Token | undefined {
  return isAt(cursor, text) ? advance(cursor) : undefined;
}

/** Accepts this word or symbol. @throws {ExpressionSyntaxError} when the current token is another one */
export function expectSymbol(cursor: Cursor, text: string): Token {
  return accept(cursor, text) ?? unexpected(cursor, [`\`${text}\``]);
}

/** Accepts a string literal. @throws {ExpressionSyntaxError} when the current token is another one */
export function expectString(cursor: Cursor, what = "a string literal"): Token {
  return cursor.token.kind === "string" ? advance(cursor) : unexpected(cursor, [what]);
}

/** Rejects the current token. @throws {ExpressionSyntaxError} always */
export function unexpected(cursor: Cursor, expected: readonly string[], message?: string): never {
  const { span, kind, text } = cursor.token;
  const advised = message ?? (kind === "symbol" ? advice.get(text) : undefined);
  throw new ExpressionSyntaxError(errorAt(cursor.text, span, expected, advised));
}

/** The spellings of the operators whose operand is a pattern, with escapes of its own. */
const patternOperators: ReadonlySet<string> = new Set(
  Object.entries(operators.String).flatMap(([name, { operand, form }]) =>
    operand === "regex" ? [name, ...form] : [],
  ),
);

/** Whether the string after a token is a pattern. */
export function isBeforePattern({ kind, text }: Token): boolean {
  return (kind === "word" || kind === "symbol") && patternOperators.has(text);
}

function readToken(text: string, from: number, isPattern: boolean): Token {
  const start = from + match(space, text, from).length;
  if (start >= text.length) return { kind: "end", text: "", span: { start, end: start } };
  if (startsString(text, start)) {
    const read = isPattern && text[start] === '"' ? readPattern : readString;
    const { value, end } = read(text, start);
    return { kind: "string", text: value, span: { start, end } };
  }
  return (
    readKind("word", word, text, start) ??
    readKind("number", digits, text, start) ??
    readKind("symbol", symbols, text, start) ??
    badCharacter(text, start)
  );
}

function readKind(kind: Token["kind"], pattern: RegExp, text: string, start: number): Token | undefined {
  const found = match(pattern, text, start);
  return found === "" ? undefined : { kind, text: found, span: { start, end: start + found.length } };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Messages for characters that are common in other languages. */
const advice = new Map([
  ["\t", "A tab is not white space in an expression; use spaces or line breaks."],
  ["'", "A string must have double quotes, not single ones."],
  ["`", "A string must have double quotes, not backticks."],
  ["=", "`=` alone is not an operator; write `==` or `eq`."],
  ["|", "`|` alone is not an operator; write `||` or `or`."],
  ["&", "`&` alone is not an operator; write `&&` or `and`."],
  ["^", "`^` alone is not an operator; write `^^` or `xor`."],
  [",", "A comma is not a separator; the values of a set are separated by spaces."],
  ["-", "`-` is not an operator; a minus sign is not allowed in a number, either."],
  ["*", "`*` is allowed only in the strings of `wildcard` and `strict wildcard`."],
  [".", "A name must not start or end with a dot."],
]);

function badCharacter(text: string, start: number): never {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  const span = { start, end: start + character.length };
  const expected = ["a field", "a call", "a string", "an operator", "a parenthesis"];
  const message = advice.get(character);
  throw new ExpressionSyntaxError(errorAt(text, span, expected, message));
}
