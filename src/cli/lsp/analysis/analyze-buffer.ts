/** The analysis of a text of an editor: what `check` reports about a file with it. */
import type { Level, Placed } from "../../../core/diagnostic.ts";
import type { PatchOperation } from "../../../core/json/patch.ts";
import type { JsonSource } from "../../../core/json-source.ts";
import type { TextRange } from "../../../core/line-index.ts";
import type { DocumentKind } from "../../../editor/document.ts";
import { type Io, UsageError } from "../../command.ts";
import { checkFiles } from "../../commands/check/check.ts";
import { check } from "../../declarations/check.ts";
import { readJsonText } from "../../input/files.ts";
import { checkedFile } from "../../input/imports/checked-files.ts";
import { worldSource } from "../../input/imports/world-source.ts";
import { parseRequests } from "../../input/requests/requests-file.ts";
import { parseWords } from "../../parse.ts";

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

const silent = { write: () => {}, isTerminal: false };

/** Nothing is read: the files of the check are made of the text. */
const io: Io = {
  stdin: (async function* () {})(),
  stdout: silent,
  stderr: silent,
  signal: new AbortController().signal,
};

/** The findings, in the order of the text. */
export async function analyzeBuffer({ name, text, kind }: BufferJob): Promise<readonly TextDiagnostic[]> {
  if (kind === "terraform") return [];
  const read = await readJsonText(name, text);
  if (!read.ok) return read.problems.map((one) => ofPlaced(one));
  try {
    return kind === "requests" ? requestFindings(read.value) : await checkFindings(name, text, read.value);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [findingAt(read.value, "", error.message)];
  }
}

async function checkFindings(
  name: string,
  text: string,
  source: JsonSource,
): Promise<readonly TextDiagnostic[]> {
  const { options, words } = parseWords(check, [name]);
  const file = checkedFile(await worldSource(name, source, text), options, io, false);
  const { cases, rules } = await checkFiles([file], { options, words, io, maxSteps });
  return cases
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ at }) => at.file === name)
    .map((one) => ofPlaced(one, one.help ?? rules[one.rule]?.help));
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
