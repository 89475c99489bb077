/** Compares a zone with a mutant of it, as far as the two can differ. */

import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import { compareReadZones, type ZoneComparison } from "../../analysis/compare-zones.ts";
import { coversOperation } from "../../analysis/requests/host-classes.ts";
import { intersection } from "../../analysis/requests/partition.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { isHostTemplate } from "../../zone/host-template.ts";
import type { ReadOperation, ReadZone } from "../../zone/zone-input.ts";
import type { SuiteOptions } from "../suite-model.ts";
import { createHostClass } from "../zone-classes.ts";
import { applyChange } from "./change.ts";
import type { Mutant } from "./mutant.ts";

/** The number of differences of which one must have tokens of the zone's own keys. */
const maxDifferences = 4;

/** Why no difference can be a request of a suite. */
export const unusableTokens =
  "only a token of a key that the zone does not have, or with times of its own, could show it";

/** The operation that a mutant changes. */
export function originalOf({ operations }: ReadZone, { change }: Mutant): ReadOperation | undefined {
  return change.part === "operation" ? operations?.[change.index] : undefined;
}

/** Compares the decisions. */
export function compareWithMutant(
  whole: ReadZone,
  mutant: Mutant,
  { precedence = "all", maxSteps }: SuiteOptions,
): ZoneComparison {
  const zone = nearby(whole, mutant);
  if (isWithoutRules(zone, mutant, precedence)) return { result: "equivalent" };
  const original = originalOf(whole, mutant);
  const index = original === undefined ? -1 : (zone.operations?.indexOf(original) ?? -1);
  const change = mutant.change.part === "operation" ? { ...mutant.change, index } : mutant.change;
  return compareReadZones([zone, applyChange(zone, change)], {
    precedence,
    maxDifferences,
    observation: "decision",
    ...(maxSteps !== undefined && { maxSteps }),
  });
}

/** The operations that can match some of the same requests as the changed one, and the rules of their hosts. */
function nearby(zone: ReadZone, { change }: Mutant): ReadZone {
  if (change.part !== "operation") return zone;
  const { operations = [], rules } = zone;
  const own = [operations[change.index], change.changed].filter((operation) => operation !== undefined);
  const near = operations.filter((other) =>
    own.some((operation) => operation === other || canOverlap(operation, other)),
  );
  const hosts = new Set(near.map(({ host }) => host));
  const isTemplate = near.some(({ host }) => isHostTemplate(host));
  return {
    ...zone,
    operations: near,
    rules: rules.filter((rule) => isTemplate || rule.hosts.some((host) => hosts.has(host))),
  };
}

/** Whether no rule is evaluated for the only operation that can match the requests, before the change and after it. */
function isWithoutRules(
  { operations = [], rules }: ReadZone,
  { change }: Mutant,
  precedence: Precedence,
): boolean {
  const [only, ...others] = operations;
  if (change.part !== "operation" || only === undefined || others.length > 0) return false;
  if (isHostTemplate(only.host)) return false;
  const hosts = createHostClass(only.host, []);
  return (
    evaluatedRules(
      rules.filter((rule) => coversOperation(rule, hosts, only)),
      precedence,
    ).length === 0
  );
}

function canOverlap(left: ReadOperation, right: ReadOperation): boolean {
  const isOneHost = left.host === right.host || isHostTemplate(left.host) || isHostTemplate(right.host);
  return (
    isOneHost && left.method === right.method && intersection(left.segments, right.segments) !== undefined
  );
}
