/** Says why no rule was evaluated for a request, with the closest host and operation of the zone. */

import { didYouMean, nearest } from "../../../core/suggest.ts";
import { quote } from "../../../errors.ts";
import type { StepResult } from "../rulesets/run.ts";
import { isHostTemplate, matchesHost } from "../zone/host-template.ts";
import type { ReadOperation, ReadZone } from "../zone/zone-input.ts";
import type { Outcome, PlainVerdict } from "./verdict.ts";

/** An outcome without any evaluated rule. */
export type UnevaluatedOutcome = Extract<Outcome, "not_an_operation" | "no_rule">;

/** The outcome when no rule was evaluated, neither a token rule nor a custom one; else undefined. */
export function unevaluatedOutcome(
  verdict: Pick<PlainVerdict, "outcome" | "custom">,
): UnevaluatedOutcome | undefined {
  const { outcome } = verdict;
  if (outcome !== "not_an_operation" && outcome !== "no_rule") return undefined;
  const isEvaluated = verdict.custom?.rules.some(({ result }) => evaluatedResults.has(result));
  return isEvaluated ? undefined : outcome;
}

/** The results of custom rules that were evaluated. */
const evaluatedResults: ReadonlySet<StepResult> = new Set(["matched", "not_matched", "undecided"]);

/** The parts of a request that select its operation, as the router has them. */
export interface RequestTarget {
  readonly method: string;
  readonly host: string;
  readonly path: string;
}

/** The part of a zone that selects the rules of a request. */
export type TargetZone = Pick<ReadZone, "operations" | "rules">;

/** The reason of an outcome, without a full stop. */
export function describeUnevaluated(
  verdict: Pick<PlainVerdict, "operation" | "rules">,
  target: RequestTarget,
  zone: TargetZone,
): string {
  return verdict.operation === undefined
    ? describeNoOperation(target, zone.operations ?? [])
    : describeNoRule(verdict, target, zone);
}

function describeNoOperation(target: RequestTarget, operations: readonly ReadOperation[]): string {
  if (operations.length === 0) return "the zone's list of operations is empty";
  const { host, method, path } = target;
  const ofHost = operations.filter(
    (operation) => operation.host === host || matchesHost(operation.host, host),
  );
  if (ofHost.length === 0) {
    const hosts = new Set(operations.map(({ host }) => host).filter((name) => !isHostTemplate(name)));
    return `no operation has the host ${quote(host)}${didYouMean(host, [...hosts])}`;
  }
  const { operation_id: id, ...closest } = closestOperation(target, ofHost).operation;
  const printed = `${closest.method} ${closest.host}${closest.endpoint}`;
  return `no operation of the host ${quote(host)} matches ${quote(`${method} ${path}`)}; the closest is ${quote(id)}, ${quote(printed)}`;
}

/** Maximum length of the addresses that are compared, in code units: the cost is quadratic in it. */
const maxCompared = 100;

/** The operation with the fewest edits to the request; a variable is what the request has in its place. */
function closestOperation(
  { method, path }: RequestTarget,
  operations: readonly ReadOperation[],
): ReadOperation {
  const segments = path.split("/");
  const wanted = `${method} ${path}`.slice(0, maxCompared);
  const [closest] = nearest(wanted, operations, Infinity, (operation) => {
    const endpoint = operation.operation.endpoint.split("/");
    const filled = endpoint.map((segment, i) =>
      segment.startsWith("{") ? (segments[i] ?? segment) : segment,
    );
    return `${operation.method} ${filled.join("/")}`.slice(0, maxCompared);
  });
  return closest!;
}

function describeNoRule(
  { rules }: Pick<PlainVerdict, "rules">,
  { host }: RequestTarget,
  zone: TargetZone,
): string {
  if (rules.length > 0)
    return `every rule that matches is disabled: ${rules.map(({ id }) => quote(id)).join(", ")}`;
  if (zone.rules.length === 0) return "the zone has no rules";
  const hosts = [...new Set(zone.rules.flatMap((rule) => rule.hosts))];
  return hosts.some((candidate) => candidate === host || matchesHost(candidate, host))
    ? `the rules for the host ${quote(host)} exclude the operation`
    : `no rule includes the host ${quote(host)}${didYouMean(host, hosts)}`;
}
