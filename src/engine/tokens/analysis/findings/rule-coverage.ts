/** Which rules cover what, for an analysis: the operations of a zone, or its hosts when it lists no operations. */

import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";

/** Something that rules cover alike, request by request. */
export interface Covered {
  readonly host: string;
  /** Absent: any method. */
  readonly method?: string;
  readonly operationId?: string;
}

/** For each rule, in order, everything in its zone that it covers, enabled or not. */
export function surveyRules(zone: ReadZone): (readonly Covered[])[] {
  const all = coverable(zone);
  return zone.rules.map(({ hosts, excluded }) => {
    const [included, left] = [new Set(hosts), new Set(excluded)];
    return all.filter(
      ({ host, operationId }) => included.has(host) && (operationId === undefined || !left.has(operationId)),
    );
  });
}

/** Whether a rule covers something, enabled or not. */
export function covers({ hosts, excluded }: ReadRule, { host, operationId }: Covered): boolean {
  return hosts.includes(host) && (operationId === undefined || !excluded.includes(operationId));
}

function coverable({ operations, rules }: ReadZone): Covered[] {
  if (operations === undefined)
    return [...new Set(rules.flatMap(({ hosts }) => hosts))].map((host) => ({ host }));
  return operations.map(({ operation, host, method }) => {
    return { host, method, operationId: operation.operation_id };
  });
}
