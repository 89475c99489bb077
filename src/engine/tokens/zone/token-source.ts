/** Token sources: the places in a request where a token is looked for (`spec`). */

import { type Note, noteCodes, type Problem, pointer, quote } from "../../../errors.ts";
import { acceptListedField, type ListedField, printField } from "../expression/field.ts";
import { startCursor, unexpected } from "../expression/lexer.ts";
import { type ExpressionError, ExpressionSyntaxError } from "../expression/syntax-error.ts";

/** A parsed token source. `text` is its canonical spelling. */
export interface TokenSource extends ListedField {
  readonly text: string;
}

/** A source, or why the text is none. */
export type ParsedTokenSource =
  | { readonly ok: true; readonly source: TokenSource }
  | { readonly ok: false; readonly error: ExpressionError };

/** Whether header names in sources may have upper-case letters: `lower` is the provider's rule (`observed`). */
export type HeaderCase = "any" | "lower";

/** What {@link checkTokenSources} found. */
export interface TokenSourcesReport {
  readonly problems: Problem[];
  readonly notes: Note[];
}

/** What is not allowed in a header's name (RFC 9110, section 5.1: a token). */
const notInHeaderName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;

const expectedSources = ["`http.request.headers`", "`http.request.cookies`"];

/**
 * Reads a token source.
 *
 * @example
 * ```ts
 * const parsed = parseTokenSource('http.request.cookies["Session"][0]');
 * parsed.ok && [parsed.source.name, parsed.source.key, parsed.source.index];
 * // => ["http.request.cookies", "Session", 0]
 * ```
 */
export function parseTokenSource(text: string): ParsedTokenSource {
  try {
    const cursor = startCursor(text);
    const field = acceptListedField(cursor) ?? unexpected(cursor, expectedSources);
    if (cursor.token.kind !== "end") unexpected(cursor, ["the end of the text"]);
    return { ok: true, source: { ...field, text: printField(field) } };
  } catch (fault) {
    if (fault instanceof ExpressionSyntaxError) return { ok: false, error: fault.error };
    throw fault;
  }
}

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
): TokenSourcesReport {
  const { headerCase = "any", at = "" } = options;
  const report: TokenSourcesReport = { problems: [], notes: [] };
  if (!Array.isArray(sources)) {
    const message = `token_sources is an array of strings, but it is ${quote(sources)}.`;
    report.problems.push({ code: 10400, pointer: at, message });
    return report;
  }
  for (const [i, source] of sources.entries()) checkSource(source, at + pointer(i), headerCase, report);
  return report;
}

function checkSource(text: unknown, at: string, headerCase: HeaderCase, report: TokenSourcesReport): void {
  if (typeof text !== "string") {
    const message = `A token source is a string, but it is ${quote(text)}.`;
    report.problems.push({ code: 10400, pointer: at, message });
    return;
  }
  const parsed = parseTokenSource(text);
  if (!parsed.ok) report.problems.push(sourceProblem(text, parsed.error, at));
  else checkName(parsed.source, at, headerCase, report);
}

function sourceProblem(text: string, error: ExpressionError, at: string): Problem {
  const message = `${quote(text)} is no token source: at column ${error.column}, ${lowerFirst(error.message)}`;
  return { code: 10400, pointer: at, message };
}

function checkName(
  source: TokenSource,
  at: string,
  headerCase: HeaderCase,
  report: TokenSourcesReport,
): void {
  const { key } = source;
  if (source.name === "http.request.cookies") {
    if (key === "")
      report.problems.push({ code: 10400, pointer: at, message: "A cookie's name is not empty." });
    return;
  }
  if (key === "" || notInHeaderName.test(key)) {
    const message = `${quote(key)} is no header name: it has letters, digits and !#$%&'*+-.^_\`|~ only.`;
    report.problems.push({ code: 10400, pointer: at, message });
  } else if (key !== key.toLowerCase()) {
    const message = `The header name ${quote(key)} is compared without case; the provider takes lower case only.`;
    if (headerCase === "lower") report.problems.push({ code: 10400, pointer: at, message });
    else report.notes.push({ code: noteCodes.valueNoted, pointer: at, message });
  }
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
