/** Runs one command with its words, and turns errors of usage and input into a message and an exit code. */
import { ApiError, InvalidInputError, MemoryLimitError } from "../errors.ts";
import { type Io, UsageError } from "./command.ts";
import type { Command } from "./declare.ts";
import { escapeLines } from "./output/escape-control-characters.ts";
import { escapeWorkflowCommands } from "./output/workflow-commands.ts";
import { readWords, type SortedWords, sortWords } from "./parse.ts";

/** The exit code of invalid usage or input. */
const usageErrorCode = 2;

/** Prints an error of usage or input, or the limit of memory that must be raised; other errors are thrown. */
export async function orUsageError(io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const reason = messageOf(error);
    if (reason === undefined) throw error;
    const message = `edgeproof: ${escapeLines(reason)}\n`;
    io.stderr.write(escapeWorkflowCommands(message, io));
    return usageErrorCode;
  }
}

/** The message of an error of usage or input, from a command or from an engine that it runs; else undefined. */
function messageOf(error: unknown): string | undefined {
  const isReason = [UsageError, InvalidInputError, MemoryLimitError].some((type) => error instanceof type);
  if (isReason) return (error as Error).message;
  if (error instanceof ApiError) return error.problems.map(({ message }) => message).join("\n");
  return undefined;
}

/** Runs a command. @param rest the words after its name @throws {UsageError} and errors of input */
export async function runCommand(
  command: Command,
  rest: readonly string[],
  commands: readonly Command[],
  io: Io,
): Promise<number> {
  const sorted = sortWords(command, rest);
  const hasSecret = [...sorted.given.keys()].some((name) => command.options[name]?.notInFile !== undefined);
  const own: Io = hasSecret ? io : { ...io, commandLine: [...command.name.split(" "), ...rest] };
  const first = await readInvocation(sorted, command, commands, own);
  const { run } = await command.load();
  if (first.options["watch"] !== true) return run({ ...first, commands });
  const { rejectStandardInput, watchRuns } = await import("./watch/watch.ts");
  rejectStandardInput(first);
  const runAgain = async (watched: Io) => {
    // The configuration file may have changed.
    const next = await readInvocation(sorted, command, commands, watched);
    rejectStandardInput(next);
    return run({ ...next, commands });
  };
  return watchRuns((watched) => orUsageError(watched, () => runAgain(watched)), own);
}

/** The options and words of a command, those of the configuration file among them. */
async function readInvocation(sorted: SortedWords, command: Command, commands: readonly Command[], io: Io) {
  const configured = command.ignoresProject ? undefined : await readProject(sorted, command, commands, io);
  const input = readWords(command, sorted, configured);
  return { ...input, io: configured ? { ...io, project: configured.project } : io };
}

/** The configuration of the project; undefined without a file, for which the reader is not loaded. */
async function readProject(sorted: SortedWords, command: Command, commands: readonly Command[], io: Io) {
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
