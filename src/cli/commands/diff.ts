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
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../command.ts";
import { importOptions, partialOption } from "../input/imports/import-options.ts";
import { assertDecided } from "../input/imports/undecided.ts";
import { profileOption } from "../input/world-file.ts";
import {
  assertSameProfile,
  assertValidZones,
  readWorldZones,
  type WorldZones,
} from "../input/zone-inputs.ts";

export const diff: CommandDefinition = {
  about: [
    "The comparison covers all possible requests, not samples. For each difference it shows a request and its treatment by the old and the new rules. A placeholder in a header represents a valid token; the output names the key that must sign it.",
  ],
  positionals: "<old.json> <new.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    ...jsonOption,
    ...profileOption,
    ...importOptions,
    ...partialOption,
  },
  exits: {
    0: "Both worlds take the same action for every request.",
    1: "They differ, or the comparison is undecided.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof diff old.json new.json",
    "edgeproof diff terraform.tfstate plan.json",
    "edgeproof diff old.json new.json --zone z1 --json",
  ],
  run: runDiff,
};

interface ComparedZone {
  readonly zone: string;
  readonly comparison: ZoneComparison;
  /** What could change the comparison. */
  readonly undecided: readonly string[];
}

/** A zone that is missing from a world has no rules, so it allows every request. */
const emptyZone: ZoneInput = { configs: [], rules: [] };

async function runDiff(input: CommandInput, io: Io): Promise<number> {
  const [oldFile, newFile, ...more] = input.positionals;
  if (oldFile === undefined || newFile === undefined || more.length > 0)
    throw new UsageError(
      `expected 2 world files; found ${input.positionals.length}: \`edgeproof diff old.json new.json\``,
    );
  const only = stringOption(input, "zone");
  const oldWorld = await readWorldZones(oldFile, input, io);
  const newWorld = await readWorldZones(newFile, input, io);
  const zones = only === undefined ? undefined : new Set([only]);
  const undecided = [...oldWorld.source.undecided, ...newWorld.source.undecided];
  assertDecided(undecided, input, zones);
  assertValidZones(oldWorld, "compared", only);
  assertValidZones(newWorld, "compared", only);
  assertSameProfile(oldWorld, newWorld);
  const { precedence } = profiles[newWorld.profile];
  const compared = zoneIds([oldWorld, newWorld], only).map((zone): ComparedZone => {
    const [left, right] = [zoneOf(oldWorld, zone), zoneOf(newWorld, zone)];
    const comparison = compareZones(left, right, { precedence });
    return { zone, comparison, undecided: couldChange(undecided, { zone }).map(({ message }) => message) };
  });
  io.stdout.write(booleanOption(input, "json") ? formatJson(compared.map(asJson)) : asText(compared));
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
