/** `edgeproof diff`: the requests that two versions of the token rules treat differently. */

import { profiles } from "../../core/profiles.ts";
import {
  compareZones,
  type SideOfDifference,
  type ZoneComparison,
  type ZoneDifference,
} from "../../engine/tokens/analysis/compare-zones.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { formatJson, UsageError } from "../command.ts";
import type { diff } from "../declarations/diff.ts";
import type { InvocationOf } from "../declare.ts";
import { assertDecided } from "../input/imports/undecided.ts";
import {
  assertSameProfile,
  assertValidZones,
  readWorldZones,
  type WorldZones,
} from "../input/zone-inputs.ts";

interface ComparedZone {
  readonly zone: string;
  readonly comparison: ZoneComparison;
  /** What could change the comparison. */
  readonly undecided: readonly string[];
}

/** A zone that is missing from a world has no rules, so it allows every request. */
const emptyZone: ZoneInput = { configs: [], rules: [] };

export async function run({ options, words, io }: InvocationOf<typeof diff>): Promise<number> {
  const [oldFile = "", newFile = ""] = words;
  const only = options.zone;
  const oldWorld = await readWorldZones(oldFile, options, io);
  const newWorld = await readWorldZones(newFile, options, io);
  const zones = only === undefined ? undefined : new Set([only]);
  const undecided = [...oldWorld.source.undecided, ...newWorld.source.undecided];
  assertDecided(undecided, options, zones);
  assertValidZones(oldWorld, "compared", only);
  assertValidZones(newWorld, "compared", only);
  assertSameProfile(oldWorld, newWorld);
  const { precedence } = profiles[newWorld.profile];
  const compared = zoneIds([oldWorld, newWorld], only).map((zone): ComparedZone => {
    const [left, right] = [zoneOf(oldWorld, zone), zoneOf(newWorld, zone)];
    const comparison = compareZones(left, right, { precedence });
    return { zone, comparison, undecided: couldChange(undecided, { zone }).map(({ message }) => message) };
  });
  io.stdout.write(options.json ? formatJson(compared.map(asJson)) : asText(compared));
  return compared.every(({ comparison }) => comparison.result === "equivalent") ? 0 : 1;
}

function zoneIds(worlds: readonly WorldZones[], only: string | undefined): readonly string[] {
  const all = [...new Set(worlds.flatMap(({ zones }) => zones.map(({ id }) => id)))];
  if (only === undefined) return all;
  if (all.includes(only)) return [only];
  const known = all.map((id) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(
    `no zone \`${only}\` has token validation in either file; zones with token validation: ${known}`,
  );
}

function zoneOf({ zones }: WorldZones, id: string): ZoneInput {
  return zones.find((zone) => zone.id === id)?.input ?? emptyZone;
}

function asJson({ zone, comparison, undecided }: ComparedZone) {
  return { zone, ...comparison, ...(undecided.length > 0 && { undecided }) };
}

function asText(compared: readonly ComparedZone[]): string {
  if (compared.length === 0) return "no zone has token validation\n";
  return `${compared.flatMap(describeZone).join("\n")}\n`;
}

function describeZone({ zone, comparison, undecided }: ComparedZone): readonly string[] {
  const marks = undecided.map((message) => `  could change: ${message}`);
  return [...describe(zone, comparison), ...marks];
}

function describe(zone: string, comparison: ZoneComparison): readonly string[] {
  if (comparison.result === "equivalent") return [`zone ${zone}: equivalent for every request`];
  if (comparison.result === "undecided") return [`zone ${zone}: undecided: ${comparison.reason}`];
  return [`zone ${zone}: different`, ...comparison.differences.flatMap(describeDifference)];
}

function describeDifference({ request, placeholderTokens, left, right }: ZoneDifference): readonly string[] {
  return [
    "",
    `  ${request.method} ${request.url}`,
    ...request.headers.map(([name, value]) => `  ${name}: ${value}`),
    ...placeholderTokens.map(
      ({ value, kid, alg }) => `    (${value} is a placeholder for a valid token: kid ${kid}, alg ${alg})`,
    ),
    `    old: ${describeSide(left)}`,
    `    new: ${describeSide(right)}`,
  ];
}

function describeSide({ action, rule, tokens }: SideOfDifference): string {
  const states = Object.entries(tokens).map(([id, state]) => `token of ${id} ${state}`);
  return [action, ...(rule === undefined ? [] : [`by ${rule}`]), ...states].join(", ");
}
