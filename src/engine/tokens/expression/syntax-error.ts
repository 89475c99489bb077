/**
 * Errors of parsing an expression or a token source: position, found and expected tokens, and the source line with a
 * caret (`chosen`).
 */

import {
  aNumber,
  aString,
  integerFrom,
  objectWith,
  requireArgument,
  requireArguments,
} from "../../../core/arguments.ts";
import { quote } from "../../../errors.ts";
import { joinAlternatives } from "../input-problem.ts";
import { displayWidth } from "./display-width.ts";

/** A half-open range of offsets into the source text, in UTF-16 code units. */
export interface Span {
  /** Offset of the first code unit. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
}

/** A correction of a text: a part of it, and what replaces it. */
export interface Fix {
  /** The part that is replaced. */
  readonly span: Span;
  /** The text in its place; empty where the part is removed. */
  readonly replacement: string;
}

/** The error that prevents parsing. */
export interface ExpressionError {
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
  /** Line of the error, 1-based. */
  readonly line: number;
  /** Column of the error, 1-based, in UTF-16 code units. */
  readonly column: number;
  /** Offset of the error, 0-based, in UTF-16 code units. */
  readonly offset: number;
  /** The rejected part of the source. */
  readonly span: Span;
  /** The text of the span, quoted, or `the end of the text`. */
  readonly found: string;
  /** The alternatives that are allowed at this position. */
  readonly expected: readonly string[];
  /** Two lines: the source line, shortened around the span, and carets below it, by the width of characters. */
  readonly excerpt: string;
  /** The corrections, best first; absent without one. After one, the text is an expression, or its first error comes later. */
  readonly fixes?: readonly Fix[];
}

/** Thrown inside a parser and caught by its entry function. */
export class ExpressionSyntaxError extends Error {
  readonly error: ExpressionError;

  constructor(error: ExpressionError) {
    super(error.message);
    this.error = error;
  }
}

/** Maximum length of an excerpt of a source line, in code units. */
const excerptWidth = 76;

/** Characters that would break the alignment of an excerpt. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Creates the error for a span of a text. */
export function errorAt(
  text: string,
  span: Span,
  expected: readonly string[],
  message?: string,
): ExpressionError {
  const found = describe(text, span);
  const { line, column } = locate(text, span.start);
  return {
    message: message ?? `Expected ${joinAlternatives(expected)}, but found ${found}.`,
    line,
    column,
    offset: span.start,
    span,
    found,
    expected,
    excerpt: excerpt(text, span.start - column + 1, span),
  };
}

const aSyntaxError = objectWith({
  message: aString,
  line: aNumber,
  column: aNumber,
  excerpt: aString,
  span: objectWith({ start: aNumber, end: aNumber }),
});

/**
 * Prints an error as a compiler does: the message, the position, the source line, a caret.
 *
 * @example
 * ```ts
 * const result = parseExpression('is_jwt_valid("a" or true');
 * const lines = result.ok ? [] : printSyntaxError(result.problems[0]).split("\n");
 * lines[0]; // => "Expected `)`, but found `or`."
 * lines[1]; // => "  at line 1, column 18"
 * lines[3]; // => "  |                  ^^"
 * ```
 */
export function printSyntaxError(error: ExpressionError): string {
  requireArgument("error", error, aSyntaxError);
  const [source, carets] = error.excerpt.split("\n");
  return `${error.message}\n  at line ${error.line}, column ${error.column}\n  | ${source}\n  | ${carets}`;
}

function describe(text: string, span: Span): string {
  return span.start >= text.length ? "the end of the text" : quote(text.slice(span.start, span.end));
}

/** Line and column, 1-based, of an offset. */
export function locate(text: string, offset: number): { readonly line: number; readonly column: number } {
  requireArguments({ text: [text, aString], offset: [offset, integerFrom(0)] });
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return { line: countLines(text, lineStart), column: offset - lineStart + 1 };
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function excerpt(text: string, lineStart: number, span: Span): string {
  const newline = text.indexOf("\n", span.start);
  const lineEnd = newline === -1 ? text.length : newline;
  const context = Math.floor(excerptWidth / 2);
  const from = lineEnd - lineStart <= excerptWidth ? lineStart : Math.max(lineStart, span.start - context);
  const to = Math.min(lineEnd, from + excerptWidth);
  const shown = text.slice(from, to).replace(unprintable, " ");
  const before = displayWidth(shown.slice(0, span.start - from));
  const width = displayWidth(shown.slice(span.start - from, Math.max(span.start, span.end) - from));
  return `${shown}\n${" ".repeat(before)}${"^".repeat(Math.max(1, width))}`;
}
