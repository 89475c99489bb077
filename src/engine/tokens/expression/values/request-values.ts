/**
 * Reads the fields of expressions from a request, the clock and verified tokens, each on demand. The facts with weak
 * evidence are listed in docs/decisions/0014-custom-rule-facts.md; each is decided in one function here.
 */

import { base64Bytes, latin1Bytes, latin1Text, utf8Text } from "#bytes";
import { addTo } from "../../../../core/groups.ts";
import { readUrl } from "../../../../core/idna/url.ts";
import { InvalidInputError } from "../../../../errors.ts";
import {
  type EvaluationRequest,
  headerPairs,
  isWebRequest,
  type RequestReader,
  readAllHeaders,
  readCookies,
  readQuery,
} from "../../zone/request.ts";
import { readRawPath } from "../../zone/target.ts";
import type { ReadFieldName } from "../language/fields.ts";
import { type Int, type MapValue, unknown } from "../language/types.ts";
import { toInt } from "../typed-literals.ts";
import { toBytes, toText } from "./bytes.ts";
import { checkGiven, type GivenValues, readGiven } from "./given.ts";
import { readDocument } from "./json-lookup.ts";

/** A token that was verified with reason `valid`. */
export interface ValidToken {
  /** The token without `Bearer`. */
  readonly token: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The tokens of a request. */
export interface ClaimSource {
  /** The ids of the configurations, in order. */
  readonly ids: readonly string[];
  /** The token of a configuration, verified on first use; undefined for any reason but `valid`. */
  valid(id: string): ValidToken | undefined;
}

/** The values of one request. */
export interface RequestValues {
  /** The values of a program's fields and calls; undefined until they are read. */
  readonly slots: unknown[];
  readonly reader: RequestReader;
  readonly given: GivenValues;
  readonly nowMs: number;
  readonly claims: ClaimSource;
  documents: Map<string, string | undefined> | undefined;
}

/** No member of the request that only custom rules read. */
const nothingGiven: GivenValues = Object.freeze({ fields: new Map() });

/**
 * Starts reading the values of a request.
 *
 * @throws InvalidInputError when `ip`, `httpVersion`, `body` or `fields` of the request are invalid
 */
export function startValues(
  { size }: { readonly size: number },
  reader: RequestReader,
  request: EvaluationRequest,
  nowMs: number,
  claims: ClaimSource,
): RequestValues {
  // A loop takes less time than `fill` for the usual few.
  const slots: unknown[] = [];
  for (let i = 0; i < size; i++) slots.push(undefined);
  return { slots, reader, given: givenOf(request), nowMs, claims, documents: undefined };
}

function givenOf(request: EvaluationRequest): GivenValues {
  if (isWebRequest(request)) return nothingGiven;
  const { ip, httpVersion, body, fields } = request;
  if (ip === undefined && httpVersion === undefined && body === undefined && fields === undefined)
    return nothingGiven;
  const problems = checkGiven(request);
  if (problems.length > 0) throw new InvalidInputError("The request cannot be evaluated", problems);
  return readGiven(request);
}

/** A document of JSON, parsed once for each evaluation. */
export function readJson(values: RequestValues, bytes: string): string | undefined {
  values.documents ??= new Map();
  if (!values.documents.has(bytes)) values.documents.set(bytes, readDocument(bytes));
  return values.documents.get(bytes);
}

/** The value of each field that is read. */
export const fieldReaders: { readonly [N in ReadFieldName]: (values: RequestValues) => unknown } = {
  "http.host": ({ reader }) => toBytes(reader.host),
  "http.request.method": ({ reader }) => reader.method,
  "http.request.uri": ({ reader }) => uriOf(reader, reader.path),
  "http.request.uri.path": ({ reader }) => reader.path,
  "http.request.uri.path.extension": ({ reader }) => extensionOf(reader.path),
  "http.request.uri.query": ({ reader }) => readQuery(reader),
  "http.request.full_uri": ({ reader }) => fullUriOf(reader, reader.path),
  "raw.http.request.uri": ({ reader }) => uriOf(reader, rawPathOf(reader)),
  "raw.http.request.uri.path": ({ reader }) => rawPathOf(reader),
  "raw.http.request.uri.path.extension": ({ reader }) => extensionOf(rawPathOf(reader)),
  "raw.http.request.full_uri": ({ reader }) => fullUriOf(reader, rawPathOf(reader)),
  "http.request.version": ({ given }) => given.httpVersion ?? "HTTP/1.1",
  "http.cookie": ({ reader }) => joinHeader(reader, "cookie", "; "),
  "http.referer": ({ reader }) => joinHeader(reader, "referer", ", "),
  "http.user_agent": ({ reader }) => joinHeader(reader, "user-agent", ", "),
  "http.x_forwarded_for": ({ reader }) => joinHeader(reader, "x-forwarded-for", ", "),
  "http.request.headers": ({ reader }) => headersOf(reader),
  "http.request.cookies": ({ reader }) => cookiesOf(reader),
  "http.request.uri.args": ({ reader }) => parseArguments(readQuery(reader)),
  "http.request.headers.truncated": () => false,
  ssl: ({ reader }) => isHttps(reader),
  "http.request.timestamp.sec": ({ nowMs }) => Math.floor(nowMs / 1000),
  "http.request.timestamp.msec": ({ nowMs }) => Math.floor(nowMs) - 1000 * Math.floor(nowMs / 1000),
  "http.request.body.raw": ofBody((body) => body),
  "http.request.body.mime": ofBody((_, { reader }) => mimeOf(reader)),
  "http.request.body.size": ofBody((body) => body.length),
  "http.request.body.truncated": ofBody(() => false),
  "http.request.body.form": ofBody((body, { reader }) =>
    parseArguments(mimeOf(reader) === "application/x-www-form-urlencoded" ? body : ""),
  ),
  "ip.src": ({ given }) => given.ip ?? unknown,
  "cf.edge.server_port": ({ reader }) => portOf(reader),
  "http.request.jwt.claims": claimsMap(({ token, claims }) => [payloadOf(token, claims)]),
  "http.request.jwt.claims.aud": claimsMap(({ claims }) => audienceOf(claims["aud"])),
  "http.request.jwt.claims.iss": claimsMap(({ claims }) => textOf(claims["iss"])),
  "http.request.jwt.claims.jti": claimsMap(({ claims }) => textOf(claims["jti"])),
  "http.request.jwt.claims.sub": claimsMap(({ claims }) => textOf(claims["sub"])),
  "http.request.jwt.claims.iat.sec": claimsMap(({ claims }) => timeOf(claims["iat"])),
  "http.request.jwt.claims.nbf.sec": claimsMap(({ claims }) => timeOf(claims["nbf"])),
};

function ofBody(read: (body: string, values: RequestValues) => unknown) {
  return (values: RequestValues) =>
    values.given.body === undefined ? unknown : read(values.given.body, values);
}

function isHttps({ url }: RequestReader): boolean {
  return /^\s*https:/i.test(url);
}

/** The port of the URL, or the one of its scheme. */
function portOf(reader: RequestReader): number {
  const port = /:(\d+)$/.exec(readUrl(reader.url)?.host ?? "")?.[1];
  if (port !== undefined) return Number(port);
  return isHttps(reader) ? 443 : 80;
}

function uriOf(reader: RequestReader, path: string): string {
  const query = readQuery(reader);
  return query === "" ? path : `${path}?${query}`;
}

function fullUriOf(reader: RequestReader, path: string): string {
  return `${isHttps(reader) ? "https" : "http"}://${toBytes(reader.host)}${uriOf(reader, path)}`;
}

/** The path as it was sent. */
function rawPathOf({ url }: RequestReader): string {
  return toBytes(readRawPath(url));
}

/** The extension of a path, in lower case; empty without a dot after the first character of the last segment. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Repeated headers are joined; an absent one is empty (of the user agent `observed`, of the others weak evidence). */
function joinHeader({ headers }: RequestReader, name: string, separator: string): string {
  return toBytes(readAllHeaders(headers, name).join(separator));
}

function mimeOf({ headers }: RequestReader): string {
  const [type = ""] = readAllHeaders(headers, "content-type");
  return toBytes(type.replace(/;.*$/s, "").trim().toLowerCase());
}

/** A map of lists. */
export function toMapValue(lists: ReadonlyMap<string, readonly string[]>): MapValue {
  const bytes = new Map<string, readonly string[]>();
  for (const [name, values] of lists) bytes.set(toBytes(name), values.map(toBytes));
  return mapOf(bytes);
}

/** A map whose names and values are bytes. */
export function mapOf(lists: ReadonlyMap<string, readonly unknown[]>): MapValue {
  return {
    get: (name) => lists.get(name),
    names: () => [...lists.keys()],
    lists: () => [...lists.values()],
  };
}

/** A name is found without reading the others. */
function cookiesOf(reader: RequestReader): MapValue {
  const all = () => toMapValue(readCookies(reader));
  return {
    get: (name) =>
      readCookies(reader)
        .get(toText(name) ?? name)
        ?.map(toBytes),
    names: () => all().names(),
    lists: () => all().lists(),
  };
}

/** A name is found without reading the others. */
function headersOf({ headers }: RequestReader): MapValue {
  const all = () => {
    const lists = new Map<string, string[]>();
    for (const [name, value] of headerPairs(headers)) addTo(lists, name.toLowerCase(), value);
    return toMapValue(lists);
  };
  return {
    get: (name) => {
      // All names are in lower case.
      if (/[A-Z]/.test(name)) return undefined;
      const values = readAllHeaders(headers, name);
      return values.length === 0 ? undefined : values.map(toBytes);
    },
    names: () => all().names(),
    lists: () => all().lists(),
  };
}

/** The arguments of a query or form, as sent. */
function parseArguments(text: string): MapValue {
  const lists = new Map<string, string[]>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    addTo(lists, equals === -1 ? part : part.slice(0, equals), equals === -1 ? "" : part.slice(equals + 1));
  }
  return mapOf(lists);
}

/** The lists of configurations with a valid token that has the claim. A name verifies the token of that one alone. */
function claimsMap(read: (token: ValidToken) => readonly unknown[] | undefined) {
  return ({ claims }: RequestValues): MapValue => {
    const get = (id: string) => {
      const token = claims.valid(toId(id));
      return token && read(token);
    };
    const names = () => claims.ids.map(toBytes).filter((id) => get(id) !== undefined);
    return { get, names, lists: () => names().map((id) => get(id) ?? []) };
  };
}

const toId = (bytes: string) => utf8Text(latin1Bytes(bytes));

const payloads = new WeakMap<object, string>();

/** The payload byte for byte as sent; claims in a cache are one object for each token. */
function payloadOf(token: string, claims: object): string {
  const known = payloads.get(claims);
  if (known !== undefined) return known;
  const payload = latin1Text(base64Bytes(token.split(".")[1] ?? ""));
  payloads.set(claims, payload);
  return payload;
}

/** A string, or an array of strings; other types are left out (weak evidence). */
function audienceOf(aud: unknown): readonly string[] | undefined {
  if (!Array.isArray(aud)) return textOf(aud);
  const isList = aud.length > 0 && aud.every((element) => typeof element === "string");
  return isList ? aud.map(toBytes) : undefined;
}

function textOf(claim: unknown): readonly string[] | undefined {
  return typeof claim === "string" ? [toBytes(claim)] : undefined;
}

/** Whole seconds, rounded down. */
function timeOf(claim: unknown): readonly Int[] | undefined {
  if (typeof claim !== "number" || !Number.isFinite(claim)) return undefined;
  const seconds = toInt(BigInt(Math.floor(claim)));
  return seconds === undefined ? undefined : [seconds];
}
