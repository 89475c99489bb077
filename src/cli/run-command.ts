/** Runs one command with its words, and turns errors of usage and input into a message and an exit code. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { FileWriteError } from "../core/files/file-write-error.ts";
import { ApiError, DependencyUnavailableError, InvalidInputError, MemoryLimitError } from "../errors.ts";
import { type Io, UsageError } from "./command.ts";
import type { Command, MapPath } from "./declare.ts";
import { escapeLines } from "./output/escape-control-characters.ts";
import { readWords, type SortedWords, sortWords, wordsOf } from "./parse.ts";

/** The exit code of invalid usage or input. */
const usageErrorCode = 2;

/** The exit code of an internal error and of a machine or a package that fails: nothing was decided. */
export const internalErrorCode = 3;

/** Prints an error, one of usage or input or an outage without its stack. @returns its exit code */
export async function reportErrors(io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const reason = messageOf(error);
    io.stderr.write(`edgeproof: ${escapeLines(reason ?? internalMessageOf(error))}\n`);
    if (error instanceof UsageError) return error.exitCode;
    return reason === undefined ? internalErrorCode : usageErrorCode;
  }
}

/** The message of an error of usage or input, from a command or from a part that it uses; else undefined. */
function messageOf(error: unknown): string | undefined {
  const isReason = [UsageError, FileWriteError, InvalidInputError, MemoryLimitError].some(
    (type) => error instanceof type,
  );
  if (isReason) return (error as Error).message;
  if (error instanceof ApiError) return error.problems.map(({ message }) => message).join("\n");
  return undefined;
}

/** The message of an error of this program or of the machine: nothing was decided. */
function internalMessageOf(error: unknown): string {
  if (error instanceof DependencyUnavailableError) return error.message;
  return `internal error: ${(error instanceof Error && error.stack) || error}`;
}

/** Runs a command. @param rest the words after its name @throws {UsageError} and errors of input */
export async function runCommand(
  command: Command,
  rest: readonly string[],
  commands: readonly Command[],
  io: Io,
): Promise<number> {
  const sorted = sortWords(command, rest);
  for (const name of sorted.earlier)
    io.stderr.write(
      `edgeproof: \`--${command.options[name]?.earlierName}\` is now \`--${name}\`; the earlier name will be removed\n`,
    );
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
  return watchRuns((watched) => reportErrors(watched, () => runAgain(watched)), own);
}

/** The options and words of a command, those of the configuration file among them. */
async function readInvocation(sorted: SortedWords, command: Command, commands: readonly Command[], io: Io) {
  const configured = command.ignoresProject ? undefined : await readProject(sorted, command, commands, io);
  const input = readWords(command, sorted, configured);
  assertFolders(command, (name) => wordsOf(name, sorted, configured));
  return { ...input, io: configured ? { ...io, project: configured.project } : io };
}

/** Finds the missing folder of a file that a command writes before the command works for minutes. @throws {FileWriteError} */
function assertFolders({ options }: Command, words: (name: string) => readonly string[]): void {
  const assertFolder: MapPath = (path, use) => {
    if (use !== "write" || existsSync(dirname(path))) return path;
    throw new FileWriteError(path, { code: "ENOENT" });
  };
  for (const [name, { mapPaths }] of Object.entries(options))
    for (const word of words(name)) mapPaths?.(word, assertFolder);
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
