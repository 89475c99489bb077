/** The files that `check` reads, by kind: worlds in every format, and proxy applications. */
import { isJsonObject } from "../../../core/json-value.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import type { World } from "../../../service/world/schema.ts";
import { parseValidAreas } from "../../../service/world/valid-parts.ts";
import type { Io } from "../../command.ts";
import type { ImportValues } from "../../options/world.ts";
import { invalidWorldError, printWorldNotes } from "../world-file.ts";
import { tokenZones, type Validation, type WorldZones } from "../zone-inputs.ts";
import { readWorldSources, type WorldSource } from "./world-source.ts";

/** A world whose areas are valid or left out; its zones have their invalid parts too, which the analysis reports. */
export interface CheckedWorld extends WorldZones {
  /** The world as it was written, without the areas that do not match the schema. */
  readonly value: World;
  /** Mismatches with the schema, with pointers into the file. */
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
  return sources.map((source) => checkedFile(source, options, io, onlyApplications));
}

/** A file of applications or of a world. @throws {UsageError} when it is of another kind */
export function checkedFile(
  source: WorldSource,
  options: ImportValues,
  io: Io,
  onlyApplications: boolean,
): CheckedFile {
  const { file, value, isImported } = source;
  const isApplications = onlyApplications ? !hasLists(value) : looksLikeApplications(value);
  if (!isImported && isApplications) return { file, source };
  const read = parseValidAreas(value);
  if (!read.ok) throw invalidWorldError(file, source, read.problems);
  const { world, notes, value: valid, problems } = read.value;
  printWorldNotes(notes, io);
  const zones = tokenZones(world, (zone, i) => zone.token_validation ?? invalidZone(value, i));
  const ids = (world.zones ?? []).map(({ id }) => id);
  const profile = options.profile ?? world.profile ?? "spec";
  return { file, source, world: { file, source, profile, zones, ids, value: valid, problems } };
}

/** A world has one of these lists; an application has neither. */
function hasLists(value: unknown): boolean {
  return isJsonObject(value) && (Array.isArray(value["zones"]) || Array.isArray(value["accounts"]));
}

const members = ["protocol", "dns", "origin_direct", "origin_dns", "origin_port"];

function looksLikeApplications(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(first)) return Array.isArray(value);
  return members.some((name) => Object.hasOwn(first, name));
}

/** The token validation of a zone that does not match the schema, as lists of objects with ids. */
function invalidZone(world: unknown, index: number): Validation | undefined {
  const zones = isJsonObject(world) && Array.isArray(world["zones"]) ? world["zones"] : [];
  const validation: unknown = zones[index]?.token_validation;
  if (!isJsonObject(validation)) return undefined;
  const { configs, rules, operations } = validation;
  const zone = {
    configs: objectsOf(configs),
    rules: objectsOf(rules).map((rule) => ({ enabled: true, ...rule })),
    ...(Array.isArray(operations) && { operations }),
  };
  return zone as unknown as Validation;
}

function objectsOf(list: unknown): readonly object[] {
  return (Array.isArray(list) ? list : []).map((one: unknown, i) => {
    const { id, ...rest } = isJsonObject(one) ? one : {};
    return { ...rest, id: typeof id === "string" ? id : `${i + 1}` };
  });
}
