/** Runs a command line: finds the command, parses its options and returns its exit code. */
import { parseArgs } from "node:util";
import { didYouMean } from "../core/suggest.ts";
import { booleanOption, type Command, type CommandInput, type Io, UsageError } from "./command.ts";
import { commands, loadCommand } from "./commands/commands.ts";
import { commandHelp, overview } from "./help.ts";
import { escapeLines } from "./output/escape-control-characters.ts";
import { escapeWorkflowCommands } from "./output/workflow-commands.ts";
import { version } from "./version.ts";

/** The exit codes of this file. Commands return 1 for a negative result (blocked requests, violations). */
const exitCodes = { success: 0, usageError: 2 } as const;

export function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  return orUsageError(io, () => dispatch(words, io));
}

/** Prints a usage error; other errors are thrown. */
async function orUsageError(io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = `edgeproof: ${escapeLines(error.message)}\n`;
    io.stderr.write(escapeWorkflowCommands(message, io));
    return exitCodes.usageError;
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return help(rest[0], io);
  if (name === "--version" || name === "-v") return print(`${version}\n`, io);
  const command = await findCommand(name);
  if (rest.includes("--help") || rest.includes("-h")) return help(name, io);
  const input = parseWords(command, rest);
  if (!booleanOption(input, "watch")) return command.run(input, io);
  const { rejectStandardInput, watchRuns } = await import("./watch/watch.ts");
  rejectStandardInput(input);
  return watchRuns((watched) => orUsageError(watched, () => command.run(input, watched)), io);
}

async function help(name: string | undefined, io: Io): Promise<number> {
  return print(name === undefined ? overview(commands) : commandHelp(await findCommand(name)), io);
}

function print(output: string, io: Io): number {
  io.stdout.write(output);
  return exitCodes.success;
}

async function findCommand(name: string): Promise<Command> {
  const command = commands.find((c) => c.name === name);
  if (command) return loadCommand(command);
  const words = [...commands.map((c) => c.name), "help", "--help", "--version"];
  throw new UsageError(
    `unknown command \`${name}\`${didYouMean(name, words) || ";"} \`edgeproof --help\` lists the commands`,
  );
}

function parseWords(command: Command, words: readonly string[]): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args: withJoinedValues(command, words),
      options: command.options,
      allowPositionals: command.positionals !== "",
    });
    return { values: values as CommandInput["values"], positionals };
  } catch (error) {
    throw new UsageError(
      `${describeParseError(command, error as Error)} \`edgeproof ${command.name} --help\` shows its options`,
    );
  }
}

/** The messages of `parseArgs` and their wording here. */
const parseErrors: readonly (readonly [pattern: RegExp, describe: (word: string) => string])[] = [
  [/Unexpected argument '([^']*)'/, (word) => `unexpected argument \`${word}\`;`],
  [/Option '(--?[\w-]+)[^']*' argument (?:missing|is ambiguous)/, (option) => `${option} needs a value;`],
  [/Option '(--?[\w-]+)[^']*' does not take an argument/, (option) => `${option} does not accept a value;`],
];

/**
 * Adds the implied value to options that may have none, and joins options with a negative number, both of which `parseArgs`
 * does not support.
 */
function withJoinedValues({ options }: Command, words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const next = words[i + 1] ?? "";
    const { type, implied, value = "" } = options[word.replace(/^--/, "")] ?? {};
    if (word === "--") return [...joined, ...words.slice(i)];
    if (!word.startsWith("--") || type !== "string") joined.push(word);
    else if (implied !== undefined)
      joined.push(value.split("|").includes(next) ? word : `${word}=${implied}`);
    else if (/^-\d/.test(next)) {
      joined.push(`${word}=${next}`);
      i += 1;
    } else joined.push(word);
  }
  return joined;
}

/** An error of `parseArgs` in one sentence, with a suggestion for an unknown option. */
function describeParseError(command: Command, { message }: Error): string {
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (unknown === undefined) {
    for (const [pattern, describe] of parseErrors) {
      const [, word] = pattern.exec(message) ?? [];
      if (word !== undefined) return describe(word);
    }
    return `${message};`;
  }
  const options = Object.keys(command.options).map((name) => `--${name}`);
  return `unknown option \`${unknown}\`${didYouMean(unknown, options) || ";"}`;
}
