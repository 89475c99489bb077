/** Prints the report of a command that checks something, in the format of the command line. */

import { replaceFile } from "../../../core/files/write-file.ts";
import { formatCount } from "../../../core/format-count.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { startOf } from "../../../import/origin.ts";
import type { Io, Output } from "../../command.ts";
import type { Format, Formats } from "../../options/output.ts";
import { colorLines } from "../color.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { type Accepted, completeReport, exitCodeOf } from "./exit-code.ts";
import { printGithub } from "./github.ts";
import { printGitlab } from "./gitlab.ts";
import { printJson } from "./json.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import { acceptedOf, type CaseKind, maskReport, type Report } from "./report.ts";
import { type ReportPath, repositoryPaths } from "./repository-path.ts";
import { printSarif } from "./sarif.ts";
import { printNotEvaluated, printText } from "./text.ts";

const printers = {
  json: printJson,
  sarif: printSarif,
  junit: printJunit,
  github: printGithub,
  gitlab: printGitlab,
  markdown: printMarkdown,
} as const satisfies Record<Exclude<Format, "text">, (report: Report, pathOf: ReportPath) => string>;

/** The output of texts in files, whose lines have any length. */
const fileOutput: Output = { write: () => {}, isTerminal: false };

/** How a report is printed. */
export interface Printing extends Accepted {
  readonly format: Formats;
  /** The text of the command, instead of that of the report. Parts that were not evaluated are on standard error. */
  readonly text?: (output: Output) => string;
  /** The JSON of the command, instead of that of the report. */
  readonly json?: () => string;
  /** Whether the text has every finding, instead of the first of each rule. Default false. */
  readonly all?: boolean;
  /** Nothing of the report is printed, because the command prints something else. */
  readonly isSilent?: boolean;
}

/**
 * Prints a report, and writes the files of other formats first.
 *
 * @returns the exit code
 * @throws {UsageError} for a file that cannot be written; then nothing is printed
 */
export async function printReport(report: Report, printing: Printing, io: Io): Promise<0 | 1> {
  const complete = maskReport(completeReport(report, printing));
  const { printed, files } = printing.format;
  const { isSilent = false } = printing;
  const pathOf = repositoryPaths(io.env);
  const own = (format: Format) => (format === "text" || format === "json" ? printing[format] : undefined);
  const textOf = (format: Format, output = fileOutput) =>
    own(format)?.(output) ??
    (format === "text" ? printText(complete, printing.all) : printers[format](complete, pathOf));
  for (const { format, path } of files)
    await replaceFile(path, format === "text" ? maskText(textOf(format)) : textOf(format));
  if (!isSilent) io.stdout.write(inFormat(textOf(printed, io.stdout), printed, io), printed === "github");
  if (own(printed) || isSilent)
    io.stderr.write(inFormat(printNotEvaluated(complete, printing.all), "text", io));
  // The format has no place for them.
  const accepted = printed === "gitlab" ? acceptedOf(complete).length : 0;
  if (accepted > 0) io.stderr.write(`accepted: ${formatCount(accepted, "finding")}\n`);
  return exitCodeOf(complete, printing);
}

/** The inputs that a command without a report of its own evaluated. */
interface EvaluatedInputs {
  readonly command: string;
  readonly kind: CaseKind;
  readonly count: number;
  /** The first input. */
  readonly file: string;
  /** The addition when nothing was evaluated, as a sentence. */
  readonly whenEmpty: string;
}

/** The exit code for what a command evaluated that prints something else than a report; when it is nothing, standard error says so. */
export function printEvaluated(
  { command, kind, count, file, whenEmpty }: EvaluatedInputs,
  { allowEmpty = false }: Accepted,
  io: Io,
): Promise<0 | 1> {
  const inputs = startOf(file);
  const counted = { kind, count, group: file, name: "inputs", status: "passed", diagnostics: [] } as const;
  const report = { command, rules: {}, cases: [{ ...counted, location: inputs }], whenEmpty, inputs };
  return printReport(report, { format: { printed: "text", files: [] }, isSilent: true, allowEmpty }, io);
}

/** Texts are for people: without control characters and the secrets that a command printed itself, and in color. */
function inFormat(printed: string, format: Format, io: Io): string {
  return format === "text" ? colorLines(io.stdout, escapeLines(maskText(printed))) : printed;
}
