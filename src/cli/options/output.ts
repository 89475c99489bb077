/** Options about what a command prints. */
import { levels } from "../../core/diagnostic.ts";
import { choice, flag, outFile, shortFor, usual, type ValuesOf } from "../declare.ts";

/** The `--json` option of commands with two outputs. */
export const jsonOption = { json: flag("Print the result as JSON, for programs.") };

/** The formats of commands that find faults. */
export const formats = ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"] as const;

/** A value of `--format`. */
export type Format = (typeof formats)[number];

export const formatOptions = {
  format: usual(
    choice(
      formats,
      "Output format: for people, for programs, for code hosts (SARIF, GitLab Code Quality), as test results (JUnit XML), as annotations of GitHub Actions, or as the summary of a pipeline's step. Default: text.",
    ),
    "text",
  ),
  json: shortFor("format", "json"),
};

export const acceptOptions = { "allow-empty": flag("Exit with 0 although nothing was evaluated.") };

export const failOnOption = {
  "fail-on": choice(
    levels,
    "Exit with 1 for findings of this level or a worse one. Default: warning, for applications error.",
  ),
};

/** The option of commands that can be watched; their reading functions report every file to `io.onInputFile`. */
export const watchOption = {
  watch: flag(
    "Run again whenever a file changes that the command reads, until Ctrl+C, which ends it with code 0.",
  ),
};

export const coverageFormats = ["text", "json", "html", "lcov"] as const;

export const coverageOptions = {
  coverage: choice(
    coverageFormats,
    "Also report which rules, operations, conditions and reasons the requests exercise: for people, for programs, as a page, or for code hosts and editors (lcov). Text follows the verdicts; the others take their place.",
  ),
  "coverage-out": outFile(
    "File for the coverage; then the verdicts are printed, too. Default: standard output.",
  ),
};

/** The values of the options of coverage and format. */
export type CoverageValues = ValuesOf<typeof coverageOptions> & { readonly format: Format };

/** The message for options of coverage that need another one. */
export function coverageConflict({ coverage, coverageOut, format }: CoverageValues): string | undefined {
  if (coverage === undefined)
    return coverageOut === undefined
      ? undefined
      : `--coverage-out needs --coverage with a format: ${coverageFormats.map((one) => `\`${one}\``).join(", ")}`;
  if (format === "text" || (coverageOut !== undefined && coverageOut !== "-")) return undefined;
  return `--coverage needs a file in --coverage-out when --format is \`${format}\`: both would be written to standard output`;
}
