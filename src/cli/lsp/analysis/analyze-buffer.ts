/** The analysis of a text of an editor: what `check` reports about a file with it. */
import { basename, resolve } from "node:path";
import type { Level, Placed } from "../../../core/diagnostic.ts";
import type { PatchOperation } from "../../../core/json/patch.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import type { TextRange } from "../../../core/line-index.ts";
import type { DocumentKind } from "../../../editor/document.ts";
import { UsageError } from "../../command.ts";
import { wantedAreas } from "../../commands/check/areas.ts";
import { checkFiles } from "../../commands/check/check.ts";
import type { Command } from "../../declare.ts";
import { readJsonText } from "../../input/files.ts";
import { type CheckedFile, checkedFile } from "../../input/imports/checked-files.ts";
import { readImportOptions } from "../../input/imports/import-options.ts";
import { worldSource } from "../../input/imports/world-source.ts";
import { parseRequests } from "../../input/requests/requests-file.ts";
import { createFileAccess, type FileAccess, shownPath } from "./file-access.ts";
import { type CheckSettings, type DocumentPlace, defaultSettings, readSettings } from "./project-settings.ts";
import { terraformFiles } from "./terraform-files.ts";

/** A text to analyze. */
export interface BufferJob {
  /** Address of the document. */
  readonly uri: string;
  readonly version: number;
  /** A file name, whose ending is that of the format. */
  readonly name: string;
  /** The text without a byte order mark. */
  readonly text: string;
  readonly kind: DocumentKind;
  /** Its file, for a document of the workspace; without it no file is read. */
  readonly place?: DocumentPlace;
  /** The open documents of the workspace, this one among them, by the absolute path of the file. */
  readonly open?: readonly (readonly [path: string, text: string])[];
}

/** The outcome of an analysis. */
export interface BufferAnalysis {
  /** In the order of the text. */
  readonly findings: readonly TextDiagnostic[];
  /** The findings that the project, a baseline or a comment accepts. */
  readonly accepted: readonly TextDiagnostic[];
  /** The files and folders that it depends on, as absolute paths. */
  readonly inputs: readonly string[];
  /** Why a file beside the text is not used. */
  readonly unread?: string;
}

/** A finding in a text. */
export interface TextDiagnostic {
  readonly rule: string;
  readonly level: Level;
  /** The message and the advice. */
  readonly message: string;
  /** The place, with lines and columns from 1; the end is that of a value. */
  readonly range: TextRange;
  /** RFC 6901 pointer into the text. */
  readonly pointer: string;
  /** The fix, of the value at `base`. */
  readonly fix?: readonly PatchOperation[];
  readonly base: string;
}

/** Steps of the analysis for one question: those of `check` are many times as many, and take seconds. `chosen` */
const maxSteps = 15_000;

/**
 * Analyzes a text as `check` does, with the configuration file of its project.
 *
 * @param loadCommands the commands whose options a configuration file can have; without it, it is not read
 */
export async function analyzeBuffer(
  job: BufferJob,
  loadCommands?: () => Promise<readonly Command[]>,
): Promise<BufferAnalysis> {
  const access = createFileAccess(job.place?.root, job.open);
  const unread: string[] = [];
  const settings = await settingsFor(job, access, loadCommands).catch((error: unknown) => {
    unread.push(reasonOf(error));
    return defaultSettings();
  });
  const found = await (job.kind === "terraform"
    ? terraformFindings(job, settings, access).catch((error: unknown) => {
        unread.push(reasonOf(error));
        return unaccepted([]);
      })
    : textFindings(job, settings, access));
  const [reason = access.rejected()?.message] = unread;
  return { ...found, inputs: [...access.inputs], ...(reason !== undefined && { unread: reason }) };
}

/** The message of an error of input; other errors are thrown. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  throw error;
}

async function settingsFor(
  { place, kind }: BufferJob,
  { io }: FileAccess,
  loadCommands?: () => Promise<readonly Command[]>,
): Promise<CheckSettings> {
  if (!place || !loadCommands || kind === "requests") return defaultSettings();
  return readSettings(place, io, loadCommands);
}

async function textFindings(job: BufferJob, settings: CheckSettings, access: FileAccess): Promise<Found> {
  const { name, text, kind } = job;
  const read = await readJsonText(name, text);
  if (!read.ok) return unaccepted(read.problems.map((problem) => ofPlaced(problem)));
  try {
    if (kind === "requests") return unaccepted(requestFindings(read.value));
    const { options } = settings;
    const file = job.place ? shownPath(job.place.path) : name;
    const source = await worldSource(file, read.value, text, readImportOptions(options));
    const isWanted = wantedAreas(options);
    const onlyApplications = isWanted("proxy") && !isWanted("tokens");
    const checked = await checkedFile(source, options, access.io, onlyApplications);
    return await findingsIn(file, [checked], settings, access);
  } catch (error) {
    return unaccepted([findingAt(read.value, "", reasonOf(error))]);
  }
}

/** The findings of the plan or state that a source belongs to, at the blocks of its resources. */
async function terraformFindings(
  { place, text }: BufferJob,
  settings: CheckSettings,
  access: FileAccess,
): Promise<Found> {
  if (!place) return unaccepted([]);
  const io = { ...access.io, ...(settings.project && { project: settings.project }) };
  const files = await terraformFiles(place, settings, io);
  if (files.length === 0) return unaccepted([]);
  const lines = text.split(/\r?\n/);
  const names = files.map(({ file }) => basename(file)).join(", ");
  const found = await findingsIn(place.path, files, settings, access);
  const atBlock = (diagnostic: TextDiagnostic): TextDiagnostic => {
    const { start } = diagnostic.range;
    const end = { line: start.line, column: (lines[start.line - 1]?.trimEnd().length ?? 0) + 1 };
    return { ...diagnostic, message: `${diagnostic.message}\nFound in ${names}.`, range: { start, end } };
  };
  return { findings: found.findings.map(atBlock), accepted: found.accepted.map(atBlock) };
}

async function findingsIn(
  path: string,
  files: readonly CheckedFile[],
  { options, project }: CheckSettings,
  { io }: FileAccess,
): Promise<Found> {
  // Only findings in this file are shown: for them, the worlds that have it are all.
  const words = [...(project?.worlds.keys() ?? [path])];
  const checkIo = { ...io, ...(project && { project }) };
  const { cases, rules } = await checkFiles(files, { options, words, io: checkIo, maxSteps });
  const full = resolve(path);
  const inFile = (all: readonly Placed[]) =>
    all
      .filter(({ at }) => resolve(at.file) === full)
      .map((placed) => ofPlaced(placed, placed.help ?? rules[placed.rule]?.help));
  return {
    findings: inFile(cases.flatMap(({ diagnostics }) => diagnostics)),
    accepted: inFile(cases.flatMap(({ accepted = [] }) => accepted)),
  };
}

type Found = Pick<BufferAnalysis, "findings" | "accepted">;

function unaccepted(findings: readonly TextDiagnostic[]): Found {
  return { findings, accepted: [] };
}

function requestFindings(source: JsonSource): readonly TextDiagnostic[] {
  const parsed = parseRequests(source.value);
  return parsed.ok
    ? []
    : parsed.problems.map(({ pointer = "", message }) => findingAt(source, pointer, message));
}

function findingAt(source: JsonSource, pointer: string, message: string): TextDiagnostic {
  return { rule: "invalid", level: "error", message, range: source.range(pointer), pointer, base: "" };
}

function ofPlaced(found: Placed, help?: string): TextDiagnostic {
  const { rule, level, message, at, pointer = "", fix } = found;
  const full = at.pointer ?? "";
  return {
    rule,
    level,
    message: help === undefined ? message : `${message}\n${help}`,
    range: { start: at.start, end: at.end ?? at.start },
    pointer: full,
    ...(fix && { fix }),
    base: full.endsWith(pointer) ? full.slice(0, full.length - pointer.length) : "",
  };
}
