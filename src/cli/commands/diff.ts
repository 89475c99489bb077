/** `edgeproof diff`: the requests that two versions of the token rules treat differently. */

import { profiles } from "../../core/profiles.ts";
import { compareZones } from "../../engine/tokens/analysis/compare-zones.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { type CommandDefinition, type CommandInput, type Io, stringOption, UsageError } from "../command.ts";
import { importOptions, partialOption } from "../input/imports/import-options.ts";
import { profileOption } from "../input/world-file.ts";
import { assertSameProfile, readValidZones, type ValidZones, type WorldZones } from "../input/zone-inputs.ts";
import type { Accepted } from "../output/report/exit-code.ts";
import {
  acceptOptions,
  formatOptions,
  printReport,
  readAccepted,
  readFormat,
} from "../output/report/formats.ts";
import { type ComparedZone, diffReport, printJson, printText } from "../output/results/diff.ts";
import { invalidReasons } from "../output/results/undecided.ts";

export const diff: CommandDefinition = {
  about: [
    "The comparison covers all possible requests, not samples. For each difference it shows a request and its treatment by the old and the new rules. A placeholder in a header represents a valid token; the output names the key that must sign it.",
  ],
  positionals: "<old.json> <new.json>",
  options: {
    zone: { type: "string", value: "id", help: "Only this zone. Default: all zones." },
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...importOptions,
    ...partialOption,
  },
  exits: {
    0: "Rules were compared, and both worlds take the same action for every request.",
    1: "They differ, a comparison is undecided, or there was nothing to compare.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof diff old.json new.json",
    "edgeproof diff terraform.tfstate plan.json",
    "edgeproof diff old.json new.json --zone z1 --json",
  ],
  run: runDiff,
};

/** A zone that is missing from a world has no rules, so it allows every request. */
const emptyZone: ZoneInput = { configs: [], rules: [] };

async function runDiff(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const [oldFile, newFile, ...more] = input.positionals;
  if (oldFile === undefined || newFile === undefined || more.length > 0)
    throw new UsageError(
      `expected 2 world files; found ${input.positionals.length}: \`edgeproof diff old.json new.json\``,
    );
  const only = stringOption(input, "zone");
  const oldWorld = await readValidZones(oldFile, input, io, only);
  const newWorld = await readValidZones(newFile, input, io, only);
  assertSameProfile(oldWorld, newWorld);
  const accepted = readAccepted(input);
  const compared = zoneIds([oldWorld, newWorld], only).map((zone) =>
    compare(zone, oldWorld, newWorld, accepted),
  );
  const printing = {
    format,
    text: () => printText(compared),
    json: () => printJson(compared),
    ...accepted,
  };
  return printReport(diffReport(compared, oldWorld, newWorld), printing, io);
}

function compare(
  zone: string,
  oldWorld: ValidZones,
  newWorld: ValidZones,
  { partial = false }: Accepted,
): ComparedZone {
  const worlds = [oldWorld, newWorld] as const;
  const [left, right] = [zoneOf(oldWorld, zone), zoneOf(newWorld, zone)];
  const owners = worlds.filter(({ ids }) => ids.includes(zone));
  const [owner] = owners;
  const base = {
    zone,
    rules: Math.max(left.rules.length, right.rules.length),
    ...(owner && owners.length === 1 && { onlyIn: owner.file }),
  };
  const invalid = worlds.flatMap((world) =>
    invalidReasons(zone, world.invalid.get(zone) ?? [], world.source),
  );
  const unknown = worlds.flatMap(({ source }) => couldChange(source.undecided, { zone }));
  const undecided = [...invalid, ...unknown];
  if (invalid.length > 0 || (unknown.length > 0 && !partial))
    return {
      ...base,
      undecided,
      comparison: { result: "undecided", reason: "a world is undecided or invalid" },
    };
  const { precedence } = profiles[newWorld.profile];
  return { ...base, undecided, comparison: compareZones(left, right, { precedence }) };
}

function zoneIds(worlds: readonly ValidZones[], only: string | undefined): readonly string[] {
  const idsOf = ({ zones, invalid }: ValidZones) => [...zones.map(({ id }) => id), ...invalid.keys()];
  const all = [...new Set(worlds.flatMap(idsOf))];
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
