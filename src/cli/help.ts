/** The texts of `--help`. */
import { type Command, type CommandOptions, groups } from "./command.ts";

/** Where the text beside options and commands begins. */
const column = 30;

/** Lines of running text are no longer than this. */
const width = 100;

export function overview(commands: readonly Command[]): string {
  const listed = Object.entries(groups).flatMap(([group, title]) => [
    "",
    `${title}:`,
    ...commands.filter((c) => c.group === group).map((c) => twoColumns(`  ${c.name}`, c.summary, 14)),
  ]);
  return [
    "edgeproof: run edge configuration before it runs you.",
    "",
    "Usage: edgeproof <command> [options]",
    ...listed,
    "",
    "Begin with:",
    "  edgeproof demo                          what all of this looks like, on built-in samples",
    "  edgeproof eval --help                   a command's options, exit codes and examples",
    "  edgeproof serve                         the interface on http://127.0.0.1:8787",
    "",
    "Every command takes --json, whose shape is published as schemas/cli/<command>.schema.json.",
    "Exit codes: 0 fine, 1 the answer is no (blocked, violations), 2 the input cannot be used.",
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
    ...optionRows(command.options).map(([form, help]) => twoColumns(`  ${form}`, help, column)),
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

/** Each option as it is written, and its line of help. */
export function optionRows(options: CommandOptions): (readonly [form: string, help: string])[] {
  return Object.entries(options).map(([name, { help, value }]) => {
    return [`--${name}${value === undefined ? "" : ` <${value}>`}`, help] as const;
  });
}

/** A word with a text beside it, or below it where there is no room. */
function twoColumns(word: string, text: string, from: number): string {
  const [first = "", ...rest] = wrap(text, width - from);
  const head = word.length < from ? `${word.padEnd(from)}${first}` : `${word}\n${" ".repeat(from)}${first}`;
  return [head, ...rest.map((line) => " ".repeat(from) + line)].join("\n");
}

/** Breaks a text between its words. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
