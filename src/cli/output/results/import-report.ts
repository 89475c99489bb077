/** Prints the report of an import. */
import { counted } from "../../../errors.ts";
import type { ResourceKind } from "../../../import/reading.ts";
import { kindNouns } from "../../../import/resources/nouns.ts";
import type { Undecided } from "../../../import/undecided.ts";
import type { ImportSummary } from "../../../import/world/report.ts";
import { printPlace } from "../places.ts";

/** One line for each file, and for each part that is not in the world as it is in the file. */
export function printImportReport({ formats, accepted, dropped, derived, invalid }: ImportSummary): string {
  const lines = [
    ...formats.map(({ file, format }) => {
      const isUsed = derived.some(({ at }) => at.file === file);
      const kinds = printKinds(file, accepted) || (isUsed ? "no resource of its own" : "nothing");
      return `accepted from ${file} (${format}): ${kinds}`;
    }),
    ...dropped.map(({ at, message }) => `${printPlace(at)}: dropped: ${message}`),
    ...derived.map(({ at, message }) => `${printPlace(at)}: derived: ${message}`),
    ...invalid.map(({ at, message }) => `${printPlace(at)}: error: ${message}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function printKinds(file: string, accepted: ImportSummary["accepted"]): string {
  const parts = [...countKinds(file, accepted)].map(([kind, count]) => counted(count, ...kindNouns[kind]));
  return parts.join(", ");
}

/** The number of resources of each kind that were read from a file. */
export function countKinds(
  file: string,
  accepted: ImportSummary["accepted"],
): ReadonlyMap<ResourceKind, number> {
  const counts = new Map<ResourceKind, number>();
  for (const { kind, at } of accepted) if (at.file === file) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The undecided parts, with the advice for each. */
export function printUndecided({ at, message, run }: Undecided): string {
  return `${printPlace(at)}: undecided: ${message}\n  run: ${run}`;
}
