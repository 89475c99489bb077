/** Options about what a command prints. */
import { levels } from "../../core/diagnostic.ts";
import { UsageError } from "../command.ts";
import { choice, flag, type Option, outFile, shortFor, type ValuesOf } from "../declare.ts";

/** The `--json` option of commands with two outputs. */
export const jsonOption = { json: flag("Print the result as JSON, for programs.") };

/** The formats of commands that find faults. */
export const formats = ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"] as const;

/** A value of `--format`. */
export type Format = (typeof formats)[number];

/** The output of a command, and the files that it writes. */
export interface Formats {
  /** On standard output. */
  readonly printed: Format;
  readonly files: readonly { readonly format: Format; readonly path: string }[];
}

const oneFormat = choice(formats, "");

/** A word such as `sarif`, or `sarif=out.sarif` for a file. */
const formatWord = /^([^=]*)=(.+)$/s;

function readFormats(words: readonly string[], name: string): Formats {
  const read = words.map((word) => {
    const [, format = word, path = "-"] = formatWord.exec(word) ?? [];
    return { format: oneFormat.read([format], name) ?? "text", path };
  });
  const printed = read.filter(({ path }) => path === "-");
  const files = read.filter(({ path }) => path !== "-");
  const [first, second] = printed;
  if (first && second && first.format !== second.format)
    throw new UsageError(
      `${name} prints one format; found \`${first.format}\` and \`${second.format}\`: write one to a file, such as \`${first.format}=FILE\``,
    );
  const repeated = files.find(({ path }, i) => files.findIndex((other) => other.path === path) !== i);
  if (repeated) throw new UsageError(`${name} writes the file ${repeated.path} twice`);
  return { printed: first?.format ?? "text", files };
}

const formatOption: Option<Formats> = {
  choices: formats,
  value: `${formats.join("|")}[=file]`,
  isList: true,
  usualWord: "text",
  help: "Output format: for people, for programs, for code hosts (SARIF, GitLab Code Quality), as test results (JUnit XML), as annotations of GitHub Actions, or as the summary of a pipeline's step; with `=file` to a file. Repeatable. Default: text.",
  read: readFormats,
  mapPaths: (word, map) => {
    const [, format, path] = formatWord.exec(word) ?? [];
    return path === undefined ? word : `${format}=${map(path, "write")}`;
  },
};

export const formatOptions = {
  format: formatOption,
  json: shortFor("format", "json"),
  all: flag("Print every finding as text. Default: the first 10 of each rule, and the number of the others."),
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
export type CoverageValues = ValuesOf<typeof coverageOptions> & { readonly format: Formats };

/** The message for options of coverage that need another one. */
export function coverageConflict({ coverage, coverageOut, format }: CoverageValues): string | undefined {
  if (coverage === undefined)
    return coverageOut === undefined
      ? undefined
      : `--coverage-out needs --coverage with a format: ${coverageFormats.map((name) => `\`${name}\``).join(", ")}`;
  if (format.printed === "text" || (coverageOut !== undefined && coverageOut !== "-")) return undefined;
  return `--coverage needs a file in --coverage-out when --format is \`${format.printed}\`: both would be written to standard output`;
}
