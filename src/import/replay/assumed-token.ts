/** Replaces tokens that a recording does not show by an assumed one. */
import { stripBearer } from "../../engine/tokens/zone/find-token.ts";
import type { ReadZone } from "../../engine/tokens/zone/zone-input.ts";
import type { RecordedRequest } from "../traffic/recorded-request.ts";
import { fieldValue, type RuleField, sourceField } from "./rule-fields.ts";
import type { UnknownReason } from "./unknown-fields.ts";

/** The values of assumed requests in the place of an unknown token. */
export interface AssumedToken {
  /** The token; undefined for none. */
  readonly token: string | undefined;
}

/** A request with assumed tokens, and the fields that are still unknown. */
export interface AssumedRequest {
  readonly request: RecordedRequest;
  readonly unknown: ReadonlyMap<string, UnknownReason>;
}

type Headers = readonly (readonly [string, string])[];

/** Puts the token in the first source of each configuration that may have had one. */
export function assumeToken(
  request: RecordedRequest,
  zones: readonly ReadZone[],
  unknown: ReadonlyMap<string, UnknownReason>,
  { token }: AssumedToken,
): AssumedRequest {
  const sources = zones.flatMap(({ configs }) => configs.map((config) => config.sources.map(sourceField)));
  const left = new Map(unknown);
  const filled = new Map<string, RuleField>();
  for (const list of sources) {
    for (const field of list) if (unknown.has(field.key)) left.delete(field.key);
    const first = list.find((field) => unknown.has(field.key) || isSet(request, field));
    if (first !== undefined && unknown.has(first.key)) filled.set(first.key, first);
  }
  const removed = sources.flat().filter((field) => unknown.has(field.key));
  const headers = fill(removeFields(request.headers, removed), [...filled.values()], token);
  return { request: { ...request, headers }, unknown: left };
}

function isSet(request: RecordedRequest, field: RuleField): boolean {
  return stripBearer(fieldValue(request, field) ?? "") !== "";
}

/** Removes all values of the fields' headers and cookies. */
function removeFields(headers: Headers, fields: readonly RuleField[]): Headers {
  const names = new Set(fields.filter(({ kind }) => kind === "header").map(({ name }) => name));
  const cookies = new Set(fields.filter(({ kind }) => kind === "cookie").map(({ name }) => name));
  return headers.flatMap(([name, value]): Headers => {
    const compared = name.toLowerCase();
    if (names.has(compared)) return [];
    return [[name, compared === "cookie" ? removeCookies(value, cookies) : value]];
  });
}

function removeCookies(value: string, names: ReadonlySet<string>): string {
  const kept = value.split(";").filter((part) => !names.has(part.split("=", 1)[0]?.trim() ?? ""));
  return kept.join(";");
}

/** Repeats a value so that there is one at the index of the field. */
function fill(headers: Headers, fields: readonly RuleField[], token: string | undefined): Headers {
  if (token === undefined) return headers;
  const added = fields.flatMap(({ kind, name, index }): Headers => {
    const count = index + 1;
    if (kind === "header") return new Array<readonly [string, string]>(count).fill([name, token]);
    const cookie = `${encodeURIComponent(name.toWellFormed())}=${token}`;
    return [["cookie", new Array<string>(count).fill(cookie).join("; ")]];
  });
  return [...headers, ...added];
}
