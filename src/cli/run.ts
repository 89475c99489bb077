/** Runs a command line: finds the command, parses its options and returns its exit code. */
import type { Io } from "./command.ts";
import { commands } from "./commands/commands.ts";
import { findCommand } from "./find-command.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import { earlierNames } from "./names.ts";
import { safeStreams } from "./output/safe-output.ts";
import { reportErrors, runCommand } from "./run-command.ts";
import { version } from "./version.ts";

/** The exit code of help and the version. Commands return 1 for a negative result (blocked requests, violations). */
const success = 0;

export function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  const safe = safeStreams(io);
  return reportErrors(safe, () => dispatch(words, safe));
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
  return runCommand(command, rest, commands, io);
}

/** Whether help is asked for before `--`, after which no word is an option. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}

function print(output: string, io: Io): number {
  io.stdout.write(output);
  return success;
}
