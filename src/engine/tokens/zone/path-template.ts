/**
 * Path templates of operations, such as `/api/{var1}/users`: a variable is a whole segment and stands for any
 * non-empty one.
 *
 * Paths are compared segment by segment in normal form: percent-encoded unreserved characters decoded, hexadecimal
 * digits in upper case (RFC 3986, section 6.2.2), characters that a path may not have encoded. So `/%75sers` is
 * `/users`, while `%2F` divides nothing. A trailing slash makes another path (`chosen`).
 */

import { quote } from "../../../errors.ts";

/** A segment's text in normal form, or a variable. */
export type Segment = string | typeof variable;

/** Stands for any non-empty segment. */
export const variable = Symbol("variable");

/** The segments of a template, or what is wrong with it. */
export type ParsedTemplate =
  | { readonly ok: true; readonly segments: readonly Segment[] }
  | { readonly ok: false; readonly message: string };

/** Reads a path template. */
export function parseTemplate(endpoint: string): ParsedTemplate {
  if (!endpoint.startsWith("/")) return wrong(endpoint, "starts with `/`");
  if (/[?#]/.test(endpoint)) return wrong(endpoint, "is a path without query and fragment");
  const segments: Segment[] = [];
  for (const text of endpoint.slice(1).split("/")) {
    const segment = parseSegment(text);
    if (segment === undefined) return wrong(endpoint, "has variables such as `{id}` only as whole segments");
    if (segment === "." || segment === "..") return wrong(endpoint, "has no `.` and `..` segments");
    segments.push(segment);
  }
  return { ok: true, segments };
}

/** Brings a path, or a segment, into the form in which paths are compared. */
export function normalizePath(path: string): string {
  if (!notPlain.test(path)) return path;
  const wellFormed = path.replace(/\p{Surrogate}/gu, "\ufffd");
  return wellFormed
    .replace(/%[0-9A-Fa-f]{2}/g, normalizeEscape)
    .replace(unsafe, (characters: string) => encodeURIComponent(characters));
}

/** What may stand in a path as it is (RFC 3986, section 3.3: `pchar` and `/`). */
const notPlain = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/;

/** The same, but for `%`, in runs. */
const unsafe = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/gu;

function wrong(endpoint: string, rule: string): ParsedTemplate {
  return { ok: false, message: `An endpoint ${rule}, but it is ${quote(endpoint)}.` };
}

function parseSegment(text: string): Segment | undefined {
  if (/^\{[^{}]+\}$/.test(text)) return variable;
  return /[{}]/.test(text) ? undefined : normalizePath(text);
}

function normalizeEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
}
