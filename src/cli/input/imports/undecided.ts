/** Commands that do not mark each answer say what no file decides, and continue only with `--partial`. */
import type { Undecided } from "../../../import/undecided.ts";
import type { Io } from "../../command.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printUndecided } from "../../output/results/import-report.ts";

/**
 * Prints what is undecided.
 *
 * @param zones ids of the zones of the answers; absent for all
 * @returns whether the command continues; otherwise it ends with exit code 1
 */
export function acceptsUndecided(
  undecided: readonly Undecided[],
  { partial: isPartial }: { readonly partial: boolean },
  io: Io,
  zones?: ReadonlySet<string>,
): boolean {
  const deciding = undecided.filter(({ effect, subject }) => {
    const zone = subject?.["zone"];
    return effect !== undefined && (zone === undefined || !zones || zones.has(zone));
  });
  for (const part of deciding) io.stderr.write(escapeLines(`${printUndecided(part)}\n`));
  if (deciding.length === 0 || isPartial) return true;
  io.stderr.write("the answers depend on what is undecided; --partial continues without it\n");
  return false;
}
