/**
 * Reads a simulated request: method, host, path, headers and cookies, each only on demand.
 *
 * Header names are compared in lower case and repeated headers keep their order; cookie names are case-sensitive and
 * URL-decoded, their values are as sent (`observed`).
 */

import { anyObject, requireArgument } from "../../../core/arguments.ts";
import { addTo } from "../../../core/groups.ts";
import { decodePercents } from "../../../core/text/percent-decoding.ts";
import { type CodedDiagnostic, InvalidInputError, pointer } from "../../../errors.ts";
import type { ListedName } from "../expression/field.ts";
import { checkGiven } from "../expression/values/given.ts";
import { invalidValue } from "../input-problem.ts";
import type { RequestHeaders, SimulatedRequest } from "../model.ts";
import { readTarget, type Target } from "./target.ts";
import type { PathNormalization } from "./url-normalization.ts";

/** The members of a WHATWG `Request` that are read. Its headers join repeated names, so only index 0 has a value. */
export interface WebRequest {
  /** Method name, compared in upper case. */
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  /** Compared by name without case. */
  readonly headers: WebHeaders;
}

/** The members of WHATWG `Headers` that are read. */
export interface WebHeaders {
  /** The values of a header, joined; null when it is missing. */
  get(name: string): string | null;
}

/** A request to evaluate: a plain object, or a `Request`. */
export type EvaluationRequest = SimulatedRequest | WebRequest;

/** A request whose parts are read on demand. */
export interface RequestReader extends Target {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders | WebHeaders | undefined;
  cookies: ReadonlyMap<string, readonly string[]> | undefined;
}

/** A method's name (RFC 9110, section 9.1: a token). */
const methodName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Methods that need no normalization. */
const usualMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

/**
 * Starts reading a request, whose path is normalized as the zone says.
 *
 * @throws InvalidInputError when the method is not a method name, the url is not an absolute http or https URL, or the
 * headers are neither a record nor pairs
 */
export function readRequest(
  request: EvaluationRequest,
  normalization: PathNormalization = "none",
): RequestReader {
  requireArgument("request", request, anyObject);
  const { url, headers } = request;
  const method = readMethod(request.method);
  const target = typeof url === "string" ? readTarget(url, normalization) : undefined;
  if (
    method === undefined ||
    target === undefined ||
    (headers !== undefined && typeof headers !== "object")
  ) {
    throw new InvalidInputError("The request cannot be evaluated", checkRequest(request));
  }
  return { method, url, host: target.host, path: target.path, headers, cookies: undefined };
}

/** The same reader over a copy of the headers, for a request that is read asynchronously. */
export function copyHeaders(reader: RequestReader): RequestReader {
  const { headers } = reader;
  if (headers === undefined || headers === null || isWebHeaders(headers)) return reader;
  return { ...reader, headers: isPairs(headers) ? headers.map(copyPair) : copyRecord(headers) };
}

/**
 * Checks a request of unknown origin, including each header. Empty when there is no problem.
 *
 * @example
 * ```ts
 * const [problem] = checkRequest({ method: "GET", url: "/users" });
 * problem?.pointer; // => "/url"
 * problem?.message; // => "`url` must be an absolute http or https URL; found the string `/users`."
 * ```
 */
export function checkRequest(request: unknown): CodedDiagnostic[] {
  if (typeof request !== "object" || request === null) {
    return [invalidValue("", "the request", "an object with `method` and `url`", request)];
  }
  const { method, url, headers }: { method?: unknown; url?: unknown; headers?: unknown } = request;
  const problems: CodedDiagnostic[] = [];
  if (typeof method !== "string" || !methodName.test(method)) {
    problems.push(invalidValue("/method", "`method`", "a method name such as `GET`", method));
  }
  if (typeof url !== "string" || readTarget(url) === undefined) {
    problems.push(invalidValue("/url", "`url`", "an absolute http or https URL", url));
  }
  if (headers !== undefined) problems.push(...checkHeaders(headers));
  return isWebRequest(request) ? problems : [...problems, ...checkGiven(request)];
}

/** Whether a request is a `Request`, whose members besides those of {@link WebRequest} are not read. */
export function isWebRequest(request: object): request is WebRequest {
  return "arrayBuffer" in request && typeof request.arrayBuffer === "function";
}

/** The value of a header or cookie at an index; undefined when the request has none. */
export function readListed(
  request: RequestReader,
  { name, key, index }: { readonly name: ListedName; readonly key: string; readonly index: number },
): string | undefined {
  return name === "http.request.headers"
    ? readHeader(request.headers, key.toLowerCase(), index)
    : readCookies(request).get(key)?.[index];
}

/** The query without its question mark; empty when the URL has none. */
export function readQuery({ url }: RequestReader): string {
  return url.includes("?") ? new URL(url).search.slice(1) : "";
}

/** The values of a header by its lower-case name, in order. */
export function readAllHeaders(headers: RequestReader["headers"], lowerName: string): readonly string[] {
  if (headers === undefined || headers === null) return [];
  if (isWebHeaders(headers))
    return [readWebHeader(headers, lowerName, 0)].filter((value) => value !== undefined);
  const pairs = isPairs(headers) ? headers : (copyRecord(headers) as readonly (readonly [string, string])[]);
  return pairs.flatMap((pair) => (isPair(pair) && isNamed(pair[0], lowerName) ? [pair[1]] : []));
}

/** The value of a header by its lower-case name, at an index, from 0, among the headers with this name. */
export function readHeader(
  headers: RequestReader["headers"],
  name: string,
  index: number,
): string | undefined {
  if (headers === undefined || headers === null) return undefined;
  if (isWebHeaders(headers)) return readWebHeader(headers, name, index);
  return isPairs(headers) ? readFromPairs(headers, name, index) : readFromRecord(headers, name, index);
}

/** All headers in order, names as sent. Of `Headers` that cannot be listed there are none. */
export function* headerPairs(headers: RequestReader["headers"]): Generator<readonly [string, string]> {
  if (headers === undefined || headers === null) return;
  if (isWebHeaders(headers)) {
    if (Symbol.iterator in headers) yield* headers as Iterable<[string, string]>;
    return;
  }
  const pairs = isPairs(headers) ? headers : (copyRecord(headers) as readonly (readonly [string, string])[]);
  for (const pair of pairs) if (isPair(pair)) yield pair;
}

/** Method names are compared in upper case, although RFC 9110 has them case-sensitive: `get` means `GET` (`chosen`). */
function readMethod(method: unknown): string | undefined {
  if (typeof method !== "string") return undefined;
  if (usualMethods.has(method)) return method;
  return methodName.test(method) ? method.toUpperCase() : undefined;
}

function checkHeaders(headers: unknown): CodedDiagnostic[] {
  if (typeof headers !== "object" || headers === null) {
    return [invalidValue("/headers", "`headers`", "an object or an array of pairs", headers)];
  }
  if (isWebHeaders(headers as WebHeaders)) return [];
  const isList = Array.isArray(headers);
  const isValid = isList ? isPair : isRecordValue;
  const allowed = isList ? "a pair of strings" : "a string or an array of strings";
  return Object.entries(headers)
    .filter(([, value]) => !isValid(value))
    .map(([name, value]) => invalidValue(pointer("headers", name), "a header", allowed, value));
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}

function isRecordValue(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((v) => typeof v === "string"));
}

function isPairs(headers: RequestHeaders): headers is readonly (readonly [string, string])[] {
  return Array.isArray(headers);
}

function isWebHeaders(headers: RequestHeaders | WebHeaders): headers is WebHeaders {
  return typeof (headers as WebHeaders).get === "function";
}

function copyPair(pair: readonly [string, string]): readonly [string, string] {
  return isPair(pair) ? [pair[0], pair[1]] : pair;
}

function copyRecord(headers: Readonly<Record<string, string | readonly string[]>>): RequestHeaders {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : copyList(name, value),
  );
}

function copyList(name: string, values: readonly string[]): (readonly [string, string])[] {
  return Array.isArray(values) ? values.map((value) => [name, value] as const) : [];
}

function readWebHeader(headers: WebHeaders, name: string, index: number): string | undefined {
  return index === 0 && methodName.test(name) ? (headers.get(name) ?? undefined) : undefined;
}

function isNamed(key: string, lowerName: string): boolean {
  return key === lowerName || (key.length === lowerName.length && key.toLowerCase() === lowerName);
}

function readFromPairs(
  pairs: readonly (readonly [string, string])[],
  name: string,
  index: number,
): string | undefined {
  let left = index;
  for (const pair of pairs) {
    if (isPair(pair) && isNamed(pair[0], name) && left-- === 0) return pair[1];
  }
  return undefined;
}

/** Skips values that are not strings; {@link checkRequest} reports them. */
function readFromRecord(
  record: Readonly<Record<string, string | readonly string[]>>,
  name: string,
  index: number,
): string | undefined {
  let left = index;
  for (const key in record) {
    if (!isNamed(key, name) || !Object.hasOwn(record, key)) continue;
    const value: unknown = record[key];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of values) if (typeof item === "string" && left-- === 0) return item;
  }
  return undefined;
}

/** The values of cookies by decoded names. */
export function readCookies(reader: RequestReader): ReadonlyMap<string, readonly string[]> {
  reader.cookies ??= parseCookies(reader.headers);
  return reader.cookies;
}

function parseCookies(headers: RequestReader["headers"]): Map<string, string[]> {
  const cookies = new Map<string, string[]>();
  for (const header of cookieHeaders(headers)) {
    for (const part of header.split(";")) addCookie(cookies, part);
  }
  return cookies;
}

function* cookieHeaders(headers: RequestReader["headers"]): Generator<string> {
  if (headers === undefined || headers === null) return;
  if (isWebHeaders(headers)) {
    const joined: unknown = headers.get("cookie");
    if (typeof joined === "string") yield joined;
    return;
  }
  const pairs = isPairs(headers) ? headers : (copyRecord(headers) as readonly (readonly [string, string])[]);
  for (const pair of pairs) if (isPair(pair) && isNamed(pair[0], "cookie")) yield pair[1];
}

function addCookie(cookies: Map<string, string[]>, part: string): void {
  const equals = part.indexOf("=");
  if (equals === -1) return;
  const encoded = part.slice(0, equals).trim();
  const name = encoded.includes("%") ? (decodePercents(encoded) ?? encoded) : encoded;
  const value = part.slice(equals + 1).trim();
  addTo(cookies, name, value);
}
