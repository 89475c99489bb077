/** The operations that rules cover, or the hosts when a zone lists no operations. */

import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";

/** An operation, or all requests to a host when the zone lists no operations. */
export interface CoveredOperation {
  readonly host: string;
  /** Absent: any method. */
  readonly method?: string;
  readonly operationId?: string;
}

/** A rule with the operations that it covers. */
export interface RuleCoverage {
  readonly rule: ReadRule;
  readonly covered: readonly CoveredOperation[];
}

/** The coverage of all rules in order, enabled or not; rules share the objects of the operations. */
export function coverageOfRules(zone: ReadZone): RuleCoverage[] {
  const all = allOperations(zone);
  return zone.rules.map((rule) => {
    const [hosts, excluded] = [new Set(rule.hosts), new Set(rule.excluded)];
    const covered = all.filter(
      ({ host, operationId }) => hosts.has(host) && (operationId === undefined || !excluded.has(operationId)),
    );
    return { rule, covered };
  });
}

/** Whether a rule covers an operation, enabled or not. */
export function covers({ hosts, excluded }: ReadRule, { host, operationId }: CoveredOperation): boolean {
  return hosts.includes(host) && (operationId === undefined || !excluded.includes(operationId));
}

function allOperations({ operations, rules }: ReadZone): CoveredOperation[] {
  if (operations === undefined)
    return [...new Set(rules.flatMap(({ hosts }) => hosts))].map((host) => ({ host }));
  return operations.map(({ operation, host, method }) => {
    return { host, method, operationId: operation.operation_id };
  });
}
