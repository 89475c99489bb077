/** The files that words of a command line name, with their texts: those that hold a configuration, and a count of the others. */

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { formatCount } from "../../../core/format-count.ts";
import { hasWorldLists } from "../../../service/world/world-lists.ts";
import { type Io, UsageError } from "../../command.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { printPlace } from "../../output/places.ts";
import { standardInput } from "../../standard-input.ts";
import { parseJsonText, readTextInput } from "../files.ts";
import { pathsOfWorld } from "../paths/expand.ts";
import { isPattern } from "../paths/pattern.ts";
import { entriesOf, walkFiles } from "../paths/walk.ts";

/** A file and its text. */
export interface GivenFile {
  readonly file: string;
  readonly text: string;
  /** Its format, when a reader of imports knows it. */
  readonly format?: string;
}

/** Extensions of files that can hold a configuration. */
const extensions = new Set([".json", ".jsonc", ".yaml", ".yml", ".tfstate", ".ndjson", ".jsonl"]);

/** Maximum size in bytes of a file that is found in a folder; larger ones must be named. `chosen` */
const maxFoundBytes = 67_108_864;

/** Forms of the same resources in a folder, the one that is read first. */
const terraformForms = ["Terraform plan", "Terraform state", "Terraform state file", "Terraform test"];

/** The format of files in Terraform's language. */
export const sourcesFormat = "Terraform sources";

/** Formats that are read when a folder is given; documents and keys must be named. */
const foundFormats = new Set([...terraformForms, "saved responses of the interface"]);

/**
 * The files that words name: files, folders, patterns, or worlds of the configuration file.
 *
 * @throws {UsageError} when a file cannot be read, and when nothing in a folder is recognized
 */
export async function readGivenFiles(words: readonly string[], io: Io): Promise<readonly GivenFile[]> {
  const files: GivenFile[] = [];
  for (const word of words) {
    assertExists(word, io);
    for (const path of await pathsOfWorld(word, io)) {
      if (await isFolder(path)) files.push(...(await readFolder(path, io)));
      else files.push(await readGivenFile(path, io));
    }
  }
  return [...(await variablesOf(files, io)), ...files];
}

/** @throws {UsageError} for a file that does not exist, with what the configuration file says about worlds */
function assertExists(word: string, { project }: Io): void {
  if (!project || project.worlds.size === 0) return;
  const world = project.worlds.get(word);
  const isMissing = (path: string) => path !== standardInput && !isPattern(path) && !existsSync(path);
  const missing = (world?.paths ?? [word]).find(isMissing);
  if (missing === undefined) return;
  const about = world
    ? `${printPlace(world.at)} names it`
    : `worlds of ${project.file}: ${[...project.worlds.keys()].join(", ")}`;
  throw new UsageError(`cannot read ${missing}: the file does not exist; ${about}`);
}

/** Files with values of variables that Terraform reads with the sources of a folder, unless they are given. */
async function variablesOf(files: readonly GivenFile[], io: Io): Promise<readonly GivenFile[]> {
  const sources = files.filter(({ file }) => extname(file).toLowerCase() === ".tf");
  const given = new Set(files.map(({ file }) => resolve(file)));
  const found: GivenFile[] = [];
  for (const folder of new Set(sources.map(({ file }) => dirname(file)))) {
    const entries = (await entriesOf(folder)).filter((entry) => entry.isFile()).map(({ name }) => name);
    const names = [
      ...entries.filter((name) => name === "terraform.tfvars"),
      ...entries.filter((name) => name.endsWith(".auto.tfvars")),
    ];
    for (const name of names) {
      const path = join(folder, name);
      if (!given.has(resolve(path))) found.push(await readGivenFile(path, io));
    }
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  if (path === standardInput) return false;
  return stat(path)
    .then((found) => found.isDirectory())
    .catch(() => false);
}

async function readGivenFile(file: string, io: Io): Promise<GivenFile> {
  const text = await readTextInput(file, io);
  const format = await importFormat(file, text);
  return { file, text, ...(format !== undefined && { format }) };
}

/** The configuration files of a folder and those in it; the others are counted on standard error. */
async function readFolder(folder: string, io: Io): Promise<readonly GivenFile[]> {
  const list = () => walkFiles(folder, (name) => extensions.has(extname(name).toLowerCase()));
  io.onInputList?.(folder, list);
  const paths = await list();
  const found: GivenFile[] = [];
  for (const path of paths) {
    const read = await readFoundFile(path, io);
    if (read && (await isConfiguration(read))) found.push(read);
  }
  const recognized = withoutRepeatedForms(found);
  const sources = recognized.length > 0 ? undefined : await readSources(folder, io);
  const files = sources?.files ?? recognized;
  const others = formatCount(paths.length - recognized.length, "other file");
  if (files.length === 0)
    throw new UsageError(
      `no file in the folder ${folder} has a configuration (${others} not recognized); a world file, a Terraform plan or state, or saved responses are expected`,
    );
  const below = sources?.below ? `, ${formatCount(sources.below, "file")} of modules in it not read` : "";
  const line = `${folder}: ${formatCount(files.length, "file")} read, ${others} not recognized${below}`;
  io.stderr.write(`${escapeControlCharacters(line)}\n`);
  return files;
}

/** A file that is found, not given; undefined when it is too large, or cannot be read. */
export async function readFoundFile(path: string, io: Io): Promise<GivenFile | undefined> {
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
  return size > maxFoundBytes ? undefined : readGivenFile(path, io).catch(rejectOnly(UsageError));
}

/** The Terraform sources in a folder that has nothing else. */
async function readSources(
  folder: string,
  io: Io,
): Promise<{ readonly files: readonly GivenFile[]; readonly below: number }> {
  io.onInputList?.(folder, async () => (await listSources(folder)).own);
  const { own, below } = await listSources(folder);
  const files: GivenFile[] = [];
  for (const path of own) {
    const read = await readFoundFile(path, io);
    if (read) files.push(read);
  }
  return { files, below };
}

/** The Terraform sources in a folder. Sources in a folder inside a folder with sources are a module, and only counted. */
async function listSources(
  folder: string,
): Promise<{ readonly own: readonly string[]; readonly below: number }> {
  const paths = await findSourcePaths(folder);
  const outer = outerFolders(paths.map(dirname));
  const own = paths.filter((path) => outer.has(dirname(path)));
  return { own, below: paths.length - own.length };
}

/** The paths of the Terraform sources in a folder and those in it. */
export function findSourcePaths(folder: string): Promise<readonly string[]> {
  return walkFiles(folder, (name) => extname(name) === ".tf");
}

/** The folders that are not inside of another one of them. */
export function outerFolders(folders: Iterable<string>): ReadonlySet<string> {
  const all = new Set(folders);
  const isInside = (folder: string): boolean => {
    const parent = dirname(folder);
    return parent !== folder && (all.has(parent) || isInside(parent));
  };
  return new Set([...all].filter((folder) => !isInside(folder)));
}

/** Undefined for an error of a type; other errors are thrown. */
function rejectOnly(type: typeof UsageError): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof type)) throw error;
  };
}

async function isConfiguration(read: GivenFile): Promise<boolean> {
  if (read.format !== undefined) return foundFormats.has(read.format);
  return hasWorldLists(await readMarkedValue(read, /["'\s](?:zones|accounts)["']?\s*:/));
}

/** The value of a file without a format, when its text has what such a value has; undefined when it cannot be read. */
export async function readMarkedValue({ file, text }: GivenFile, mark: RegExp): Promise<unknown> {
  if (!mark.test(`\n${text}`)) return undefined;
  return (await parseJsonText(file, text).catch(rejectOnly(UsageError)))?.value;
}

/** Of a plan and a state in one folder, which have the same resources, only the plan, and so on. */
export function withoutRepeatedForms<T extends Pick<GivenFile, "file" | "format">>(
  files: readonly T[],
): readonly T[] {
  const rankOf = ({ format = "" }: T) => terraformForms.indexOf(format);
  return files.filter((file) => {
    const isBetter = (other: T) => rankOf(other) >= 0 && rankOf(other) < rankOf(file);
    return !files.some((other) => dirname(other.file) === dirname(file.file) && isBetter(other));
  });
}

/** Texts of all formats of the readers: without them, the readers are not loaded. */
const marks =
  /"(?:format_version|lineage|serial|test_state|@module|success|errors|query_id|neverRequireSignedURLs)"|openapi|swagger/;

/** A block in Terraform's language. */
const blocks =
  /^[ \t]*(?:resource|data|variable|locals|module|terraform|provider)\b[^\r\n\u2028\u2029{;=(]*\{/m;

/** A list, or an object in one line, as lines of JSON begin. */
const lists = /^\s*(?:\[|\{[^\n]*\}[ \t\r]*(?:\n|$))/;

/** The format of a file of another form than a world; undefined when no reader knows it. */
export async function importFormat(name: string, text: string): Promise<string | undefined> {
  const isSource = /\.(?:tf|tfvars)$/i.test(name) || blocks.test(text);
  if (!isSource && !marks.test(text) && !lists.test(text)) return undefined;
  return (await import("../../../import/world-from.ts")).formatOf({ name, text });
}
