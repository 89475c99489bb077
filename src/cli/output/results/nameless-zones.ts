/** Zones whose domain no file has: it is asked for once, with the whole command to run. */
import type { Undecided } from "../../../import/undecided.ts";
import type { Io } from "../../command.ts";
import { printCommandLine } from "../command-line.ts";

/** The ids of the zones without a domain, each once. */
export function namelessZones(undecided: readonly Undecided[]): readonly string[] {
  return [...new Set(undecided.flatMap((part) => (isNameless(part) ? (part.subject?.["zone"] ?? []) : [])))];
}

/** Whether a part is the missing domain of a zone; other parts of a zone can change answers. */
export function isNameless({ about, effect }: Undecided): boolean {
  return about === "zone" && effect === undefined;
}

/** One sentence about the zones. */
export function describeNameless(zones: readonly string[]): string {
  const ids = zones.map((id) => `\`${id}\``).join(", ");
  return zones.length === 1
    ? `No file names the domain of the zone ${ids}.`
    : `No file names the domains of ${zones.length} zones: ${ids}.`;
}

/** The command that names them: that of this run, or another one. Without either, the options. */
export function nameZones(zones: readonly string[], words: Io["commandLine"]): string {
  const options = zones.flatMap((id) => ["--zone-name", `${id}=<domain>`]);
  if (!words) return options.join(" ");
  // Words after `--` are no options.
  const end = words.indexOf("--");
  return printCommandLine(end < 0 ? [...words, ...options] : words.toSpliced(end, 0, ...options));
}
