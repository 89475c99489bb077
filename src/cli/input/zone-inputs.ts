/** The token validation of the zones of a world file, for commands that analyze rules. */

import { profiles } from "../../core/profiles.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import { type CodedDiagnostic, pointer } from "../../errors.ts";
import { repeated } from "../../service/world/repeated.ts";
import { tokenZones, type WorldZone } from "../../service/world/rulesets/world-zones.ts";
import { ownerOfRules, parseValidParts } from "../../service/world/valid-parts.ts";
import { type Io, UsageError } from "../command.ts";
import type { ImportValues } from "../options/world.ts";
import { invalidZones, type LeftOut } from "./imports/left-out.ts";
import { readWorldSource } from "./imports/world-source.ts";
import { invalidWorldError, printWorldNotes } from "./world-problems.ts";
import type { WorldZones } from "./world-zones.ts";

/** A world file without its invalid parts. */
export interface ValidZones extends WorldZones {
  /** The zones whose token validation is valid. */
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
  const all = tokenZones(world, options.profile, (zone) => zone.token_validation);
  const ids = (world.zones ?? []).map(({ id }) => id);
  const repeatedIds = repeated(ids, (i) => pointer("zones", i, "id"));
  if (repeatedIds.length > 0) throw invalidWorldError(file, source, repeatedIds);
  const profile = options.profile ?? world.profile ?? "spec";
  const { sharedSecrets } = profiles[profile];
  const invalid = new Map(invalidZones(parts, world));
  for (const { id, input: zone, pointerOf } of all) {
    const problems = checkZone(zone, { sharedSecrets }).map((diagnostic) => {
      return { ...diagnostic, pointer: pointerOf(diagnostic.pointer ?? "") };
    });
    if (problems.length > 0) invalid.set(id, problems);
  }
  const zones = all.filter(({ id }) => !invalid.has(id));
  const isAsked = (id: string) => only === undefined || id === only;
  const problems = [...invalid].flatMap(([id, own]) => (isAsked(id) ? own : []));
  if (problems.length > 0 && !zones.some(({ id }) => isAsked(id)))
    throw invalidWorldError(file, source, problems);
  const leftOut = parts.filter(({ pointer }) => ownerOfRules(pointer) === undefined);
  return { file, source, profile, zones, ids, invalid, leftOut };
}

/** Two profiles have different precedences of rules. @throws {UsageError} */
export function assertSameProfile(oldWorld: WorldZones, newWorld: WorldZones): void {
  if (oldWorld.profile === newWorld.profile) return;
  const found = [oldWorld, newWorld].map(({ file, profile }) => `${file} has \`${profile}\``).join(", ");
  throw new UsageError(`both world files must have the same profile; ${found}; choose one with --profile`);
}
