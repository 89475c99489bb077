/** The requests that a rule of faults matches: by endpoint, path and method. */

import { didYouMean } from "../../core/suggest.ts";
import { decodePercents } from "../../core/text/percent-decoding.ts";
import { quote } from "../../errors.ts";
import type { FaultMatch, RoutedRequest } from "../faults.ts";

/** An endpoint that rules can match. */
export interface FaultTarget {
  readonly id: string;
  /** The methods of its requests. */
  readonly methods: readonly string[];
  /** Its path templates: with each set of wire names, with and without the base path. */
  readonly paths: readonly string[];
}

/** Whether a request counts. */
export type MatchRequest = (request: RoutedRequest) => boolean;

/**
 * Compiles the test of a rule.
 *
 * @param fault called with the pointer and the message of each problem
 */
export function matcherOf(
  { endpoint, path, method }: FaultMatch,
  targets: readonly FaultTarget[],
  fault: (at: string, message: string) => void,
): MatchRequest {
  const byId = endpoint === undefined ? targets : targets.filter(({ id }) => isPart(endpoint, id));
  if (endpoint !== undefined && byId.length === 0)
    fault("/endpoint", unknown("endpoint", endpoint, starts(targets)));
  const byPath = path === undefined ? undefined : parametersOf(path, targets);
  if (path !== undefined && byPath?.size === 0)
    fault(
      "/path",
      unknown(
        "endpoint with the path",
        path,
        targets.flatMap(({ paths }) => paths),
      ),
    );
  const allowed = new Set(ids(byId));
  if (byPath && byPath.size > 0 && allowed.size > 0 && ![...byPath.keys()].some((id) => allowed.has(id)))
    fault("/path", `The endpoint ${quote(endpoint)} does not have the path ${quote(path)}.`);
  const chosen = byId.filter(({ id }) => byPath?.has(id) ?? true);
  const methods = [...new Set(chosen.flatMap((target) => target.methods))];
  if (method !== undefined && methods.length > 0 && !methods.includes(method))
    fault(
      "/method",
      `No endpoint that the rule matches has the method ${quote(method)}; allowed are ${methods.join(", ")}.`,
    );
  return (request) => {
    if (method !== undefined && request.method !== method) return false;
    if (!allowed.has(request.endpoint)) return false;
    if (!byPath) return true;
    return byPath.get(request.endpoint)?.some((values) => hasValues(request.params, values)) ?? false;
  };
}

function isPart(start: string, id: string): boolean {
  return id === start || id.startsWith(`${start}.`);
}

const ids = (targets: readonly FaultTarget[]): readonly string[] => targets.map(({ id }) => id);

/** The ids, and each start of one that ends before a dot. */
function starts(targets: readonly FaultTarget[]): readonly string[] {
  const parts = ids(targets).map((id) => id.split("."));
  return [...new Set(parts.flatMap((words) => words.map((_, i) => words.slice(0, i + 1).join("."))))];
}

/** Longest name for which a similar one is searched, in characters. */
const maxSimilar = 200;

function unknown(what: string, name: string, known: readonly string[]): string {
  const near = name.length > maxSimilar ? "" : didYouMean(name, known);
  return `There is no ${what} ${quote(name)}${near || "; `GET /openapi.json` lists all endpoints with ids and paths."}`;
}

type Parameters = readonly (readonly [name: string, value: string])[];

/** The parameters that a path gives values, by the endpoints that have the path. */
function parametersOf(
  path: string,
  targets: readonly FaultTarget[],
): ReadonlyMap<string, readonly Parameters[]> {
  const found = new Map<string, Parameters[]>();
  for (const { id, paths } of targets) {
    const values = paths.map((template) => unify(path, template)).filter((some) => some !== undefined);
    if (values.length > 0) found.set(id, values);
  }
  return found;
}

/** The values that make a template the path; undefined when none do. */
function unify(path: string, template: string): Parameters | undefined {
  const given = path.split("/");
  const wanted = template.split("/");
  const values: (readonly [string, string])[] = [];
  for (const [i, part] of wanted.entries()) {
    const [, name, isGreedy] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (given[i] !== part) return undefined;
      continue;
    }
    // Segments after a parameter of several are as many as in the template.
    const rest = wanted.length - i - 1;
    const end = isGreedy ? given.length - rest : i + 1;
    const value = given.slice(i, end).join("/");
    if (value === "") return undefined;
    if (value !== part && value !== `{${name}}`) values.push([name, decodePercents(value) ?? value]);
    if (isGreedy) given.splice(i, end - i, value);
  }
  return given.length === wanted.length ? values : undefined;
}

function hasValues(params: Readonly<Record<string, string>>, values: Parameters): boolean {
  return values.every(([name, value]) => Object.hasOwn(params, name) && params[name] === value);
}
