/** The token validation of the zones of a world file, for commands that analyze rules. */

import type { Profile } from "../../core/profiles.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { type CodedDiagnostic, pointer } from "../../errors.ts";
import type { ParsedWorld } from "../../service/world/part.ts";
import { repeated } from "../../service/world/repeated.ts";
import { type WorldRulesets, zoneRulesets } from "../../service/world/rulesets/world-rulesets.ts";
import { ownerOfRules, parseValidParts } from "../../service/world/valid-parts.ts";
import { type Io, UsageError } from "../command.ts";
import type { ImportValues } from "../options/world.ts";
import { invalidZones, type LeftOut } from "./imports/left-out.ts";
import { readWorldSource, type WorldSource } from "./imports/world-source.ts";
import { invalidWorldError, printWorldNotes } from "./world-file.ts";

/** A zone with token validation or custom rules. */
export interface WorldZone {
  readonly id: string;
  /** Domain of the zone; absent when the world does not have it. */
  readonly name?: string;
  /** RFC 6901 pointer of its token validation in the world file. */
  readonly at: string;
  /** Valid except for its expressions and keys, which the engine validates. Has the custom rules of its account, too. */
  readonly input: ZoneInput;
  /** The RFC 6901 pointer in the world file of one into the input. */
  readonly pointerOf: (within: string) => string;
}

/** A world file with its zones. */
export interface WorldZones {
  readonly file: string;
  readonly source: WorldSource;
  /** That of the command line, else that of the file, else `spec`. */
  readonly profile: Profile;
  readonly zones: readonly WorldZone[];
  /** Ids of all zones, those without token validation included. */
  readonly ids: readonly string[];
}

/** A world file without its invalid parts. */
export interface ValidZones extends WorldZones {
  /** Those whose token validation is valid. */
  readonly zones: readonly WorldZone[];
  /** The zones whose token validation is not valid, and why. */
  readonly invalid: ReadonlyMap<string, readonly CodedDiagnostic[]>;
  /** The other invalid parts. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads the valid zones of a world file: an invalid one is no zone of the result.
 *
 * @param only the only zone that is asked for; absent for all
 * @throws {UsageError} when two zones have the same id, or no zone that is asked for is valid
 */
export async function readValidZones(
  word: string,
  options: ImportValues,
  io: Io,
  only?: string,
): Promise<ValidZones> {
  const source = await readWorldSource(word, options, io);
  const { file } = source;
  const parts: LeftOut[] = [];
  const parsed = parseValidParts(source.value, (pointer, problems) => parts.push({ pointer, problems }));
  if (!parsed.ok) throw invalidWorldError(file, source, parsed.problems);
  const { world, notes } = parsed.value;
  printWorldNotes(notes, io);
  const all = tokenZones(world, (zone) => zone.token_validation);
  const ids = (world.zones ?? []).map(({ id }) => id);
  const repeatedIds = repeated(ids, (i) => pointer("zones", i, "id"));
  if (repeatedIds.length > 0) throw invalidWorldError(file, source, repeatedIds);
  const invalid = new Map(invalidZones(parts, world));
  for (const { id, input: zone, pointerOf } of all) {
    const problems = checkZone(zone).map((one) => ({ ...one, pointer: pointerOf(one.pointer ?? "") }));
    if (problems.length > 0) invalid.set(id, problems);
  }
  const zones = all.filter(({ id }) => !invalid.has(id));
  const isAsked = (id: string) => only === undefined || id === only;
  const problems = [...invalid].flatMap(([id, own]) => (isAsked(id) ? own : []));
  if (problems.length > 0 && !zones.some(({ id }) => isAsked(id)))
    throw invalidWorldError(file, source, problems);
  const leftOut = parts.filter(({ pointer }) => ownerOfRules(pointer) === undefined);
  const profile = options.profile ?? world.profile ?? "spec";
  return { file, source, profile, zones, ids, invalid, leftOut };
}

/** Two profiles have different precedences of rules. @throws {UsageError} */
export function assertSameProfile(oldWorld: WorldZones, newWorld: WorldZones): void {
  if (oldWorld.profile === newWorld.profile) return;
  const found = [oldWorld, newWorld].map(({ file, profile }) => `${file} has \`${profile}\``).join(", ");
  throw new UsageError(`both world files must have the same profile; ${found}; choose one with --profile`);
}

/** The token validation of a zone as it is written. */
export type Validation = NonNullable<NonNullable<ParsedWorld["zones"]>[number]["token_validation"]>;

/** The zones of a world of which `validationOf` returns the token validation, or that have custom rules. */
export function tokenZones(
  world: ParsedWorld,
  validationOf: (zone: NonNullable<ParsedWorld["zones"]>[number], index: number) => Validation | undefined,
): readonly WorldZone[] {
  return (world.zones ?? []).flatMap((zone, i) => {
    const validation = validationOf(zone, i);
    const custom = zoneRulesets(world, i);
    if (validation === undefined && !hasRulesets(custom)) return [];
    const name = zone.name !== undefined && { name: zone.name };
    const at = pointer("zones", i, "token_validation");
    const input = { ...zoneInput(validation ?? {}), ...custom.input };
    const pointerOf = (within: string) => (isCustom(within) ? custom.pointerOf(within) : at + within);
    return [{ id: zone.id, ...name, at, input, pointerOf }];
  });
}

function hasRulesets({ input }: WorldRulesets): boolean {
  return input.rulesets !== undefined || input.account_rulesets !== undefined;
}

/** Whether a pointer into the input of a zone is to its custom rules or lists. */
function isCustom(within: string): boolean {
  return /^\/(?:rulesets|account_rulesets|lists)(?=\/|$)/.test(within);
}

/** The zones with rules of a value that may be a world; none when it is not valid. */
export function tokenZonesOf(value: unknown): readonly WorldZone[] {
  const parsed = parseValidParts(value, () => {});
  return parsed.ok ? tokenZones(parsed.value.world, (zone) => zone.token_validation) : [];
}

/** Ids in lower case, as the service stores them; a rule without an id gets its position as one. */
export function zoneInput({ configs = [], rules = [], operations }: Validation): ZoneInput {
  const input = {
    configs: configs.map((config) => ({ ...config, id: config.id.toLowerCase() })),
    rules: rules.map((rule, i) => ({ ...rule, id: rule.id?.toLowerCase() ?? `rule ${i + 1}` })),
    ...(operations && { operations }),
  };
  return input as unknown as ZoneInput;
}

/** The zones with rules, or one of them. @throws {UsageError} when it does not exist */
export function selectZones({ zones }: WorldZones, only: string | undefined): readonly WorldZone[] {
  const selected = zones.filter(({ id }) => only === undefined || id === only);
  if (only === undefined || selected.length > 0) return selected;
  const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(`no zone \`${only}\` has rules; zones with rules: ${known}`);
}
