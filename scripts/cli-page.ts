/** The page of the command line, made of the commands themselves. */
import { type Command, groups } from "../src/cli/command.ts";
import { commands } from "../src/cli/commands/commands.ts";
import { optionRows, usageOf } from "../src/cli/help.ts";
import { tableOf } from "./markdown.ts";

/** The Markdown of `docs/cli.md`. */
export function cliPage(): string {
  return [
    "# The command line",
    "",
    "<!-- Written by scripts/cli-page.ts from the commands; change them, not this page. -->",
    "",
    "You want an answer without writing a program: in a terminal, in a pipeline, in a script. `npx edgeproof --help` lists",
    "the commands, `npx edgeproof <command> --help` shows what is here for one of them.",
    "",
    ...tableOf(
      ["command", "what it does"],
      commands.map(({ name, summary }) => [`[${name}](#${name})`, summary]),
    ),
    "",
    "## What holds for all of them",
    "",
    "- The answer goes to standard output, what is to be said about it (progress, counts, errors) to standard error.",
    "- Exit code 0: fine. 1: the answer is no (blocked, violations, a difference). 2: the input cannot be used; standard",
    "  error says what was found and what is allowed. A mistyped command or option is answered with the nearest one.",
    "- `--json` prints the answer for programs. Its shape is published for each command as a JSON Schema, in the package",
    "  and in [schemas/cli](../schemas/cli); the tests hold every command to it. `match` and `variants` print JSON Lines,",
    "  and their schema is that of one line.",
    "- `--format sarif` of `check` and `lint` is SARIF 2.1.0, which editors and code hosts read; the part of it that is",
    "  used is [sarif.schema.json](../schemas/cli/sarif.schema.json).",
    "- `-` as a file is standard input, where a command reads one file.",
    "- Colours and progress lines appear on a terminal only, colours only without `NO_COLOR` in the environment.",
    "",
    ...exitCodes(),
    "",
    ...commands.flatMap(section),
  ].join("\n");
}

function exitCodes(): string[] {
  const rows = commands.map(({ name, exits }) => {
    const others = Object.entries(exits).filter(([code]) => !["0", "1", "2"].includes(code));
    const more = others.map(([code, meaning]) => `${code}: ${meaning}`).join(" ");
    return [`[${name}](#${name})`, exits[0] ?? "", exits[1] ?? "", more];
  });
  return ["## Exit codes", "", ...tableOf(["command", "0", "1", "others, beside 2"], rows)];
}

function section(command: Command): string[] {
  const { name, group, summary, about, options, exits, examples } = command;
  return [
    `## ${name}`,
    "",
    `*${groups[group]}.* ${summary}`,
    "",
    `\`${usageOf(command)}\``,
    ...about.flatMap((paragraph) => ["", paragraph]),
    "",
    ...tableOf(
      ["option", "meaning"],
      optionRows(options).map(([form, help]) => [`\`${form}\``, help]),
    ),
    "",
    ...tableOf(["exit code", "meaning"], Object.entries(exits)),
    "",
    "```sh",
    ...examples,
    "```",
    "",
    `\`--json\`: [${name}.schema.json](../schemas/cli/${name}.schema.json).`,
    "",
  ];
}
