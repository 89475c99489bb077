/** The classes of requests that the same operation matches, with the rules that cover them. */

import type { Meter } from "../analysis/budget.ts";
import { coversOperation, type HostClass } from "../analysis/requests/host-classes.ts";
import { comparesPath, partitionRequests } from "../analysis/requests/partition.ts";
import type { Assumptions } from "../analysis/requests/variables.ts";
import type { SimulatedRequest } from "../model.ts";
import { readRequest } from "../zone/request.ts";
import { findRoute, type Router } from "../zone/router.ts";
import type { ReadOperation, ReadRule, ReadZone } from "../zone/zone-input.ts";

/** Requests to hosts of one class that one operation matches, or all of them when the zone lists no operations. */
export interface ZoneClass {
  readonly hosts: HostClass;
  readonly operation: ReadOperation | undefined;
  readonly assumptions: Assumptions;
  /** The rules that cover the requests, in order, enabled or not. */
  readonly rules: readonly ReadRule[];
}

/** All classes of a zone, also those that no rule covers; `readsPath` is whether custom rules compare paths. */
export function classesOf(zone: ReadZone, meter: Meter, readsPath = false): ZoneClass[] {
  const hosts = hostsOf(zone);
  const [first] = zone.rules;
  if (first === undefined) return [];
  // One rule that covers everything: every class has a rule, and is listed once.
  const everything: ReadZone = {
    ...zone,
    rules: [{ ...(zone.rules.find(comparesPath) ?? first), hosts, excluded: [] }],
  };
  const listed = [...partitionRequests([everything, everything], meter, { readsPath })];
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

/** The hosts of rules and operations, in normal form. */
export function hostsOf({ rules, operations = [] }: ReadZone): readonly string[] {
  return [...new Set([...rules.flatMap(({ hosts }) => hosts), ...operations.map(({ host }) => host)])];
}

/** The class of one host. */
export function createHostClass(host: string, matching: readonly string[]): HostClass {
  return {
    key: host,
    host,
    sample: host,
    matching: new Set([host, ...matching]),
    restriction: { values: [host] },
  };
}

/** Creates a function that finds the class of a request that was not generated; undefined when no operation matches it. */
export function createClassFinder(
  zone: ReadZone,
  router: Router<ReadOperation> | undefined,
): (request: SimulatedRequest) => ZoneClass | undefined {
  const classes = new Map<string, ZoneClass>();
  return (request) => {
    const { host, method, path } = readRequest(request, zone.normalization);
    const operation = router && findRoute(router, host, method, path);
    if (router !== undefined && operation === undefined) return undefined;
    const key = JSON.stringify([host, operation?.operation.operation_id]);
    const known = classes.get(key);
    if (known !== undefined) return known;
    const hosts = createHostClass(host, operation === undefined ? [] : [operation.host]);
    const rules = zone.rules.filter((rule) => coversOperation(rule, hosts, operation));
    const found: ZoneClass = { hosts, operation, assumptions: {}, rules };
    classes.set(key, found);
    return found;
  };
}
