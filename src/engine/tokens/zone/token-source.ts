/** Token sources: the locations of a token in a request (`spec`). */

import { aString, oneOf, optional, optionsOf, requireArgument } from "../../../core/arguments.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { lowerFirst } from "../../../core/text/sentence.ts";
import { checkOf, type InputCheck, note, pointer, quote } from "../../../errors.ts";
import { acceptListedField, type ListedField, printField } from "../expression/field.ts";
import { startCursor, unexpected } from "../expression/lexer.ts";
import { type ExpressionError, ExpressionSyntaxError } from "../expression/syntax-error.ts";
import { inputProblem, invalidValue } from "../input-problem.ts";

/** A parsed token source. */
export interface TokenSource extends ListedField {
  /** The canonical spelling. */
  readonly text: string;
}

/** A token source, or the error that prevents parsing. */
export type ParsedTokenSource = Result<TokenSource, ExpressionError>;

/** Whether header names in sources may have upper-case letters: `lower` is the provider's rule (`observed`). */
export type HeaderCase = "any" | "lower";

/** A character that a header name cannot have (RFC 9110, section 5.1: a token). */
const notInHeaderName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;

const expectedSources = ["`http.request.headers`", "`http.request.cookies`"];

/**
 * Parses a token source.
 *
 * @example
 * ```ts
 * const parsed = parseTokenSource('http.request.cookies["Session"][0]');
 * parsed.ok && [parsed.value.name, parsed.value.key, parsed.value.index];
 * // => ["http.request.cookies", "Session", 0]
 * ```
 */
export function parseTokenSource(text: string): ParsedTokenSource {
  requireArgument("text", text, aString);
  try {
    const cursor = startCursor(text);
    const field = acceptListedField(cursor) ?? unexpected(cursor, expectedSources);
    if (cursor.token.kind !== "end") unexpected(cursor, ["the end of the text"]);
    return success({ ...field, text: printField(field) });
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return failure(error.error);
    throw error;
  }
}

interface TokenSourceOptions {
  readonly headerCase?: HeaderCase;
  readonly at?: string;
}

const sourceOptions = optionsOf<TokenSourceOptions>("checkTokenSources", {
  headerCase: optional(oneOf("any", "lower")),
  at: optional(aString),
});

/**
 * Checks a list of sources, of any length; `at` is the pointer of the list.
 *
 * @example
 * ```ts
 * checkTokenSources(["http.request.body"]).problems[0]?.pointer; // => "/0"
 * ```
 */
export function checkTokenSources(
  sources: unknown,
  options: { readonly headerCase?: HeaderCase; readonly at?: string } = {},
): InputCheck {
  requireArgument("options", options, sourceOptions);
  const { headerCase = "any", at = "" } = options;
  if (!Array.isArray(sources))
    return checkOf([invalidValue(at, "`token_sources`", "an array of strings", sources)]);
  return checkOf(
    sources.flatMap((source: unknown, i) => checkSource(source, at + pointer(i), headerCase) ?? []),
  );
}

function checkSource(text: unknown, at: string, headerCase: HeaderCase): Diagnostic | undefined {
  if (typeof text !== "string") return invalidValue(at, "a token source", "a string", text);
  const parsed = parseTokenSource(text);
  if (parsed.ok) return checkName(parsed.value, at, headerCase);
  const [{ column, message }] = parsed.problems;
  const reason = `at column ${column}, ${lowerFirst(message)}`;
  return inputProblem(at, `${quote(text)} is not a token source: ${reason}`);
}

function checkName({ name, key }: TokenSource, at: string, headerCase: HeaderCase): Diagnostic | undefined {
  if (name === "http.request.cookies") {
    return key === "" ? inputProblem(at, "The name of a cookie must not be empty.") : undefined;
  }
  if (key === "" || notInHeaderName.test(key)) {
    const allowed = "it must have one or more letters, digits and !#$%&'*+-.^_`|~";
    return inputProblem(at, `${quote(key)} is not a header name: ${allowed}.`);
  }
  if (key === key.toLowerCase()) return undefined;
  const message = `The header name ${quote(key)} is compared without case; the provider accepts lower case only.`;
  return headerCase === "lower" ? inputProblem(at, message) : note("valueNoted", message, at);
}
