/** Generates the page of the command line from the definitions of the commands. */
import type { Command } from "../src/cli/declare.ts";
import { optionRows, usageOf } from "../src/cli/help.ts";
import { tableOf } from "./markdown.ts";

/** The Markdown of `docs/cli.md`. */
export function cliPage(commands: readonly Command[]): string {
  return [
    "# The command line",
    "",
    "<!-- Written by scripts/cli-page.ts from the commands; change them, not this page. -->",
    "",
    "Commands answer questions without a program: in a terminal, in a pipeline, in a script. `npx edgeproof --help` lists",
    "the commands, `npx edgeproof <command> --help` shows the section below of one command.",
    "",
    ...tableOf(
      ["command", "purpose"],
      commands.map(({ name, summary }) => [linkTo(name), summary]),
    ),
    "",
    "## All commands",
    "",
    "- Results are printed to standard output; progress, counts and errors are printed to standard error.",
    "- Exit code 0: success. 1: negative result (blocked requests, violations, differences). 2: invalid usage or input;",
    "  standard error says what was found and what is allowed, and suggests a word for a mistyped command or option.",
    "- `--json` prints the result for programs. The JSON Schema of each command is published in the package and in",
    "  [schemas/cli](../schemas/cli). `brand match` and `brand variants` print JSON Lines, and their schema describes one line.",
    "- `--format` of commands that find faults: `sarif` prints SARIF 2.1.0, which editors and code hosts read (its members",
    "  are in [sarif.schema.json](../schemas/cli/sarif.schema.json)), `junit` prints test results as JUnit XML, `github`",
    "  prints annotations of GitHub Actions, `markdown` prints the summary of a pipeline's step.",
    "- `--watch` of commands that find faults runs them again whenever a file changes that they read. A broken or missing",
    "  file is reported, and the command waits for its next change. Each run ends with a line on standard error: the",
    "  time, the exit code of the run and its duration. Ctrl+C ends the command with code 0.",
    "- `npx edgeproof complete <shell>` prints the script with which bash, zsh, fish or PowerShell complete commands, options and",
    "  values. The package has a manual page, `edgeproof(1)`.",
    "- A file that is named like a subcommand is given with its folder: `npx edgeproof world ./from`.",
    "- Commands of earlier versions, such as `match`, work until the next minor version, and print the new name.",
    "- `-` as a file name is standard input, for commands that read one file.",
    "- Progress lines are printed on terminals only. So are colors, unless `NO_COLOR` is set in the environment.",
    "",
    ...exitCodes(commands),
    "",
    ...commands.flatMap(section),
  ].join("\n");
}

function exitCodes(commands: readonly Command[]): string[] {
  const rows = commands.map(({ name, exits }) => {
    const otherExits = Object.entries(exits).filter(([code]) => !["0", "1", "2", "3"].includes(code));
    const otherCodes = otherExits.map(([code, meaning]) => `${code}: ${meaning}`).join(" ");
    return [linkTo(name), exits[0] ?? "", exits[1] ?? "", otherCodes];
  });
  return ["## Exit codes", "", ...tableOf(["command", "0", "1", "other codes except 2 and 3"], rows)];
}

function linkTo(name: string): string {
  return `[${name}](#${name.replaceAll(" ", "-")})`;
}

function section(command: Command): string[] {
  const { name, summary, about, options, exits, examples, schema } = command;
  return [
    `## ${name}`,
    "",
    summary,
    "",
    `\`${usageOf(command)}\``,
    ...about.flatMap((paragraph) => ["", paragraph]),
    "",
    ...tableOf(
      ["option", "meaning"],
      optionRows(options).map(([usage, help]) => [`\`${usage}\``, help]),
    ),
    "",
    ...tableOf(["exit code", "meaning"], Object.entries(exits)),
    "",
    "```sh",
    ...examples,
    "```",
    "",
    ...(schema ? [`\`--json\`: [${schema}.schema.json](../schemas/cli/${schema}.schema.json).`, ""] : []),
  ];
}
