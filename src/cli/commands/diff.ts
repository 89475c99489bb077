/** `edgeproof diff`: the requests that two versions of the custom and token rules treat differently. */

import { profiles } from "../../core/profiles.ts";
import { compareZones } from "../../engine/tokens/analysis/compare-zones.ts";
import type { Observation } from "../../engine/tokens/analysis/observation.ts";
import { customPhase } from "../../engine/tokens/rulesets/model.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { UsageError } from "../command.ts";
import type { diff } from "../declarations/diff.ts";
import type { InvocationOf } from "../declare.ts";
import type { WorldZones } from "../input/world-zones.ts";
import { assertSameProfile, readValidZones, type ValidZones } from "../input/zone-inputs.ts";
import { printReport } from "../output/report/formats.ts";
import { type ComparedZone, diffReport, printJson, printText, type Titles } from "../output/results/diff.ts";
import { invalidReasons } from "../output/results/undecided.ts";

/** A zone that is missing from a world has no rules, so it allows every request. */
const emptyZone: ZoneInput = { configs: [], rules: [] };

export async function run({ options, words, io }: InvocationOf<typeof diff>): Promise<number> {
  const [oldFile = "", newFile = ""] = words;
  const only = options.zone;
  const oldWorld = await readValidZones(oldFile, options, io, only);
  const newWorld = await readValidZones(newFile, options, io, only);
  assertSameProfile(oldWorld, newWorld);
  const { effect = "effect", partial = false } = options;
  const compared = zoneIds([oldWorld, newWorld], only).map((zone) =>
    compare(zone, [oldWorld, newWorld], { observation: effect, partial }),
  );
  const printing = { ...options, text: () => printText(compared), json: () => printJson(compared) };
  return printReport(diffReport(compared, oldWorld, newWorld), printing, io);
}

function compare(
  zone: string,
  worlds: readonly [oldWorld: ValidZones, newWorld: ValidZones],
  { observation, partial }: { readonly observation: Observation; readonly partial: boolean },
): ComparedZone {
  const [oldWorld, newWorld] = worlds;
  const [left, right] = [zoneOf(oldWorld, zone), zoneOf(newWorld, zone)];
  const owners = worlds.filter(({ ids }) => ids.includes(zone));
  const [owner] = owners;
  const base = {
    zone,
    rules: Math.max(countRules(left), countRules(right)),
    titles: [titlesOf(left), titlesOf(right)] as const,
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
  return { ...base, undecided, comparison: compareZones(left, right, { precedence, observation }) };
}

function zoneIds(worlds: readonly ValidZones[], only: string | undefined): readonly string[] {
  const idsOf = ({ zones, invalid }: ValidZones) => [...zones.map(({ id }) => id), ...invalid.keys()];
  const all = [...new Set(worlds.flatMap(idsOf))];
  if (only === undefined) return all;
  if (all.includes(only)) return [only];
  const known = all.map((id) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(`no zone \`${only}\` has rules in either file; zones with rules: ${known}`);
}

/** The rules that are compared: token rules, and custom rules of the phase that is evaluated. */
function countRules({ rules, rulesets = [], account_rulesets = [] }: ZoneInput): number {
  const custom = [...account_rulesets, ...rulesets].filter(({ phase }) => phase === customPhase);
  return custom.reduce((sum, ruleset) => sum + (ruleset.rules?.length ?? 0), rules.length);
}

/** Custom rules have descriptions for titles. */
function titlesOf({ configs, rules, rulesets = [], account_rulesets = [] }: ZoneInput): Titles {
  const custom = [...account_rulesets, ...rulesets].flatMap((ruleset) => ruleset.rules ?? []);
  return new Map([
    ...[...configs, ...rules].flatMap(({ id, title }) => (title ? [[id, title] as const] : [])),
    ...custom.flatMap(({ id, description }) => (description ? [[id, description] as const] : [])),
  ]);
}

function zoneOf({ zones }: WorldZones, id: string): ZoneInput {
  return zones.find((zone) => zone.id === id)?.input ?? emptyZone;
}
