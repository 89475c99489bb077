/** The classes of requests that the same operation matches, with the rules that cover them. */

import type { Meter } from "../analysis/budget.ts";
import { coversOperation, type HostClass } from "../analysis/requests/host-classes.ts";
import { comparesPath, partitionRequests } from "../analysis/requests/partition.ts";
import type { Assumptions } from "../analysis/requests/variables.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../zone/zone-input.ts";

/** Requests to hosts of one class that one operation matches, or all of them when the zone lists no operations. */
export interface ZoneClass {
  readonly hosts: HostClass;
  readonly operation: ReadOperation | undefined;
  readonly assumptions: Assumptions;
  /** The rules that cover the requests, in order, enabled or not. */
  readonly rules: readonly ReadRule[];
}

/** All classes of a zone, also those that no rule covers. */
export function classesOf(zone: ReadZone, meter: Meter): ZoneClass[] {
  const hosts = hostsOf(zone);
  const [first] = zone.rules;
  if (first === undefined) return [];
  // One rule that covers everything: every class has a rule, and is listed once.
  const everything: ReadZone = {
    ...zone,
    rules: [{ ...(zone.rules.find(comparesPath) ?? first), hosts, excluded: [] }],
  };
  const listed = [...partitionRequests([everything, everything], meter)];
  return listed.flatMap(({ hosts: hostClass, operations: [operation], assumptions }) =>
    zone.operations !== undefined && operation === undefined
      ? []
      : [
          {
            hosts: hostClass,
            operation,
            assumptions,
            rules: zone.rules.filter((rule) => coversOperation(rule, hostClass, operation)),
          },
        ],
  );
}

/** The rules of a mutant that cover a class; `positions` are those of the mutant's rules. */
export function rulesOfMutant(
  { hosts, operation, rules }: ZoneClass,
  touched: readonly ReadRule[],
  positions: ReadonlyMap<string, number>,
): readonly ReadRule[] {
  const ids = new Set(touched.map(({ rule }) => rule.id));
  const kept = rules.filter(({ rule }) => !ids.has(rule.id));
  const changed = touched.filter((rule) => coversOperation(rule, hosts, operation));
  const position = ({ rule }: ReadRule) => positions.get(rule.id) ?? 0;
  return [...kept, ...changed].sort((a, b) => position(a) - position(b));
}

/** The hosts of rules and operations, in normal form. */
export function hostsOf({ rules, operations = [] }: ReadZone): readonly string[] {
  return [...new Set([...rules.flatMap(({ hosts }) => hosts), ...operations.map(({ host }) => host)])];
}
