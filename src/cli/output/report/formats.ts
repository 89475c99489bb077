/** Prints the report of a command that checks something, in the format of the command line. */

import { formatCount } from "../../../core/numbers/format-count.ts";
import type { Io } from "../../command.ts";
import type { Format, Formats } from "../../options/output.ts";
import { writeWholeFile } from "../atomic-write.ts";
import { colorLines } from "../color.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { maskSecrets } from "../safe/mask-secrets.ts";
import { escapeWorkflowCommands } from "../workflow-commands.ts";
import { type Accepted, completeReport, exitCodeOf } from "./exit-code.ts";
import { printGithub } from "./github.ts";
import { printGitlab } from "./gitlab.ts";
import { printJson } from "./json.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import { acceptedOf, type Report } from "./report.ts";
import { type ReportPath, repositoryPaths } from "./repository-path.ts";
import { printSarif } from "./sarif.ts";
import { printNotEvaluated, printText } from "./text.ts";

const printers = {
  text: printText,
  json: printJson,
  sarif: printSarif,
  junit: printJunit,
  github: printGithub,
  gitlab: printGitlab,
  markdown: printMarkdown,
} as const satisfies Record<Format, (report: Report, pathOf: ReportPath) => string>;

/** How a report is printed. */
export interface Printing extends Accepted {
  readonly format: Formats;
  /** The text of the command, instead of that of the report. Parts that were not evaluated are on standard error. */
  readonly text?: () => string;
  /** The JSON of the command, instead of that of the report. */
  readonly json?: () => string;
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
  const complete = completeReport(report, printing);
  const { printed, files } = printing.format;
  const { isSilent = false } = printing;
  const pathOf = repositoryPaths(io.env);
  const own = (format: Format) => (format === "text" || format === "json" ? printing[format] : undefined);
  const textOf = (format: Format) => own(format)?.() ?? printers[format](complete, pathOf);
  for (const { format, path } of files) await writeWholeFile(path, maskSecrets(textOf(format)));
  if (!isSilent) io.stdout.write(inFormat(textOf(printed), printed, io));
  if (own(printed) || isSilent) io.stderr.write(inFormat(printNotEvaluated(complete), "text", io));
  // The format has no place for them.
  const accepted = printed === "gitlab" ? acceptedOf(complete).length : 0;
  if (accepted > 0) io.stderr.write(`accepted: ${formatCount(accepted, "finding")}\n`);
  return exitCodeOf(complete, printing);
}

/** Nothing has passwords of addresses. Texts are for people: without control characters and commands of a pipeline, and in color. */
function inFormat(printed: string, format: Format, io: Io): string {
  const masked = maskSecrets(printed);
  return format === "text" ? escapeWorkflowCommands(colorLines(io.stdout, escapeLines(masked)), io) : masked;
}
