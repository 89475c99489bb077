/** Counts the invalid lines of files, and keeps the first ones for the report. */
import { firstLines, maxFirstLines } from "../../output/results/first-lines.ts";
import type { InvalidLine } from "./name-lines.ts";

/** The exit code of a command that read all files, some lines of which are invalid. */
export const invalidLinesExitCode = 1;

/** The invalid lines of one run. */
export interface InvalidLines {
  readonly count: number;
  add(file: string, invalid: InvalidLine): void;
  /** The number of invalid lines and the first ones, a line each; none when there are no invalid lines. */
  report(): readonly string[];
}

export function createInvalidLines(): InvalidLines {
  const first: (InvalidLine & { readonly file: string })[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    // The lines of a chunk are parsed before its names are matched, so that invalid lines are sorted here.
    add: (file, invalid) => {
      count += 1;
      const before = first.findLastIndex((other) => other.file !== file || other.line < invalid.line);
      first.splice(before + 1, 0, { ...invalid, file });
      first.length = Math.min(first.length, maxFirstLines);
    },
    report: () => {
      const lines = first.map(({ file, line, message }) => `${file} line ${line}: ${message}`);
      return firstLines(count, "invalid line", lines);
    },
  };
}
