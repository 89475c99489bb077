/** Progress on a terminal while mutants are generated or tested, and the processor time that each took. */

import { formatCount } from "../../../core/format-count.ts";
import type { Io } from "../../command.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { createProgressLine } from "../progress.ts";

/** Runs work on the mutants of a zone, and prints the time on standard error. */
export function measureMutants<T>(
  { stderr }: Pick<Io, "stderr">,
  zone: string,
  verb: "generated" | "tested",
  work: (onProgress: (done: number, all: number) => void) => { readonly result: T; readonly mutants: number },
): T {
  const line = createProgressLine(stderr);
  const from = process.cpuUsage();
  const { result, mutants } = work((done, all) =>
    line.update(`zone ${zone}: ${done} of ${formatCount(all, "mutant")}`),
  );
  line.end();
  const { user, system } = process.cpuUsage(from);
  const seconds = (user + system) / 1e6;
  const each = mutants === 0 ? 0 : (seconds * 1_000) / mutants;
  stderr.write(
    escapeLines(
      `zone ${zone}: ${formatCount(mutants, "mutant")} ${verb} in ${seconds.toFixed(1)} s of processor time (${each.toFixed(2)} ms each)\n`,
    ),
  );
  return result;
}
