/** Commands that answer about requests stop when no file decides the answer. */
import type { Undecided } from "../../../import/world/report.ts";
import { type Io, UsageError } from "../../command.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printUndecided } from "../../output/import-report.ts";

type PartialValues = { readonly partial?: boolean };

/**
 * Stops unless `--partial` is set.
 *
 * @param zones ids of the zones of the answers; absent for all
 * @throws {UsageError} that lists what is undecided, and what to run
 */
export function assertDecided(
  undecided: readonly Undecided[],
  options: PartialValues,
  zones?: ReadonlySet<string>,
): void {
  if (options.partial) return;
  const deciding = decidingParts(undecided, zones);
  if (deciding.length === 0) return;
  const lines = deciding.map((part) => `  ${printUndecided(part).replaceAll("\n", "\n  ")}`);
  throw new UsageError(
    `the answer depends on what is undecided; --partial continues and marks each answer that it could change:\n${lines.join("\n")}`,
  );
}

function decidingParts(undecided: readonly Undecided[], zones?: ReadonlySet<string>): readonly Undecided[] {
  return undecided.filter(({ effect, zone }) => {
    return effect !== undefined && (zone === undefined || !zones || zones.has(zone));
  });
}

/** For commands that do not mark each answer: stops, or with `--partial` prints what could change the answers. */
export function assertDecidedOrNote(
  undecided: readonly Undecided[],
  options: PartialValues,
  io: Io,
  zones?: ReadonlySet<string>,
): void {
  assertDecided(undecided, options, zones);
  for (const part of decidingParts(undecided, zones))
    io.stderr.write(escapeLines(`could change the answers: ${printUndecided(part)}\n`));
}
