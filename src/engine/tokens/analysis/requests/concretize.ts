/** Makes a request of a point of the space. */

import type { SimulatedRequest } from "../../model.ts";
import type { BoundConfig } from "../bound-expression.ts";
import type { Choice, Place } from "./alternatives.ts";
import type { Point } from "./assignments.ts";
import { cookieName, placeOf } from "./location.ts";
import type { StandIn } from "./placeholder-token.ts";
import { isKeyOf, type Space } from "./variables.ts";

/** What a configuration makes of a request's token. */
export type TokenState = "missing" | "invalid" | "valid";

/** A request, with its headers as pairs in the order sent. */
export interface PlainRequest extends SimulatedRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request that shows something. */
export interface Realised {
  readonly request: PlainRequest;
  /** What is to be exchanged for a valid token before the request is sent. */
  readonly standIns: readonly StandIn[];
  /** The choices taken, by place. */
  readonly chosen: ReadonlyMap<string, Choice>;
}

/** What fills the places before one that is there. */
const filler = "x";

const plainDefaults = { host: "example.com", path: "/" } as const;

/** The first of them that may be stands where nothing compares the method. */
const plainMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Makes the request of a point. */
export function realise(space: Space, { chosen }: Point): Realised {
  const plain = (name: "http.request.method" | "http.host" | "http.request.uri.path") =>
    chosen.get(name)?.text ?? space.frame[name]?.texts?.[0] ?? space.frame[name]?.usual?.[0];
  const host = plain("http.host") ?? plainDefaults.host;
  const path = plain("http.request.uri.path") ?? plainDefaults.path;
  const request = {
    method: plain("http.request.method") ?? otherMethod(space.frame["http.request.method"]?.except),
    url: `https://${host}${path}`,
    headers: [...headersOf(space.places, chosen), ...cookiesOf(space.places, chosen)],
  };
  return { request, standIns: standInsOf(space, chosen), chosen };
}

/** A method that is none of these. */
function otherMethod(except: readonly string[] = []): string {
  let method = plainMethods.find((one) => !except.includes(one)) ?? "X";
  while (except.includes(method)) method += "X";
  return method;
}

/** What a configuration makes of the token of a realised request. */
export function tokenStateOf(config: BoundConfig, { chosen }: Realised): TokenState {
  const found = config.sources.map((source) => chosen.get(placeOf(source))).find((choice) => choice?.yields);
  if (found === undefined) return "missing";
  return found.key !== undefined && isKeyOf(config, found.key) ? "valid" : "invalid";
}

/** The values of each name in order, with fillers for places that nobody asks about. */
function listsOf(
  name: "http.request.headers" | "http.request.cookies",
  places: readonly Place[],
  chosen: ReadonlyMap<string, Choice>,
): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { field } of places) {
    const text = chosen.get(placeOf(field))?.text;
    if (field.name !== name || text === undefined) continue;
    const key = name === "http.request.headers" ? field.key.toLowerCase() : field.key;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    // An index that no request reaches has no list to be filled up to.
    if (field.index <= maxRepetitions) list[field.index] = text;
  }
  return lists;
}

/** Most headers or cookies of one name in a request that is made here. */
const maxRepetitions = 100;

function headersOf(
  places: readonly Place[],
  chosen: ReadonlyMap<string, Choice>,
): (readonly [string, string])[] {
  const lists = listsOf("http.request.headers", places, chosen);
  return [...lists].flatMap(([name, values]) =>
    Array.from(values, (value: string | undefined) => [name, value ?? filler] as const),
  );
}

function cookiesOf(
  places: readonly Place[],
  chosen: ReadonlyMap<string, Choice>,
): (readonly [string, string])[] {
  const lists = listsOf("http.request.cookies", places, chosen);
  const cookies = [...lists].flatMap(([name, values]) =>
    Array.from(values, (value: string | undefined) => `${cookieName(name) ?? ""}=${value ?? filler}`),
  );
  return cookies.length === 0 ? [] : [["cookie", cookies.join("; ")]];
}

function standInsOf({ configs, standIn }: Space, chosen: ReadonlyMap<string, Choice>): StandIn[] {
  const keys = new Map(
    [...chosen.values()].flatMap(({ key }) => (key ? [[key.identity, key] as const] : [])),
  );
  return [...keys.values()].map((key) => ({
    text: standIn(key),
    kid: key.kid,
    alg: key.alg,
    configs: [...new Set(configs.filter((config) => isKeyOf(config, key)).map(({ id }) => id))],
  }));
}
