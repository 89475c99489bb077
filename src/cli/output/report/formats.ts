/** The options of commands that check something, and the choice of the printer. */
import type { Level } from "../../../core/diagnostic.ts";
import { levels } from "../../../core/diagnostic.ts";
import {
  booleanOption,
  type CommandInput,
  choiceOption,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { colorLines } from "../color.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { escapeWorkflowCommands } from "../workflow-commands.ts";
import { type Accepted, completeReport, exitCodeOf } from "./exit-code.ts";
import { printGithub } from "./github.ts";
import { printGitlab } from "./gitlab.ts";
import { printJson } from "./json.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";
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
} as const satisfies Record<string, (report: Report, pathOf: ReportPath) => string>;

/** A value of `--format`. */
export type Format = keyof typeof printers;

const formats = Object.keys(printers) as Format[];

/** The options `--format` and `--json`. */
export const formatOptions = {
  format: {
    type: "string",
    value: formats.join("|"),
    help: "Output format: for people, for programs, for code hosts (SARIF, GitLab Code Quality), as test results (JUnit XML), as annotations of GitHub Actions, or as the summary of a pipeline's step. Default: text.",
  },
  json: { type: "boolean", help: "The same as --format json." },
} as const;

/** The option `--allow-empty`. */
export const acceptOptions = {
  "allow-empty": { type: "boolean", help: "Exit with 0 although nothing was evaluated." },
} as const;

/** The option `--fail-on`. */
export const failOnOption = {
  "fail-on": {
    type: "string",
    value: levels.join("|"),
    help: "Exit with 1 for findings of this level or a worse one. Default: warning, for applications error.",
  },
} as const;

/** @throws {UsageError} for an unknown format, and for two of them */
export function readFormat(input: CommandInput): Format {
  const isJson = booleanOption(input, "json");
  const format = choiceOption(input, "format", formats, isJson ? "json" : "text");
  if (isJson && format !== "json")
    throw new UsageError(`--json is --format json; it cannot be combined with --format ${format}`);
  return format;
}

/** The value of `--fail-on`. @throws {UsageError} for an unknown level */
export function readFailOn(input: CommandInput): Level | undefined {
  if (stringOption(input, "fail-on") === undefined) return undefined;
  return choiceOption<Level>(input, "fail-on", levels, "warning");
}

/** What the options `--partial` and `--allow-empty` accept. */
export function readAccepted(input: CommandInput): Accepted {
  return { partial: booleanOption(input, "partial"), allowEmpty: booleanOption(input, "allow-empty") };
}

/** How a report is printed. */
export interface Printing extends Accepted {
  readonly format: Format;
  /** The text of the command, instead of that of the report. What was not evaluated is on standard error. */
  readonly text?: () => string;
  /** The JSON of the command, instead of that of the report. */
  readonly json?: () => string;
  /** Nothing of the report is printed, because the command prints something else. */
  readonly isSilent?: boolean;
}

/** Prints a report in the format of the command line. @returns the exit code */
export function printReport(report: Report, printing: Printing, io: Io): 0 | 1 {
  const complete = completeReport(report, printing);
  const { format, isSilent = false } = printing;
  const own = format === "text" ? printing.text : format === "json" ? printing.json : undefined;
  if (!isSilent)
    io.stdout.write(inFormat(own?.() ?? printers[format](complete, repositoryPaths(io.env)), format, io));
  if (own || isSilent) io.stderr.write(inFormat(printNotEvaluated(complete), "text", io));
  return exitCodeOf(complete, printing);
}

/** Texts are for people: without control characters and commands of a pipeline, and in color. */
function inFormat(printed: string, format: Format, io: Io): string {
  return format === "text"
    ? escapeWorkflowCommands(colorLines(io.stdout, escapeLines(printed)), io)
    : printed;
}
