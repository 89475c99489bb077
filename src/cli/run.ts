/** Runs a command line: finds the command, parses its options and returns its exit code. */
import { ApiError, InvalidInputError, MemoryLimitError } from "../errors.ts";
import { type Io, UsageError } from "./command.ts";
import { commands } from "./commands/commands.ts";
import type { Command } from "./declare.ts";
import { findCommand } from "./find-command.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import { earlierNames } from "./names.ts";
import { escapeLines } from "./output/escape-control-characters.ts";
import { safeStreams } from "./output/safe/safe-output.ts";
import { escapeWorkflowCommands } from "./output/workflow-commands.ts";
import { readWords, type SortedWords, sortWords } from "./parse.ts";
import { version } from "./version.ts";

/** The exit codes of this file. Commands return 1 for a negative result (blocked requests, violations). */
const exitCodes = { success: 0, usageError: 2 } as const;

export function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  const safe = safeStreams(io);
  return orUsageError(safe, () => dispatch(words, safe));
}

/** Prints an error of usage or input, or the limit of memory that must be raised; other errors are thrown. */
async function orUsageError(io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const reason = messageOf(error);
    if (reason === undefined) throw error;
    const message = `edgeproof: ${escapeLines(reason)}\n`;
    io.stderr.write(escapeWorkflowCommands(message, io));
    return exitCodes.usageError;
  }
}

/** The message of an error of usage or input, from a command or from an engine that it runs; else undefined. */
function messageOf(error: unknown): string | undefined {
  const isReason = [UsageError, InvalidInputError, MemoryLimitError].some((type) => error instanceof type);
  if (isReason) return (error as Error).message;
  if (error instanceof ApiError) return error.problems.map(({ message }) => message).join("\n");
  return undefined;
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const [first, ...after] = words;
  const isHelp = first === "--help" || first === "-h" || first === "help";
  if (first === undefined || (isHelp && after.length === 0)) return print(overview(commands), io);
  if (first === "--version" || first === "-v") return print(`${version}\n`, io);
  const found = findCommand(commands, isHelp ? after : words);
  if ("group" in found) return print(groupHelp(commands, found.group), io);
  const { command, rest, earlierName } = found;
  if (earlierName !== undefined)
    io.stderr.write(
      `edgeproof: \`${earlierName}\` is now \`${earlierNames[earlierName]}\`; the earlier name will be removed\n`,
    );
  if (isHelp || asksForHelp(rest)) return print(commandHelp(command), io);
  return runCommand(command, rest, io);
}

/** Whether help is asked for before `--`, after which no word is an option. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}

async function runCommand(command: Command, rest: readonly string[], io: Io): Promise<number> {
  const sorted = sortWords(command, rest);
  const configured = command.ignoresProject ? undefined : await readProject(sorted, command, io);
  const input = readWords(command, sorted, configured);
  const own = configured ? { ...io, project: configured.project } : io;
  const { run } = await command.load();
  if (input.options["watch"] !== true) return run({ ...input, commands, io: own });
  const { rejectStandardInput, watchRuns } = await import("./watch/watch.ts");
  rejectStandardInput(input);
  return watchRuns((watched) => orUsageError(watched, () => run({ ...input, commands, io: watched })), own);
}

/** The configuration of the project; undefined without a file, for which the reader is not loaded. */
async function readProject(sorted: SortedWords, command: Command, io: Io) {
  const { findConfigFile } = await import("./project/find-file.ts");
  const path = findConfigFile(sorted);
  if (path === undefined) return undefined;
  const [{ readConfigFile }, { settingsOf }] = await Promise.all([
    import("./project/config-file.ts"),
    import("./project/settings.ts"),
  ]);
  const read = await readConfigFile(path, commands, io);
  return { project: read.project, ...settingsOf(command, read, commands) };
}

function print(output: string, io: Io): number {
  io.stdout.write(output);
  return exitCodes.success;
}
