/**
 * The claims of the token at a location, as locations of their own: one for each path that expressions look up. The same
 * token has the same claims, whichever configuration it is valid for.
 */

import type { BoundConfig } from "../bound-expression.ts";
import { locationKey } from "../requests/location.ts";
import { every, type Formula, negate, some } from "./formula.ts";
import { textValues } from "./own-fields.ts";
import type { OwnDomain, OwnLocations, OwnTest } from "./own-locations.ts";

/** A path in a payload: names of members, and positions in arrays. */
export type ClaimPath = readonly (string | number)[];

/** The claims that expressions read, by the location of their token. */
export interface Claims {
  /** Whether a test holds for the claim at a path of the valid token of a configuration. */
  testClaim(config: BoundConfig, path: ClaimPath, test: OwnTest): Formula;
  /** Whether a test holds for an element of the list `aud`. */
  testAudience(config: BoundConfig, index: number, test: OwnTest): Formula;
  /** The condition that every payload meets. */
  constraints(): Formula;
  /** The paths that are read of the token at a location. */
  pathsAt(source: string): readonly ClaimPath[];
  /** Whether audiences of the token at a location are read as a list. */
  readsAudience(source: string): boolean;
}

/** The key of the location of a claim. */
export function claimKey(source: string, path: ClaimPath): string {
  return `claim ${source} ${JSON.stringify(path)}`;
}

/** The key of whether the list `aud` has other elements than strings, so that the field has none. */
export function mixedAudienceKey(source: string): string {
  return `mixed aud ${source}`;
}

const audience = "aud";

/** A valid token has numbers there, and nothing below them. */
const times: readonly (string | number | undefined)[] = ["exp", "nbf"];

function domainOf(path: ClaimPath): OwnDomain {
  const [first] = path;
  const isTime = times.includes(first);
  const isPossible = typeof first === "string" && !(isTime && path.length > 1);
  const types = isPossible ? (isTime ? (["Int"] as const) : (["String", "Int"] as const)) : [];
  return { kind: "claim", types, values: textValues };
}

/** Creates an empty list of claims. */
export function createClaims(own: OwnLocations): Claims {
  const paths = new Map<string, Map<string, ClaimPath>>();
  const audiences = new Set<string>();

  function at(source: string, path: ClaimPath, test: OwnTest): Formula {
    const ofSource = paths.get(source) ?? new Map<string, ClaimPath>();
    paths.set(source, ofSource.set(JSON.stringify(path), path));
    const location = claimKey(source, path);
    return { kind: "own", location, test: own.testAt(location, domainOf(path), test) };
  }

  const isMixed = (source: string): Formula => {
    const location = mixedAudienceKey(source);
    return { kind: "own", location, test: own.testAt(location, { kind: "Bool" }, { kind: "true" }) };
  };

  const ofEach = (config: BoundConfig, condition: (source: string) => Formula): Formula => ({
    kind: "token",
    test: "is_jwt_valid",
    config,
    claims: new Map(config.sources.map((source) => [locationKey(source), condition(locationKey(source))])),
  });

  const isPresent = (source: string, path: ClaimPath) => at(source, path, { kind: "isPresent" });
  const isString = (source: string, path: ClaimPath) => at(source, path, { kind: "isString" });

  function* conflicts(source: string, all: readonly ClaimPath[]): Generator<Formula> {
    for (const [i, path] of all.entries())
      for (const other of all.slice(i + 1))
        if (areExclusive(path, other))
          yield negate(every([isPresent(source, path), isPresent(source, other)]));
  }

  function* audienceRules(source: string, all: readonly ClaimPath[]): Generator<Formula> {
    if (!audiences.has(source)) return;
    const indexes = all.flatMap(([name, index, ...more]) =>
      name === audience && typeof index === "number" && more.length === 0 ? [index] : [],
    );
    for (const index of indexes) {
      const isAbsent = negate(isPresent(source, [audience, index]));
      yield some([isMixed(source), isAbsent, isString(source, [audience, index])]);
      for (const earlier of indexes.filter((other) => other < index))
        yield some([isMixed(source), isAbsent, isString(source, [audience, earlier])]);
    }
  }

  return {
    testClaim: (config, path, test) => ofEach(config, (source) => at(source, path, test)),
    testAudience: (config, index, test) =>
      ofEach(config, (source) => {
        audiences.add(source);
        const inList = every([negate(isMixed(source)), at(source, [audience, index], test)]);
        return index === 0 ? some([at(source, [audience], test), inList]) : inList;
      }),
    constraints: () =>
      every(
        [...paths].flatMap(([source, ofSource]) => {
          const all = [...ofSource.values()];
          return [...conflicts(source, all), ...audienceRules(source, all)];
        }),
      ),
    pathsAt: (source) => [...(paths.get(source)?.values() ?? [])],
    readsAudience: (source) => audiences.has(source),
  };
}

/** Whether no payload has a string or a number at both paths. */
function areExclusive(path: ClaimPath, other: ClaimPath): boolean {
  const shorter = Math.min(path.length, other.length);
  for (let i = 0; i < shorter; i++) {
    if (typeof path[i] !== typeof other[i]) return true;
    if (path[i] !== other[i]) return false;
  }
  return path.length !== other.length;
}
