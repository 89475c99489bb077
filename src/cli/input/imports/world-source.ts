/** Reads a file where a world is expected: a world file, a file of Terraform, or saved responses of the interface. */
import { dirname } from "node:path";
import type { Location, Placed } from "../../../core/diagnostic.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { startOf } from "../../../import/origin.ts";
import { configurationHint, isConfigurationText } from "../../../import/terraform/configuration-text.ts";
import type { Undecided } from "../../../import/undecided.ts";
import { readUndecided, withZoneNames } from "../../../import/world/partial-world.ts";
import type { ImportedWorld } from "../../../import/world-from.ts";
import { type Io, UsageError } from "../../command.ts";
import type { ImportValues } from "../../options/world.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { printFaults } from "../../output/places.ts";
import { parseJsonText, readTextInput, standardInput } from "../files.ts";
import { readImportOptions } from "./import-options.ts";
import { type FindBlock, findResourceBlocks } from "./resource-blocks.ts";

/** The value of a world, and the places of its members. */
export interface WorldSource extends JsonSource {
  /** Place for reports: the block of a Terraform resource, or the value in the file. */
  place(pointer: string): Location;
  /** Place for reports of a value in the file that was read. */
  placeOf(location: Location): Location;
  /** The parts that no file decides, also when a world file was made from incomplete input. */
  readonly undecided: readonly Undecided[];
  /** The parts that a world cannot hold; empty for world files. */
  readonly dropped: readonly Placed[];
  /** Whether the file is of another format than a world file. */
  readonly isImported: boolean;
  /** Text of the file, without a byte order mark. */
  readonly text: string;
}

/** @throws {UsageError} when the file is neither JSON nor YAML, or of a known format and not readable */
export async function readWorldSource(file: string, options: ImportValues, io: Io): Promise<WorldSource> {
  const text = await readTextInput(file, io);
  if (isConfigurationText(text)) throw new UsageError(`cannot read ${file}: ${configurationHint}`);
  const imported = marks.test(text) ? await importText(file, text, options) : undefined;
  return imported
    ? { ...(await importedSource(file, imported, options, io)), text }
    : worldSource(file, await parseJsonText(file, text), text, readImportOptions(options).zoneNames);
}

/** Texts of all formats of `readers`: without them, the readers are not loaded. */
const marks =
  /"(?:format_version|lineage|serial|test_state|@module|success|errors|query_id)"|openapi|swagger/;

async function importText(
  file: string,
  text: string,
  options: ImportValues,
): Promise<ImportedWorld | undefined> {
  const { isKnownFormat, readWorld } = await import("../../../import/world-from.ts");
  if (!isKnownFormat({ name: file, text })) return undefined;
  const read = readWorld([{ name: file, text }], readImportOptions(options));
  if (read.ok) return read.value;
  throw new UsageError(`${file} cannot be read:\n${printFaults(read.problems)}`);
}

/**
 * The source of a text that is neither of Terraform nor a saved response.
 *
 * @param zoneNames domains of zones that have none in the text, by id
 */
export function worldSource(
  file: string,
  source: JsonSource,
  text: string,
  zoneNames: Readonly<Record<string, string>> = {},
): WorldSource {
  const place = (pointer: string) => ({ file, pointer, ...source.range(pointer) });
  const value = withZoneNames(source.value, zoneNames);
  const undecided = readUndecided(source.value, place).filter(
    ({ about, subject }) => about !== "zone" || !Object.hasOwn(zoneNames, subject?.["zone"] ?? ""),
  );
  return { ...source, value, place, placeOf: (at) => at, undecided, dropped: [], isImported: false, text };
}

async function importedSource(
  file: string,
  { world, report, sources }: ImportedWorld,
  options: ImportValues,
  io: Io,
): Promise<Omit<WorldSource, "text">> {
  const format = report.formats[0]?.format ?? "";
  const profile = options.profile ?? world.profile;
  io.stderr.write(
    `${escapeControlCharacters(file)}: ${format}; profile ${escapeControlCharacters(profile ?? "")}\n`,
  );
  const find = await blocksOf(
    file,
    report.accepted.map(({ at }) => at),
    report.undecided,
    options,
    io,
  );
  const placeOf = (at: Location) => placeOfLocation(at, find);
  const locate = (pointer: string) => (sources.locate(pointer) ?? startOf(file)).start;
  return {
    value: world,
    locate,
    range: (pointer) => ({ start: locate(pointer), end: locate(pointer) }),
    place: (pointer) => {
      const location = sources.locate(pointer);
      return location ? placeOf(location) : { ...startOf(file), pointer };
    },
    placeOf,
    undecided: report.undecided,
    dropped: report.dropped,
    isImported: true,
  };
}

/** The folder is searched only for resources of Terraform. */
async function blocksOf(
  file: string,
  accepted: readonly Location[],
  undecided: readonly Undecided[],
  options: ImportValues,
  io: Io,
): Promise<FindBlock> {
  const folder = options.source ?? (file === standardInput ? "." : dirname(file));
  const hasAddress = [...accepted, ...undecided.map(({ at }) => at)].some(isAddress);
  return hasAddress ? findResourceBlocks(folder, io.onInputFile) : () => undefined;
}

/** Pointers are empty or begin with a slash. */
function isAddress({ pointer = "" }: Location): boolean {
  return pointer !== "" && !pointer.startsWith("/");
}

/** A resource without a block is at the first line of the file, since people do not read plans by line. */
function placeOfLocation(at: Location, find: FindBlock): Location {
  if (!isAddress(at)) return at;
  const { file, pointer = "" } = at;
  const block = find(pointer);
  return { file: block?.file ?? file, pointer, start: block?.position ?? { line: 1, column: 1 } };
}
