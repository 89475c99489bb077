/** The `--format` option of commands that find faults, and the choice of the printer. */
import { booleanOption, type CommandInput, choiceOption, type Io } from "../../command.ts";
import { printGithub } from "./github.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";
import { type ReportPath, repositoryPaths } from "./repository-path.ts";
import { printSarif } from "./sarif.ts";
import { escapeWorkflowCommands } from "./workflow-commands.ts";

const printers = {
  sarif: printSarif,
  junit: printJunit,
  github: printGithub,
  markdown: printMarkdown,
} as const satisfies Record<string, (report: Report, pathOf: ReportPath) => string>;

type ReportFormat = keyof typeof printers;

/** A value of `--format`. */
export type Format = "text" | "json" | ReportFormat;

const formats = ["text", "json", ...(Object.keys(printers) as ReportFormat[])] as const;

/** The options `--format` and `--json`. */
export const formatOptions = {
  format: {
    type: "string",
    value: formats.join("|"),
    help: "Output format: for people, for programs, for code hosts (SARIF), as test results (JUnit XML), as annotations of GitHub Actions, or as the summary of a pipeline's step. Default: text.",
  },
  json: { type: "boolean", help: "The same as --format json." },
} as const;

/** @throws {UsageError} for an unknown format */
export function readFormat(input: CommandInput): Format {
  return booleanOption(input, "json") ? "json" : choiceOption(input, "format", formats, "text");
}

/** What a command prints in each format; only the chosen one is built. */
export interface Formatted {
  readonly text: () => string;
  readonly json: () => string;
  readonly report: () => Report;
}

/** Prints the result of a command in a format. */
export function printFormatted(format: Format, { text, json, report }: Formatted, io: Io): void {
  if (format === "text") io.stdout.write(escapeWorkflowCommands(text(), io));
  else if (format === "json") io.stdout.write(json());
  else io.stdout.write(printers[format](report(), repositoryPaths(io.env)));
}
