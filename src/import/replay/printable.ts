/** The printable parts of a recorded request: never a token, a cookie, a signature or a query. */

import { utf8Text } from "#bytes";
import { parseJsonObject } from "../../core/json-value.ts";
import { decodeBase64url } from "../../engine/tokens/jwt/base64url.ts";
import { stripBearer } from "../../engine/tokens/zone/find-token.ts";
import type { RecordedRequest } from "../traffic/recorded-request.ts";
import { isRedacted } from "../traffic/redaction.ts";
import { fieldValue, type RuleField } from "./rule-fields.ts";

/** A request as a report shows it. */
export interface RequestExample {
  /** Ray id or position. */
  readonly request: string;
  /** Name of the file. */
  readonly file: string;
  /** Line in the file, from 1; for HAR the position of the entry, from 1. */
  readonly position: number;
  /** Line of an entry of an archive, from 1. */
  readonly line?: number;
  /** Method. */
  readonly method: string;
  /** Path without the query; parts that look like tokens are replaced by `<token>`. */
  readonly path: string;
  /** RFC 3339 time at which it arrived; absent when it is not recorded. */
  readonly time?: string;
  /** The first token, without its values. */
  readonly token?: TokenExample;
}

/** The parts of a token that are not secret. */
export interface TokenExample {
  /** Key id of the header. */
  readonly kid?: string;
  /** Names of the claims, without their values. */
  readonly claims: readonly string[];
}

/** Maximum length of a printed string, in characters. */
const maxLength = 120;

/** Maximum number of printed claim names. */
const maxClaims = 20;

/** Parts of a path that may be credentials: a JSON Web Token or its start, or a long string of random characters. */
const credential = /eyJ[\w-]*(?:\.[\w-]*)*|[A-Za-z0-9_-]{40,}/g;

/** A string for a report: tokens replaced, shortened. */
export function printable(text: string): string {
  const safe = text.slice(0, 4 * maxLength).replaceAll(credential, "<token>");
  return safe.length > maxLength ? `${safe.slice(0, maxLength)}...` : safe;
}

/** Shows a request. */
export function exampleOf(
  request: RecordedRequest,
  file: string,
  sources: readonly RuleField[],
): RequestExample {
  const { name, position, line, method, url, nowMs } = request;
  const token = tokenOf(request, sources);
  return {
    request: printable(name),
    file,
    position,
    ...(line !== undefined && { line }),
    method: printable(method.toUpperCase()),
    path: printable(new URL(url).pathname),
    ...(nowMs !== undefined && { time: new Date(nowMs).toISOString() }),
    ...(token && { token }),
  };
}

function tokenOf(request: RecordedRequest, sources: readonly RuleField[]): TokenExample | undefined {
  for (const source of sources) {
    const token = stripBearer(fieldValue(request, source) ?? "");
    if (token !== "") return isRedacted(token) ? undefined : describeToken(token);
  }
  return undefined;
}

/** Header and claims as far as they can be decoded. */
export function describeToken(token: string): TokenExample {
  const [header = "", payload = ""] = token.split(".", 2);
  const kid = decodeObject(header)["kid"];
  const claims = Object.keys(decodeObject(payload)).slice(0, maxClaims).map(printable);
  return { ...(typeof kid === "string" && { kid: printableKid(kid) }), claims };
}

/** Key ids are often long hashes; only one that looks like a token is hidden. */
function printableKid(kid: string): string {
  return kid.includes("eyJ") ? printable(kid) : kid.slice(0, maxLength);
}

function decodeObject(part: string): Readonly<Record<string, unknown>> {
  const bytes = decodeBase64url(part);
  return (bytes && parseJsonObject(utf8Text(bytes))) ?? {};
}
