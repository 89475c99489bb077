/** `--watch`: runs a command again whenever a file that it read has changed, or a pattern matches other files. */

import { formatCount } from "../../core/format-count.ts";
import { type Io, UsageError } from "../command.ts";
import type { Invocation } from "../declare.ts";
import { standardInput } from "../standard-input.ts";
import { nextChange, type Watched, watchedFile, watchedList } from "./file-changes.ts";

/** @throws {UsageError} when the command reads standard input, which cannot be read a second time */
export function rejectStandardInput({ options, words }: Pick<Invocation, "options" | "words">): void {
  if ([...words, ...Object.values(options).flat()].includes(standardInput))
    throw new UsageError("--watch cannot read standard input a second time; name a file");
}

/** Clears a terminal and what was scrolled out of it (ECMA-48, 8.3.39, and xterm). */
const clearScreen = "\u001b[2J\u001b[3J\u001b[H";

/**
 * Runs a command, waits until a file that it read has changed, and so on until the user stops it. The time and the exit
 * code of each run are one line on standard error.
 *
 * @param run never throws for invalid options, such as a file that is half written
 * @returns 0 after the stop; the exit code of a run that failed before it read any file, because no change would help
 */
export async function watchRuns(run: (io: Io) => Promise<number>, io: Io): Promise<number> {
  const { handleSignals, ...watched } = io;
  handleSignals?.();
  for (;;) {
    const files = new Map<string, Watched>();
    const lists = new Map<string, Watched>();
    const from = performance.now();
    const code = await run({
      ...watched,
      // The state before reading: a change during the run counts.
      onInputFile: (path) => void (files.has(path) || files.set(path, watchedFile(path))),
      onInputList: (name, list) => void (lists.has(name) || lists.set(name, watchedList(list))),
    });
    const seen = [...files.values(), ...lists.values()];
    if (seen.length === 0) return code;
    const seconds = ((performance.now() - from) / 1_000).toFixed(2);
    const end = `${formatTime(new Date())} exit code ${code} after ${seconds} s`;
    io.stderr.write(`${end}; watching ${formatCount(files.size, "file")}\n`);
    if (!(await nextChange(seen, io.signal))) return 0;
    if (io.stdout.isTerminal) io.stdout.write(clearScreen);
  }
}

/** Local time: `09:05:00`. */
function formatTime(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
