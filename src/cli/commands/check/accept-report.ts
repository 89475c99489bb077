/** The findings that `check` accepts: by the configuration file, by comments in the files, and by a baseline. */

import type { Io } from "../../command.ts";
import type { CheckValues } from "../../declarations/check.ts";
import { baselineOf, readBaseline, writeBaseline } from "../../input/accepted/baseline.ts";
import { dayOf } from "../../input/accepted/dates.ts";
import type { CheckedFile } from "../../input/imports/checked-files.ts";
import { type Acceptance, acceptFindings } from "../../output/report/acceptance/accept.ts";
import type { Report } from "../../output/report/report.ts";

/** The input of the command. */
interface CheckRun {
  readonly options: CheckValues;
  readonly words: readonly string[];
  readonly io: Io;
}

/**
 * The report without the findings that are accepted; with `--write-baseline`, all of them are, and written.
 *
 * @throws {UsageError} for a baseline that cannot be read or written
 */
export async function acceptReport(
  report: Report,
  files: readonly CheckedFile[],
  { options, words, io }: CheckRun,
): Promise<Report> {
  const { baseline, writeBaseline: path, only, zone } = options;
  const accepted = io.project?.accepted ?? [];
  const known = path === undefined && baseline !== undefined ? await readBaseline(baseline, io) : [];
  const comments = uniqueComments(files.flatMap(({ source }) => source.acceptances));
  const settings = {
    today: dayOf(Date.now()),
    isComplete: only.length === 0 && zone === undefined && hasAllWorlds(words, io),
    failOn: options.failOn ?? "warning",
  } as const;
  const compared = acceptFindings(report, [...known, ...accepted, ...comments], settings);
  if (path === undefined) return compared;
  const rest = baselineOf(compared);
  await writeBaseline(path, rest);
  const place = { file: path, start: { line: 1, column: 1 } };
  const written = rest.map(({ id }): Acceptance => ({ id, reason: `in the baseline ${path}`, at: place }));
  return acceptFindings(compared, written, settings);
}

/** Whether every world of the configuration file was checked; without worlds in it, the arguments are all there is. */
function hasAllWorlds(words: readonly string[], { project }: Io): boolean {
  return [...(project?.worlds.keys() ?? [])].every((name) => words.includes(name));
}

/** Worlds can have the same sources of Terraform. */
function uniqueComments(comments: readonly Acceptance[]): readonly Acceptance[] {
  const keyOf = ({ at: { file, start } }: Acceptance) => `${start.line}:${start.column} ${file}`;
  return [...new Map(comments.map((comment) => [keyOf(comment), comment])).values()];
}
