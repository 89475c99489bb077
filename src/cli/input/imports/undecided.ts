/** Commands that answer about requests stop when no file decides the answer. */
import type { Undecided } from "../../../import/undecided.ts";
import { UsageError } from "../../command.ts";
import { printUndecided } from "../../output/results/import-report.ts";

/**
 * Stops unless `--partial` is set.
 *
 * @param zones ids of the zones of the answers; absent for all
 * @throws {UsageError} that lists what is undecided, and what to run
 */
export function assertDecided(
  undecided: readonly Undecided[],
  options: { readonly partial?: boolean },
  zones?: ReadonlySet<string>,
): void {
  if (options.partial) return;
  const deciding = undecided.filter(({ effect, subject }) => {
    const zone = subject?.["zone"];
    return effect !== undefined && (zone === undefined || !zones || zones.has(zone));
  });
  if (deciding.length === 0) return;
  const lines = deciding.map((part) => `  ${printUndecided(part).replaceAll("\n", "\n  ")}`);
  throw new UsageError(
    `the answer depends on what is undecided; --partial continues and marks each answer that it could change:\n${lines.join("\n")}`,
  );
}
