/** The request of an assignment, with all values and claims that expressions read. */

import { utf8Length } from "#bytes";
import { knownFields } from "../../expression/language/fields.ts";
import type { ValueType } from "../../expression/language/types.ts";
import { type ClaimPath, type Claims, claimKey, mixedAudienceKey } from "../model/claims.ts";
import type { Model } from "../model/model.ts";
import { type FieldPart, ownFieldOf } from "../model/own-fields.ts";
import { challengePassedKey } from "../rulesets/ruleset-part.ts";
import type { Alternative } from "./alternatives.ts";
import type { Assignment } from "./assignments.ts";
import { type ConcreteRequest, concretize, type PlainRequest } from "./concretize.ts";
import type { RequestVariables } from "./variables.ts";

/** An address that does not matter (RFC 5737). */
const anyAddress = "192.0.2.1";

/** The value of a field that matters to no decision. */
const defaults: Readonly<Partial<Record<ValueType, unknown>>> = {
  Bool: false,
  Int: 0,
  IP: anyAddress,
  String: "",
};

/** The maximum size of a body that is made up. */
const maxBodySize = 8192;

type Alternatives = ReadonlyMap<string, Alternative>;

/** The request of an assignment; undefined when no client can send it. */
export function completeRequest(
  variables: RequestVariables,
  assignment: Assignment,
): ConcreteRequest | undefined {
  const { alternatives } = assignment;
  const { model } = variables;
  const payloads = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [key, { key: signed }] of alternatives)
    if (signed !== undefined) payloads.set(key, payloadAt(model.claims, alternatives, key));
  const concrete = concretize(variables, assignment, (key) => payloads.get(key) ?? {});
  const time = timeOf(alternatives, [...payloads.values()]);
  const request =
    time === undefined ? undefined : withFields(statedBy(model), concrete.request, alternatives);
  if (request === undefined || time === undefined) return undefined;
  return { ...concrete, request, ...(time !== 0 && { timeMs: time }) };
}

const secondsField = "http.request.timestamp.sec";
/** The latest time of a date (ECMA-262, time values), in seconds since 1970. */
const maxSeconds = 8.64e12;

const millisecondsField = "http.request.timestamp.msec";

/** A time at which all tokens are valid, in milliseconds since 1970; undefined when there is none. */
function timeOf(
  alternatives: Alternatives,
  payloads: readonly Readonly<Record<string, unknown>>[],
): number | undefined {
  const times = (name: string) =>
    payloads.flatMap((claims) => (typeof claims[name] === "number" ? [claims[name]] : []));
  const earliest = Math.max(0, ...times("nbf").map(Math.ceil));
  const latest = Math.min(...times("exp").map((exp) => Math.ceil(exp) - 1));
  const compared = alternatives.get(secondsField)?.value;
  const now = compared === undefined ? earliest : Number(compared);
  if (now < earliest || now > latest || now > maxSeconds) return undefined;
  return now * 1000 + Number(alternatives.get(millisecondsField)?.value ?? 0);
}

/** The payload of the token at a location. */
function payloadAt(claims: Claims, alternatives: Alternatives, source: string): Record<string, unknown> {
  const payload: Record<string, unknown> = Object.create(null);
  let lastAudience = 0;
  for (const path of claims.pathsAt(source)) {
    const value = alternatives.get(claimKey(source, path))?.value;
    if (path[0] === "aud" && typeof path[1] === "number") lastAudience = Math.max(lastAudience, path[1]);
    if (value !== undefined) setAt(payload, path, JSON.parse(value));
  }
  const { aud } = payload as { aud?: unknown };
  const isMixed = alternatives.get(mixedAudienceKey(source))?.value === "true";
  // A list with another element than strings is not an audience.
  if (isMixed && Array.isArray(aud)) aud[lastAudience + 1] ??= null;
  return payload;
}

type Container = Record<string | number, unknown>;

/** Elements before one with a value are null. */
function setAt(root: Container, path: ClaimPath, value: unknown): void {
  let at = root;
  for (const [i, key] of path.entries()) {
    if (Array.isArray(at) && typeof key === "number")
      for (let before = at.length; before < key; before++) at.push(null);
    const next = path[i + 1];
    if (next === undefined) at[key] = value;
    else at[key] ??= typeof next === "number" ? [] : Object.create(null);
    at = at[key] as Container;
  }
}

/** The sources of fields that are unknown unless a test states them. */
const statedSources: ReadonlySet<string | undefined> = new Set(["ip", "body", "zone", "given"]);

/** The fields that a request must state, by their own names. */
export function statedBy({ fields }: Pick<Model, "fields">): ReadonlySet<string> {
  return new Set([...fields].filter((name) => statedSources.has(knownFields.get(name)?.source)));
}

/** The member that states the fields of one part of a request. */
type State = (request: PlainRequest, name: string, alternative: Alternative) => PlainRequest | undefined;

const states: { readonly [P in FieldPart]: State } = {
  ip: (request, _, { value }) => ({ ...request, ip: value ?? anyAddress }),
  httpVersion: (request, _, { value }) => ({ ...request, httpVersion: value ?? "" }),
  scheme: (request, _, { value }) =>
    value === "true" ? request : { ...request, url: request.url.replace(/^https:/, "http:") },
  header: (request, name, { value = "" }) => {
    const header = ownFieldOf(name)?.header;
    if (header === undefined || value === "") return request;
    return { ...request, headers: [...request.headers, [header, value] as const] };
  },
  body: (request, name, { value = "" }) => {
    const { body } = request;
    if (name.endsWith(".raw")) return { ...request, body: value };
    const size = Number(value);
    if (typeof body === "string") return utf8Length(body) === size ? request : undefined;
    return size > maxBodySize ? undefined : { ...request, body: "x".repeat(size) };
  },
  fields: (request, name, { value = "" }) => ({
    ...request,
    fields: { ...request.fields, [name]: typedValue(name, value) },
  }),
};

function typedValue(name: string, value: string): unknown {
  const type = knownFields.get(name)?.type;
  if (type === "Bool") return value === "true";
  return type === "Int" ? Number(value) : value;
}

/** Adds the values of fields; undefined when two of them contradict each other. */
function withFields(
  stated: ReadonlySet<string>,
  plain: PlainRequest,
  alternatives: Alternatives,
): PlainRequest | undefined {
  let request: PlainRequest | undefined = plain;
  // The body before its size.
  for (const [name, alternative] of [...alternatives].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const field = ownFieldOf(name);
    if (request === undefined || field === undefined) continue;
    request = states[field.part](request, name, alternative);
  }
  if (request === undefined) return undefined;
  const isPassed = alternatives.get(challengePassedKey)?.value === "true";
  return { ...withDefaults(request, stated), ...(isPassed && { challengePassed: true }) };
}

/** Adds values of the fields that are read and do not matter. */
export function withDefaults(request: PlainRequest, stated: ReadonlySet<string>): PlainRequest {
  const fields: Record<string, unknown> = {};
  for (const name of stated) {
    const field = knownFields.get(name);
    if ((field?.source === "given" || field?.source === "zone") && request.fields?.[name] === undefined)
      fields[name] = defaults[field.type] ?? (field.type.startsWith("Array") ? [] : {});
  }
  const needsBody = [...stated].some((name) => name.startsWith("http.request.body."));
  return {
    ...request,
    ...(stated.has("ip.src") && request.ip === undefined && { ip: anyAddress }),
    ...(needsBody && request.body === undefined && { body: "" }),
    ...((request.fields !== undefined || Object.keys(fields).length > 0) && {
      fields: { ...fields, ...request.fields },
    }),
  };
}
