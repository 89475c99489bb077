/** The operations that rules cover, or the hosts when a zone lists no operations. */

import { findRoute } from "../../zone/router.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import type { Meter } from "../budget.ts";
import { coversOperation, type HostClass, hostClasses } from "../requests/host-classes.ts";
import { routerOf, samplePath, unusedSegment } from "../requests/partition.ts";

/** An operation on hosts of one class, or all requests to these hosts when the zone lists no operations. */
export interface CoveredOperation {
  readonly hosts: HostClass;
  /** Absent: any request. */
  readonly operation?: ReadOperation;
}

/** A rule with the operations that it covers. */
export interface RuleCoverage {
  readonly rule: ReadRule;
  readonly covered: readonly CoveredOperation[];
}

/** The coverage of all rules in order, enabled or not; rules share the objects of the operations. */
export function coverageOfRules(zone: ReadZone, meter: Meter): RuleCoverage[] {
  const all = allOperations(zone, hostClasses([zone], meter));
  return zone.rules.map((rule) => {
    return { rule, covered: all.filter(({ hosts, operation }) => coversOperation(rule, hosts, operation)) };
  });
}

/** Operations that some request matches: with templates of hosts, operations of other hosts can take precedence. */
export function allOperations(zone: ReadZone, classes: readonly HostClass[]): CoveredOperation[] {
  const router = routerOf(zone);
  if (router === undefined || zone.operations === undefined) {
    return classes.filter(({ host }) => host !== undefined).map((hosts) => ({ hosts }));
  }
  const segment = unusedSegment([zone]);
  const { operations } = zone;
  return classes.flatMap((hosts) => {
    const matching = operations.filter(({ host }) => hosts.matching.has(host));
    const reached =
      hosts.matching.size === 1
        ? matching
        : matching.filter((operation) => {
            const path = samplePath(operation.segments, segment);
            return findRoute(router, hosts.sample, operation.method, path) === operation;
          });
    return reached.map((operation) => ({ hosts, operation }));
  });
}
