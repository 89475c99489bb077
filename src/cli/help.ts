/** The output of `--help`. */
import { type Command, type CommandEntry, type CommandOptions, groups } from "./command.ts";

/** The column of the descriptions of options. */
const column = 30;

/** Maximum line length. */
const width = 100;

export function overview(commands: readonly CommandEntry[]): string {
  const listed = Object.entries(groups).flatMap(([group, title]) => [
    "",
    `${title}:`,
    ...commands.filter((c) => c.group === group).map((c) => twoColumns(`  ${c.name}`, c.summary, 14)),
  ]);
  return [
    "edgeproof: test edge configuration before production runs it.",
    "",
    "Usage: edgeproof <command> [options]",
    ...listed,
    "",
    "Start with:",
    "  edgeproof demo                          show the main features on built-in samples",
    "  edgeproof eval --help                   show the options, exit codes and examples of a command",
    "  edgeproof serve                         serve the interface on http://127.0.0.1:8787",
    "",
    "Commands that print a result accept --json; its schema is schemas/cli/<command>.schema.json.",
    "Exit codes: 0 success, 1 negative result (blocked requests, violations), 2 invalid usage or input.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    ...wrap(`edgeproof ${command.name}: ${command.summary}`, width),
    "",
    `Usage: ${usageOf(command)}`,
    ...command.about.flatMap((paragraph) => ["", ...wrap(paragraph, width)]),
    "",
    "Options:",
    ...optionRows(command.options).map(([usage, help]) => twoColumns(`  ${usage}`, help, column)),
    "",
    "Exit codes:",
    ...Object.entries(command.exits).map(([code, meaning]) => twoColumns(`  ${code}`, meaning, 6)),
    "",
    "Examples:",
    ...command.examples.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

export function usageOf({ name, positionals }: Command): string {
  return ["edgeproof", name, positionals, "[options]"].filter(Boolean).join(" ");
}

/** The usage (`--port <number>`) and the help of each option. */
export function optionRows(options: CommandOptions): (readonly [usage: string, help: string])[] {
  return Object.entries(options).map(([name, { help, value, implied }]) => {
    const shown = value === undefined ? "" : implied === undefined ? ` <${value}>` : ` [${value}]`;
    return [`--${name}${shown}`, help] as const;
  });
}

/** A term and its description in the column, on the next line where the term is too long. */
function twoColumns(term: string, description: string, from: number): string {
  const [first = "", ...rest] = wrap(description, width - from);
  const head = term.length < from ? `${term.padEnd(from)}${first}` : `${term}\n${" ".repeat(from)}${first}`;
  return [head, ...rest.map((line) => " ".repeat(from) + line)].join("\n");
}

/** Wraps a paragraph between its words. */
function wrap(paragraph: string, maxLength: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > maxLength) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
