/** Creates a request for an assignment of alternatives to locations. */

import type { SimulatedRequest } from "../../model.ts";
import { acceptsKey, type BoundConfig, type TokenKey } from "../bound-expression.ts";
import { uriPart } from "../strings/derived-dfas.ts";
import type { Alternative, Location } from "./alternatives.ts";
import type { Assignment } from "./assignments.ts";
import { cookieName, locationKey } from "./location.ts";
import { type PlaceholderToken, withClaims } from "./placeholder-token.ts";
import type { RequestVariables } from "./variables.ts";

/** The state of a configuration's token in a request. */
export type TokenState = "missing" | "invalid" | "valid";

/** A request, with its headers as pairs in the order sent. */
export interface PlainRequest extends SimulatedRequest {
  /** Names in lower case, and values; a name can occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The request of an assignment. */
export interface ConcreteRequest {
  readonly request: PlainRequest;
  /** The placeholders to replace by valid tokens before the request is sent. */
  readonly placeholderTokens: readonly PlaceholderToken[];
  /** The keys that the tokens of placeholders are signed with. */
  readonly tokens: ReadonlyMap<string, TokenKey>;
  /** The alternatives of the assignment, by location key. */
  readonly alternatives: ReadonlyMap<string, Alternative>;
  /** The time of the evaluation, in milliseconds since 1970, when claims need one. */
  readonly timeMs?: number;
}

/** The value of list entries before one that has a value. */
const filler = "x";

const plainDefaults = { host: "example.com", path: "/" } as const;

/** Methods for requests whose method is not compared: the first that is not excluded. */
const plainMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The parts of the variables that a request is created from. */
export type RequestParts = Pick<RequestVariables, "assumptions" | "locations" | "configs" | "placeholderFor">;

/** The claims that the token at a location must have. */
export type ClaimsAt = (locationKey: string) => Readonly<Record<string, unknown>>;

const noClaims: ClaimsAt = () => ({});

/** Creates the request of an assignment. */
export function concretize(
  variables: RequestParts,
  { alternatives: assigned }: Assignment,
  claimsAt: ClaimsAt = noClaims,
): ConcreteRequest {
  const { assumptions, locations } = variables;
  const { alternatives, placeholders } = placeTokens(variables, assigned, claimsAt);
  const plain = (name: "http.request.method" | "http.host" | "http.request.uri.path") =>
    alternatives.get(name)?.value ?? assumptions[name]?.values?.[0] ?? assumptions[name]?.preferred?.[0];
  const host = plain("http.host") ?? plainDefaults.host;
  const uri = alternatives.get("http.request.uri")?.value;
  // Variables can be shared by classes with other paths, each of which has the only path that it assumes.
  const [onlyPath, ...morePaths] = assumptions["http.request.uri.path"]?.values ?? [];
  const chosenPath = alternatives.get("http.request.uri.path")?.value;
  const ownPath = morePaths.length === 0 ? (onlyPath ?? chosenPath) : chosenPath;
  const path =
    ownPath ?? (uri && uriPart(uri, "path")) ?? plain("http.request.uri.path") ?? plainDefaults.path;
  const query = alternatives.get("http.request.uri.query")?.value ?? uriPart(uri ?? "", "query");
  const request = {
    method: plain("http.request.method") ?? otherMethod(assumptions["http.request.method"]?.excluded),
    url: `https://${host}${path}${query === "" ? "" : `?${query}`}`,
    headers: [...headersOf(locations, alternatives), ...cookiesOf(locations, alternatives)],
  };
  return {
    request,
    placeholderTokens: placeholderTokensOf(variables, placeholders),
    tokens: new Map(placeholders.map(({ value, key }) => [value, key])),
    alternatives,
  };
}

/** A method that is not excluded. */
function otherMethod(excluded: readonly string[] = []): string {
  let method = plainMethods.find((candidate) => !excluded.includes(candidate)) ?? "X";
  while (excluded.includes(method)) method += "X";
  return method;
}

/** The state of a configuration's token in a concrete request. */
export function tokenStateOf(config: BoundConfig, { alternatives }: ConcreteRequest): TokenState {
  const found = config.sources
    .map((source) => alternatives.get(locationKey(source)))
    .find((alternative) => alternative?.yieldsToken);
  if (found === undefined) return "missing";
  return found.key !== undefined && acceptsKey(config, found.key) ? "valid" : "invalid";
}

/** The maximum number of headers or cookies of one name in a request; longer lists are not filled up. */
const maxRepetitions = 100;

/** The values of each name in order; entries that no location needs are missing. */
function listsOf(
  name: "http.request.headers" | "http.request.cookies",
  locations: readonly Location[],
  alternatives: ReadonlyMap<string, Alternative>,
): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { field } of locations) {
    const value = alternatives.get(locationKey(field))?.value;
    if (field.name !== name || value === undefined) continue;
    const key = name === "http.request.headers" ? field.key.toLowerCase() : field.key;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    if (field.index <= maxRepetitions) list[field.index] = value;
  }
  return lists;
}

function headersOf(
  locations: readonly Location[],
  alternatives: ReadonlyMap<string, Alternative>,
): (readonly [string, string])[] {
  const lists = listsOf("http.request.headers", locations, alternatives);
  return [...lists].flatMap(([name, values]) =>
    Array.from(values, (value: string | undefined) => [name, value ?? filler] as const),
  );
}

function cookiesOf(
  locations: readonly Location[],
  alternatives: ReadonlyMap<string, Alternative>,
): (readonly [string, string])[] {
  const lists = listsOf("http.request.cookies", locations, alternatives);
  const cookies = [...lists].flatMap(([name, values]) =>
    Array.from(values, (value: string | undefined) => `${cookieName(name) ?? ""}=${value ?? filler}`),
  );
  return cookies.length === 0 ? [] : [["cookie", cookies.join("; ")]];
}

/** A token of a request. */
interface PlacedToken {
  readonly value: string;
  readonly key: TokenKey;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Gives the tokens their claims. */
function placeTokens(
  { placeholderFor }: RequestParts,
  assigned: ReadonlyMap<string, Alternative>,
  claimsAt: ClaimsAt,
): {
  readonly alternatives: ReadonlyMap<string, Alternative>;
  readonly placeholders: readonly PlacedToken[];
} {
  const placed = new Map<string, PlacedToken>();
  const alternatives = new Map<string, Alternative>();
  for (const [at, alternative] of assigned) {
    const { key, value } = alternative;
    if (key === undefined || value === undefined) {
      alternatives.set(at, alternative);
      continue;
    }
    const plain = placeholderFor(key);
    const claims = claimsAt(at);
    const token = withClaims(plain, claims);
    placed.set(token, { value: token, key, claims });
    alternatives.set(at, { ...alternative, value: value.replace(plain, token) });
  }
  return { alternatives, placeholders: [...placed.values()] };
}

function placeholderTokensOf({ configs }: RequestParts, placed: readonly PlacedToken[]): PlaceholderToken[] {
  return placed.map(({ value, key, claims }) => ({
    value,
    kid: key.kid,
    alg: key.alg,
    ...(key.publicKey !== undefined && { publicKey: key.publicKey }),
    configs: [...new Set(configs.filter((config) => acceptsKey(config, key)).map(({ id }) => id))],
    ...(Object.keys(claims).length > 0 && { claims }),
  }));
}
