/**
 * Path templates of operations, such as `/api/{var1}/users`: a variable is a whole segment and matches any non-empty
 * one.
 *
 * Paths are compared segment by segment in normal form: percent-encoded unreserved characters decoded, hexadecimal
 * digits in upper case (RFC 3986, section 6.2.2), characters that a path may not have encoded. So `/%75sers` is
 * `/users`, while `%2F` separates nothing. A trailing slash makes a different path (`chosen`).
 */

import { failure, type Result, success } from "../../../core/result.ts";
import { invalidValue } from "../input-problem.ts";

/** A literal segment in normal form, or a variable. */
export type Segment = string | typeof variable;

/** Matches any non-empty segment. */
export const variable = Symbol("variable");

/**
 * Parses a path template to its segments.
 *
 * @param at pointer of the endpoint, for problems
 */
export function parseTemplate(endpoint: string, at = ""): Result<readonly Segment[]> {
  const invalid = (allowed: string) => failure(invalidValue(at, "`endpoint`", allowed, endpoint));
  if (!endpoint.startsWith("/")) return invalid("a path that starts with `/`");
  if (/[?#]/.test(endpoint)) return invalid("a path without query and fragment");
  const segments: Segment[] = [];
  for (const text of endpoint.slice(1).split("/")) {
    const segment = parseSegment(text);
    if (segment === undefined) return invalid("a path whose variables, such as `{id}`, are whole segments");
    if (segment === "." || segment === "..") return invalid("a path without `.` and `..` segments");
    segments.push(segment);
  }
  return success(segments);
}

/** The normal form of a path, or of a segment, in which paths are compared. */
export function normalizePath(path: string): string {
  if (!notPlain.test(path)) return path;
  return withoutSurrogates(path)
    .replace(/%[0-9A-Fa-f]{2}/g, normalizeEscape)
    .replace(unsafe, (characters: string) => encodeURIComponent(characters));
}

/** A string whose surrogates without a partner are replaced: no others can be encoded. */
export function withoutSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** A character that a path cannot have unencoded (RFC 3986, section 3.3: `pchar` and `/`). */
const notPlain = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/;

/** Runs of such characters other than `%`. */
const unsafe = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/gu;

function parseSegment(text: string): Segment | undefined {
  if (/^\{[^{}]+\}$/.test(text)) return variable;
  return /[{}]/.test(text) ? undefined : normalizePath(text);
}

/** An encoded character in normal form: decoded when it is unreserved, else in capitals (RFC 3986, section 6.2.2). */
export function normalizeEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
}
