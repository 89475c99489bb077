/** The messages about a world file that is invalid, and about what was ignored in it. */
import type { CodedDiagnostic } from "../../errors.ts";
import { type Io, UsageError } from "../command.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { describeOtherKind } from "./file-kind.ts";
import { formatPlaces } from "./imports/left-out.ts";
import type { WorldSource } from "./imports/world-source.ts";

/** Parts of a world that the service could reject; a picture that cannot be used is not one. */
const knownPart =
  /^\/(?:zones|accounts)\/\d+\/(?:token_validation|rulesets|lists|proxy|brand\/(?:queries|observed)|images\/(?:variants|signing_keys|config)|settings|url_normalization)(?=\/|$)|^\/orphaned_edge_ips\//;

/**
 * The error that lists the problems of a world file, with line and column where the source is known. Its exit code is 1 when
 * all are in parts that the service would reject, as for findings; otherwise the file is not a world, which no command can use.
 */
export function invalidWorldError(
  file: string,
  source: WorldSource | undefined,
  problems: readonly CodedDiagnostic[],
): UsageError {
  const other = describeOtherKind(source?.value, file);
  if (other !== undefined) return new UsageError(`${file} is not a world file: ${other}`);
  const lines = formatPlaces(problems, source).map((line) => `  ${line}`);
  const message = `${file} is not a valid world file:\n${lines.join("\n")}`;
  const isWorld = problems.every(({ pointer = "" }) => knownPart.test(pointer));
  return new UsageError(message, { exitCode: isWorld ? 1 : 2 });
}

/** Prints what was ignored in a world file. */
export function printWorldNotes(notes: readonly string[], io: Io): void {
  for (const note of notes) io.stderr.write(`${escapeControlCharacters(`world: ${note}`)}\n`);
}
