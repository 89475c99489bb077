/** Reads a file where a world is expected: a world file, a file of Terraform, or saved responses of the interface. */
import { dirname } from "node:path";
import type { Location } from "../../../core/diagnostic.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { configurationHint, isConfigurationText } from "../../../import/terraform/configuration-text.ts";
import type { Dropped, SourceLocation, Undecided } from "../../../import/world/report.ts";
import type { ImportedWorld } from "../../../import/world-from.ts";
import { type Io, UsageError } from "../../command.ts";
import type { ImportValues } from "../../options/world.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { parseJsonText, readTextInput, standardInput } from "../files.ts";
import { readImportOptions } from "./import-options.ts";
import { type FindBlock, findResourceBlocks } from "./resource-blocks.ts";

/** The value of a world, and the places of its members. */
export interface WorldSource extends JsonSource {
  /** Place for reports: the block of a Terraform resource, or the value in the file. */
  place(pointer: string): Location;
  /** Place for reports of a value in the file that was read. */
  placeOf(location: SourceLocation): Location;
  /** What no file decides; empty for world files. */
  readonly undecided: readonly Undecided[];
  /** What a world cannot hold; empty for world files. */
  readonly dropped: readonly Dropped[];
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
    : worldSource(file, await parseJsonText(file, text), text);
}

/** Texts of all formats of `readers`: without them, the readers are not loaded. */
const marks = /"(?:format_version|lineage|serial|test_state|@module|success|query_id)"|openapi|swagger/;

async function importText(
  file: string,
  text: string,
  options: ImportValues,
): Promise<ImportedWorld | undefined> {
  const { isKnownFormat, readWorld } = await import("../../../import/world-from.ts");
  if (!isKnownFormat({ name: file, text })) return undefined;
  const read = readWorld([{ name: file, text }], readImportOptions(options));
  if (read.ok) return read.value;
  const lines = read.problems.map(
    ({ line, column, message }) => `  line ${line}, column ${column}: ${message}`,
  );
  throw new UsageError(`${file} cannot be read:\n${lines.join("\n")}`);
}

/** The source of a text that is neither of Terraform nor a saved response. */
export function worldSource(file: string, source: JsonSource, text: string): WorldSource {
  const place = (pointer: string) => ({ file, pointer, ...source.range(pointer) });
  const placeOf = ({ pointer }: SourceLocation) => place(pointer);
  return { ...source, place, placeOf, undecided: [], dropped: [], isImported: false, text };
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
    report.accepted.map(({ location }) => location),
    report.undecided,
    options,
    io,
  );
  const placeOf = (location: SourceLocation) => placeOfLocation(location, find);
  const locate = (pointer: string) => sources.locate(pointer) ?? { line: 1, column: 1 };
  return {
    value: world,
    locate: (pointer) => {
      const { line, column } = locate(pointer);
      return { line, column };
    },
    range: (pointer) => {
      const { line, column } = locate(pointer);
      return { start: { line, column }, end: { line, column } };
    },
    place: (pointer) => {
      const location = sources.locate(pointer);
      return location ? placeOf(location) : { file, start: { line: 1, column: 1 }, pointer };
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
  accepted: readonly SourceLocation[],
  undecided: readonly Undecided[],
  options: ImportValues,
  io: Io,
): Promise<FindBlock> {
  const folder = options.source ?? (file === standardInput ? "." : dirname(file));
  const hasAddress = [...accepted, ...undecided.map(({ location }) => location)].some((one) => one.address);
  return hasAddress ? findResourceBlocks(folder, io.onInputFile) : () => undefined;
}

/** A resource without a block is at the first line of the file, since people do not read plans by line. */
function placeOfLocation(
  { file, pointer, line, column, address }: SourceLocation,
  find: FindBlock,
): Location {
  if (address === undefined) return { file, pointer, start: { line, column } };
  const block = find(address);
  return { file: block?.file ?? file, pointer: address, start: block?.position ?? { line: 1, column: 1 } };
}
