/** Reads a file where a world is expected: a world file, a file of Terraform, or saved responses of the interface. */
import { dirname } from "node:path";
import type { Location, Placed } from "../../../core/diagnostic.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import { startOf } from "../../../import/origin.ts";
import { otherFormatHint } from "../../../import/other-formats.ts";
import type { Undecided } from "../../../import/undecided.ts";
import { readUndecided, withZoneNames, withZonePlans } from "../../../import/world/partial-world.ts";
import type { ImportedWorld, ImportOptions } from "../../../import/world-from.ts";
import { type Io, UsageError } from "../../command.ts";
import type { ImportValues } from "../../options/world.ts";
import { printCommandLine } from "../../output/command-line.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { printFaults } from "../../output/places.ts";
import type { Acceptance } from "../../output/report/acceptance/accept.ts";
import { standardInput } from "../../standard-input.ts";
import { acceptMark, commentsOf } from "../accepted/comments.ts";
import { parseJsonText } from "../files.ts";
import { type GivenFile, readGivenFiles, sourcesFormat } from "./given-files.ts";
import { readImportOptions } from "./import-options.ts";
import { type FindBlock, findResourceBlocks } from "./resource-blocks.ts";

/** The value of a world, and the places of its members. */
export interface WorldSource extends JsonSource {
  /** The name of the file, or of the files that make the world. */
  readonly file: string;
  /** Place for reports: the block of a Terraform resource, or the value in the file. */
  place(pointer: string): Location;
  /** Place for reports of a value in the file that was read. */
  placeOf(location: Location): Location;
  /** The parts that no file decides, also when a world file was made from incomplete input. */
  readonly undecided: readonly Undecided[];
  /** The errors of an import: resources that the service would reject; empty for world files. */
  readonly invalid: readonly Placed[];
  /** The applications before a plan is applied, by the pointer of each in `value`; empty for other files. */
  readonly previous: ImportedWorld["previous"];
  /** The parts that a world cannot hold; empty for world files. */
  readonly dropped: readonly Placed[];
  /** Findings that comments in the files, and in Terraform's sources, accept. */
  readonly acceptances: readonly Acceptance[];
  /** Whether the file is of another format than a world file. */
  readonly isImported: boolean;
  /** Text of the file, without a byte order mark; empty when several files make the world. */
  readonly text: string;
}

/** The valid world that a word names. @throws {UsageError} when it names several worlds or an invalid one, or a file is neither JSON nor YAML, or not readable */
export async function readWorldSource(word: string, options: ImportValues, io: Io): Promise<WorldSource> {
  return validSource(await readOnlySource(word, options, io));
}

/**
 * The world that a word names, with its errors of an import.
 *
 * @throws {UsageError} when the word names several worlds, or a file is neither JSON nor YAML, or not readable
 */
export async function readOnlySource(word: string, options: ImportValues, io: Io): Promise<WorldSource> {
  const sources = await readWorldSources([word], options, io);
  const [only, ...more] = sources;
  if (only && more.length === 0) return only;
  const files = sources.map(({ file }) => file);
  const command = commandFor(word, files[0] ?? "", io);
  throw new UsageError(
    `${word} has ${files.length} worlds (${files.join(", ")}), and this command needs one; name each in turn${command}`,
  );
}

/** A source without errors of an import. @throws {UsageError} with the place of each */
export function validSource(source: WorldSource): WorldSource {
  const { file, invalid, placeOf } = source;
  if (invalid.length === 0) return source;
  const faults = invalid.map(({ at, message }) => ({ at: placeOf(at), message }));
  throw new UsageError(`${file} is not a valid world:\n${printFaults(faults)}`, { exitCode: 1 });
}

/** The clause with the command line of this run, with a file in place of a word; nothing when it is not known. */
function commandFor(word: string, file: string, { commandLine }: Io): string {
  if (!commandLine) return "";
  const at = commandLine.findIndex((argument, i) => i > 0 && [word, `--world=${word}`].includes(argument));
  const words =
    at < 0
      ? [...commandLine, "--world", file]
      : commandLine.with(at, commandLine[at] === word ? file : `--world=${file}`);
  return `: \`${printCommandLine(words)}\``;
}

/**
 * The worlds of files: those of Terraform and saved responses are one deployment and make one world, as `world from`
 * makes it; every other file is a world of its own. The worlds of the configuration file are apart from each other.
 *
 * @throws {UsageError} when a file cannot be read, or is neither JSON nor YAML
 */
export async function readWorldSources(
  words: readonly string[],
  options: ImportValues,
  io: Io,
): Promise<readonly WorldSource[]> {
  const named = words.filter((word) => io.project?.worlds.has(word));
  const plain = words.filter((word) => !named.includes(word));
  if (plain.filter((word) => word === standardInput).length > 1)
    throw new UsageError("`-` may be given once: standard input is one file");
  const groups = [...(plain.length > 0 ? [plain] : []), ...named.map((word) => [word])];
  const sources: WorldSource[] = [];
  for (const group of groups)
    sources.push(...(await sourcesOf(await readGivenFiles(group, io), options, io)));
  return sources;
}

/** The worlds of the files of one deployment, in the order of the files. */
async function sourcesOf(
  given: readonly GivenFile[],
  options: ImportValues,
  io: Io,
): Promise<readonly WorldSource[]> {
  const files = oneForm(await withKeyFiles(given), io);
  const merged = files.filter(({ format }) => format !== undefined);
  const [first] = merged;
  const sources: WorldSource[] = [];
  for (const file of files) {
    const hint = file.format === undefined ? otherFormatHint(file.text) : undefined;
    if (hint !== undefined) throw new UsageError(`cannot read ${file.file}: ${hint}`);
    if (file === first) sources.push(await importedSource(merged, options, io));
    if (file.format !== undefined) continue;
    const facts = readImportOptions(options);
    sources.push(await worldSource(file.file, await parseJsonText(file.file, file.text), file.text, facts));
  }
  return sources;
}

/**
 * Without sources when a plan or state is given, too: it has what their expressions evaluate to.
 *
 * @throws {UsageError} for the sources of several folders, each of which is a module
 */
function oneForm(files: readonly GivenFile[], io: Io): readonly GivenFile[] {
  const sources = files.filter(({ format }) => format === sourcesFormat);
  const hasOther = files.some(({ format }) => format?.startsWith("Terraform") && format !== sourcesFormat);
  if (hasOther) {
    for (const { file } of sources)
      io.stderr.write(`${escapeControlCharacters(file)}: not read; the plan or state has its resources\n`);
    return files.filter((file) => !sources.includes(file));
  }
  const folders = [...new Set(sources.map(({ file }) => dirname(file)))];
  if (folders.length < 2) return files;
  const shown = folders.slice(0, 5).join(", ");
  throw new UsageError(
    `the sources are of ${folders.length} modules of Terraform (${shown}${folders.length > 5 ? ", ..." : ""}); give those of one folder at a time`,
  );
}

/** Files with keys belong to the deployment of the files beside them. */
async function withKeyFiles(files: readonly GivenFile[]): Promise<readonly GivenFile[]> {
  if (files.every(({ format }) => format === undefined)) return files;
  const { formatOf } = await import("../../../import/world-from.ts");
  return files.map((file) => {
    const format = file.format ?? formatOf({ name: file.file, text: file.text });
    return { ...file, ...(format !== undefined && { format }) };
  });
}

async function importFiles(files: readonly GivenFile[], options: ImportValues): Promise<ImportedWorld> {
  const { readWorld } = await import("../../../import/world-from.ts");
  const read = readWorld(
    files.map(({ file, text }) => ({ name: file, text })),
    readImportOptions(options),
  );
  if (read.ok) return read.value;
  throw new UsageError(`${namesOf(files)} cannot be read:\n${printFaults(read.problems)}`);
}

function namesOf(files: readonly GivenFile[]): string {
  return files.map(({ file }) => file).join(", ");
}

/**
 * The source of a text that is neither of Terraform nor a saved response.
 *
 * @param facts domains and the plan of zones that have none in the text
 * @throws {UsageError} with the place of an acceptance that is not complete
 */
export async function worldSource(
  file: string,
  source: JsonSource,
  text: string,
  { zoneNames = {}, plan }: Pick<ImportOptions, "zoneNames" | "plan"> = {},
): Promise<WorldSource> {
  const place = (pointer: string) => ({ file, pointer, ...source.range(pointer) });
  const value = withZonePlans(withZoneNames(source.value, zoneNames), plan);
  const undecided = readUndecided(source.value, place).filter(
    ({ about, subject }) => about !== "zone" || !Object.hasOwn(zoneNames, subject?.["zone"] ?? ""),
  );
  return {
    ...source,
    file,
    value,
    place,
    placeOf: (at) => at,
    undecided,
    invalid: [],
    previous: new Map(),
    dropped: [],
    acceptances: await commentsOf(file, text),
    isImported: false,
    text,
  };
}

async function importedSource(
  files: readonly GivenFile[],
  options: ImportValues,
  io: Io,
): Promise<WorldSource> {
  const { world, report, sources, previous } = await importFiles(files, options);
  const profile = options.profile ?? world.profile;
  for (const { file, format } of report.formats)
    io.stderr.write(
      `${escapeControlCharacters(file)}: ${format}; profile ${escapeControlCharacters(profile ?? "")}\n`,
    );
  const [{ file, text } = { file: standardInput, text: "" }] = files;
  const texts: (readonly [path: string, text: string])[] = [];
  const onText = (path: string, source: string) => {
    if (source.includes(acceptMark)) texts.push([path, source]);
  };
  const isSource = new Set(
    report.formats.filter(({ format }) => format === sourcesFormat).map(({ file }) => file),
  );
  for (const given of files) if (isSource.has(given.file)) onText(given.file, given.text);
  const located = [...report.accepted, ...report.undecided].filter(({ at }) => !isSource.has(at.file));
  const find = await blocksOf(
    file,
    [...located, ...report.invalid].map(({ at }) => at),
    options,
    io,
    onText,
  );
  const acceptances: Acceptance[] = [];
  for (const [path, source] of texts) acceptances.push(...(await commentsOf(path, source)));
  const placeOf = (at: Location) => (isSource.has(at.file) ? at : placeOfLocation(at, find));
  const locate = (pointer: string) => (sources.locate(pointer) ?? startOf(file)).start;
  return {
    file: namesOf(files),
    text: files.length === 1 ? text : "",
    value: world,
    locate,
    range: (pointer) => ({ start: locate(pointer), end: locate(pointer) }),
    place: (pointer) => {
      const location = sources.locate(pointer);
      return location ? placeOf(location) : { ...startOf(file), pointer };
    },
    placeOf,
    undecided: report.undecided,
    invalid: report.invalid,
    previous,
    dropped: report.dropped,
    acceptances,
    isImported: true,
  };
}

/** The folder is searched only for resources of Terraform. */
async function blocksOf(
  file: string,
  located: readonly Location[],
  options: ImportValues,
  io: Io,
  onText: (path: string, text: string) => void,
): Promise<FindBlock> {
  const folder = options.source ?? (file === standardInput ? "." : dirname(file));
  return located.some(isAddress) ? findResourceBlocks(folder, io, onText) : () => undefined;
}

/** Pointers are empty or begin with a slash. */
function isAddress({ pointer = "" }: Location): boolean {
  return pointer !== "" && !pointer.startsWith("/");
}

/** A resource without a block is at the first line of the file, since people do not read plans by line. */
function placeOfLocation(at: Location, find: FindBlock): Location {
  if (!isAddress(at)) return at;
  const { file, pointer = "", start: _, end: __, member = "", ...rest } = at;
  return { ...rest, pointer, ...(find(pointer, member) ?? startOf(file)), ...(member && { member }) };
}
