/**
 * The steps that a request can match, by its host and method: the expressions of many rules are false for every other
 * host or method, so that a zone with many of them evaluates few.
 */

import type { Program } from "./program.ts";

/** The hosts and methods outside of which an expression is false; undefined when there is no such condition. */
export interface NeededTarget {
  readonly hosts: readonly string[] | undefined;
  readonly methods: readonly string[] | undefined;
}

/** Finds the steps for a host and a method, ascending. */
export type FindCandidates = (host: string, method: string) => readonly number[];

/** A name that no expression compares with. */
const other = "";

/** Compiles the index of a program. */
export function indexCandidates<E>(
  { steps }: Program<E>,
  neededBy: (expression: E) => NeededTarget,
): FindCandidates {
  const needed = steps.map(({ expression, rule }): NeededTarget => {
    // An `execute` that does not match skips the steps of its ruleset.
    if (expression === undefined || rule.action === "execute")
      return { hosts: undefined, methods: undefined };
    return neededBy(expression);
  });
  const hosts = new Set(needed.flatMap((one) => one.hosts ?? []));
  const methods = new Set(needed.flatMap((one) => one.methods ?? []));
  const found = new Map<string, readonly number[]>();
  return (host, method) => {
    // Only names in expressions are keys, so that requests cannot fill the map.
    const key = `${methods.has(method) ? method : other} ${hosts.has(host) ? host : other}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const list = [...steps.keys()].filter((i) => {
      const { hosts: ofHosts, methods: ofMethods } = needed[i] as NeededTarget;
      return (ofHosts?.includes(host) ?? true) && (ofMethods?.includes(method) ?? true);
    });
    found.set(key, list);
    return list;
  };
}
