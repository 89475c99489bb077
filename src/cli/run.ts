/** From words on a command line to an exit code. */
import { parseArgs } from "node:util";
import { type Command, type CommandInput, type Io, UsageError } from "./command.ts";
import { commands } from "./commands/commands.ts";
import { commandHelp, overview } from "./help.ts";
import { escapeLines } from "./output/escape-control-characters.ts";
import { suggest } from "./suggest.ts";
import { version } from "./version.ts";

/** Exit codes: 0 fine, 1 the answer is no (blocked, violations), 2 the input cannot be used. */
export const exitCodes = { fine: 0, no: 1, unusable: 2 } as const;

export async function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(words, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr.write(`edgeproof: ${escapeLines(error.message)}\n`);
    return exitCodes.unusable;
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return help(rest[0], io);
  if (name === "--version" || name === "-v") return print(`${version}\n`, io);
  const command = findCommand(name);
  if (rest.includes("--help") || rest.includes("-h")) return help(name, io);
  return command.run(parseWords(command, rest), io);
}

function help(name: string | undefined, io: Io): number {
  return print(name === undefined ? overview(commands) : commandHelp(findCommand(name)), io);
}

function print(text: string, io: Io): number {
  io.stdout.write(text);
  return exitCodes.fine;
}

function findCommand(name: string): Command {
  const command = commands.find((c) => c.name === name);
  if (command) return command;
  const meant = suggest(name, [...commands.map((c) => c.name), "help", "--help", "--version"]);
  throw new UsageError(
    `there is no command \`${name}\`;${meant ? ` did you mean \`${meant}\`?` : ""} \`edgeproof --help\` lists them`,
  );
}

function parseWords(command: Command, words: readonly string[]): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: command.options,
      allowPositionals: command.positionals !== "",
    });
    return { values: values as CommandInput["values"], positionals };
  } catch (error) {
    throw new UsageError(
      `${describeParseError(command, error as Error)} \`edgeproof ${command.name} --help\` shows what it takes`,
    );
  }
}

/** Node's own message, with what was probably meant. */
function describeParseError(command: Command, error: Error): string {
  const unknown = /Unknown option '(--?[^']+)'/.exec(error.message)?.[1];
  if (unknown === undefined) return `${error.message.replace(/\.$/, "").split(". ")[0]};`;
  const meant = suggest(
    unknown,
    Object.keys(command.options).map((name) => `--${name}`),
  );
  return `there is no option \`${unknown}\`;${meant ? ` did you mean \`${meant}\`?` : ""}`;
}
