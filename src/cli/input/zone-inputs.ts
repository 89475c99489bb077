/** The token validation of the zones of a world file, for commands that analyze rules. */

import type { Profile } from "../../core/profiles.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../errors.ts";
import { parseWorld } from "../../service/world/parse.ts";
import type { ParsedWorld } from "../../service/world/part.ts";
import { type CommandInput, type Io, UsageError } from "../command.ts";
import { printFaults } from "../output/places.ts";
import { readWorldSource, type WorldSource } from "./imports/world-source.ts";
import { invalidWorldError, printWorldNotes, profileOf } from "./world-file.ts";

/** A zone with token validation. */
export interface WorldZone {
  readonly id: string;
  /** Domain of the zone; absent when the world does not have it. */
  readonly name?: string;
  /** RFC 6901 pointer of its token validation in the world file. */
  readonly at: string;
  /** Valid except for its expressions and keys, which the engine validates. */
  readonly input: ZoneInput;
}

/** A world file with its zones. */
export interface WorldZones {
  readonly file: string;
  readonly source: WorldSource;
  /** That of the command line, else that of the file, else `spec`. */
  readonly profile: Profile;
  readonly zones: readonly WorldZone[];
}

/** @throws {UsageError} when the file is not JSON, not YAML, or not a valid world */
export async function readWorldZones(file: string, input: CommandInput, io: Io): Promise<WorldZones> {
  const source = await readWorldSource(file, input, io);
  const parsed = parseWorld(source.value);
  if (!parsed.ok) throw invalidWorldError(file, source, parsed.problems);
  const { world, notes } = parsed.value;
  printWorldNotes(notes, io);
  const zones = (world.zones ?? []).flatMap(({ id, name, token_validation: validation }, i) => {
    if (validation === undefined) return [];
    const at = pointer("zones", i, "token_validation");
    return [{ id, ...(name !== undefined && { name }), at, input: zoneInput(validation) }];
  });
  return { file, source, profile: profileOf(input, world) ?? "spec", zones };
}

/** Two profiles have different precedences of rules. @throws {UsageError} */
export function assertSameProfile(oldWorld: WorldZones, newWorld: WorldZones): void {
  if (oldWorld.profile === newWorld.profile) return;
  const found = [oldWorld, newWorld].map(({ file, profile }) => `${file} has \`${profile}\``).join(", ");
  throw new UsageError(`both world files must have the same profile; ${found}; choose one with --profile`);
}

type Validation = NonNullable<NonNullable<ParsedWorld["zones"]>[number]["token_validation"]>;

/** Ids in lower case, as the service stores them; a rule without an id gets its position as one. */
export function zoneInput({ configs = [], rules = [], operations }: Validation): ZoneInput {
  const input = {
    configs: configs.map((config) => ({ ...config, id: config.id.toLowerCase() })),
    rules: rules.map((rule, i) => ({ ...rule, id: rule.id?.toLowerCase() ?? `rule ${i + 1}` })),
    ...(operations && { operations }),
  };
  return input as unknown as ZoneInput;
}

/**
 * Checks the expressions and keys of the zones, or of one zone.
 *
 * @param action what cannot be done with an invalid zone, such as "compared"
 * @throws {UsageError} for a zone with invalid expressions or keys
 */
export function assertValidZones({ file, source, zones }: WorldZones, action: string, only?: string): void {
  const faults = zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap(({ at, input }) =>
      checkZone(input).map(({ pointer: within = "", message }) => ({
        at: source.place(at + within),
        message,
      })),
    );
  if (faults.length > 0) throw new UsageError(`${file} cannot be ${action}:\n${printFaults(faults)}`);
}

/** The zones with token validation, or one of them. @throws {UsageError} when it does not exist */
export function selectZones({ zones }: WorldZones, only: string | undefined): readonly WorldZone[] {
  const selected = zones.filter(({ id }) => only === undefined || id === only);
  if (only === undefined || selected.length > 0) return selected;
  const known = zones.map(({ id }) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(`no zone \`${only}\` has token validation; zones with token validation: ${known}`);
}
