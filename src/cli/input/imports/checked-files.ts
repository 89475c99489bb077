/** The files that `check` reads, by kind: worlds in every format, and proxy applications. */

import { isJsonObject } from "../../../core/json-value.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { checkWorldWith, profileContext, profileOf } from "../../../service/world/check-world.ts";
import { loadChecks } from "../../../service/world/checks/load-checks.ts";
import { zonesWithInvalid } from "../../../service/world/rulesets/world-zones.ts";
import type { World } from "../../../service/world/schema.ts";
import { hasWorldLists } from "../../../service/world/world-lists.ts";
import type { Io } from "../../command.ts";
import type { ImportValues } from "../../options/world.ts";
import { invalidWorldError, printWorldNotes } from "../world-problems.ts";
import type { WorldZones } from "../world-zones.ts";
import { readWorldSources, type WorldSource } from "./world-source.ts";

/** A world whose areas are valid or left out; its zones have their invalid parts too, which the analysis reports. */
export interface CheckedWorld extends WorldZones {
  /** The world as it was written, without the areas that do not match the schema. */
  readonly value: World;
  /** All problems of the world but those of pictures, with pointers into the file. */
  readonly problems: readonly CodedDiagnostic[];
}

/** A file of proxy applications, or of a world. */
export interface CheckedFile {
  readonly file: string;
  readonly source: WorldSource;
  /** Absent for a file of applications. */
  readonly world?: CheckedWorld;
}

/**
 * The worlds and the files of applications that words name.
 *
 * @param onlyApplications whether every file that is not a world has applications
 * @throws {UsageError} when a file cannot be read, or is of another kind
 */
export async function readCheckedFiles(
  words: readonly string[],
  options: ImportValues,
  io: Io,
  onlyApplications: boolean,
): Promise<readonly CheckedFile[]> {
  const sources = await readWorldSources(words, options, io);
  return Promise.all(sources.map((source) => checkedFile(source, options, io, onlyApplications)));
}

/** A file of applications or of a world. @throws {UsageError} when it is of another kind */
export async function checkedFile(
  source: WorldSource,
  options: ImportValues,
  io: Io,
  onlyApplications: boolean,
): Promise<CheckedFile> {
  const { file, value, isImported } = source;
  const isApplications = onlyApplications ? !hasWorldLists(value) : looksLikeApplications(value);
  if (!isImported && isApplications) return { file, source };
  const profile = options.profile ?? profileOf(value) ?? "spec";
  const read = checkWorldWith(await loadChecks(value), value, profileContext(profile));
  if (!read.ok) throw invalidWorldError(file, source, read.problems);
  const { world, notes, value: valid, problems } = read.value;
  printWorldNotes(notes, io);
  const ids = (world.zones ?? []).map(({ id }) => id);
  const zones = zonesWithInvalid(world, value, profile);
  return { file, source, world: { file, source, profile, zones, ids, value: valid, problems } };
}

const members = ["protocol", "dns", "origin_direct", "origin_dns", "origin_port"];

function looksLikeApplications(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(first)) return Array.isArray(value);
  return members.some((name) => Object.hasOwn(first, name));
}
