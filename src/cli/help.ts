/** The output of `--help`. */
import { runCommand } from "../core/text/run-command.ts";
import type { Command, Options } from "./declare.ts";
import { groups } from "./names.ts";
import { fill, wrap } from "./output/wrap.ts";

/** The column of the descriptions of options. */
const column = 28;

/** Maximum line length. */
const width = 80;

export function overview(commands: readonly Command[]): string {
  const rows = new Map(
    commands.map(({ name, summary }) => {
      const [first = ""] = name.split(" ");
      return [first, groups[first] ?? summary] as const;
    }),
  );
  return [
    "edgeproof: test edge configuration before production runs it.",
    "",
    "Usage: edgeproof <command> [options]",
    "",
    "Commands:",
    ...[...rows].map(([name, summary]) => twoColumns(`  ${name}`, summary, 14)),
    "",
    "Start with:",
    ...[
      ["demo", "show the main features on built-in samples"],
      ["brand --help", "list the subcommands of a command"],
      ["eval --help", "show options, exit codes and examples"],
      ["serve", "serve the interface on http://127.0.0.1:8787"],
    ].map(([words, purpose = ""]) => twoColumns(`  ${runCommand} ${words}`, purpose, column)),
    "",
    ...wrap("Commands that print a result accept --json; its schema is in schemas/cli.", width),
    "Exit codes: 0 success, 1 negative result (findings), 2 invalid usage or input.",
    "",
  ].join("\n");
}

/** The subcommands of a name. */
export function groupHelp(commands: readonly Command[], group: string): string {
  const own = commands.filter(({ name }) => name.startsWith(`${group} `));
  return [
    ...wrap(`edgeproof ${group}: ${groups[group]}`, width),
    "",
    `Usage: edgeproof ${group} <command> [options]`,
    "",
    "Commands:",
    ...own.map(({ name, summary }) => twoColumns(`  ${name.slice(group.length + 1)}`, summary, 14)),
    "",
    `\`${runCommand} ${group} <command> --help\` shows the options of one.`,
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    ...wrap(`edgeproof ${command.name}: ${command.summary}`, width),
    "",
    ...wrap(`Usage: ${usageOf(command)}`, width),
    ...command.about.flatMap((paragraph) => ["", ...wrap(paragraph, width)]),
    "",
    "Options:",
    ...optionRows(command.options).map(([usage, help]) => twoColumns(`  ${usage}`, help, column)),
    "",
    "Exit codes:",
    ...Object.entries(command.exits).map(([code, meaning]) => twoColumns(`  ${code}`, meaning, 6)),
    "",
    "Examples:",
    ...command.examples.map((line) => `  ${continued(line)}`),
    "",
  ].join("\n");
}

export function usageOf({ name, arguments: accepted }: Command): string {
  return ["edgeproof", name, accepted?.usage, "[options]"].filter(Boolean).join(" ");
}

/** The usage (`--port <number>`) and the help of each option. */
export function optionRows(options: Options): (readonly [usage: string, help: string])[] {
  return Object.entries(options).map(([name, { help, value, implied, letter }]) => {
    const shown = value === undefined ? "" : implied === undefined ? ` <${value}>` : ` [${value}]`;
    return [`${letter === undefined ? "" : `-${letter}, `}--${name}${shown}`, help] as const;
  });
}

/** A term and its description in the column, on the next line where the term is too long. */
function twoColumns(term: string, description: string, from: number): string {
  const [first = "", ...rest] = wrap(description, width - from);
  const head = term.length < from ? `${term.padEnd(from)}${first}` : `${term}\n${" ".repeat(from)}${first}`;
  return [head, ...rest.map((line) => " ".repeat(from) + line)].join("\n");
}

/** A long command line, continued after a backslash before an option, an address or another command. */
function continued(line: string): string {
  const parts = line.split(/ (?=--[a-z]|[|>&]|http)/);
  return fill(parts, width - 4).join(" \\\n    ");
}
