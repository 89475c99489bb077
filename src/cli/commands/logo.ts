/** `edgeproof logo`: searches picture files for a logo. */

import { failure, type Result } from "../../core/result.ts";
import type { LogoDescriptor } from "../../engine/logo/descriptor.ts";
import { compareLogos } from "../../engine/logo/features/compare.ts";
import { type Picture, readPicture } from "../../service/brand/logos/picture.ts";
import { defaultLimits } from "../../service/limits.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stoppedExitCode,
  stringOption,
  UsageError,
} from "../command.ts";
import { pictureFiles, readPictureFile } from "../input/picture-files.ts";
import { type AtomicFile, openAtomicFile } from "../output/atomic-write.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { printLogoReport, type ReportMatch } from "../output/logo-report.ts";
import { createProgressLine, formatCount, formatNumber } from "../output/progress.ts";
import { printTable } from "../output/table.ts";

/** Score with a false-alarm rate of about 1 in 10,000 pictures. */
const defaultThreshold = "0.85";

/** Mode of the page, less the user's umask. */
const pageMode = 0o666;

export const logo: CommandDefinition = {
  about: [
    "Finds the logo alone or as a part of a page: scaled, recolored, on another background, padded, cropped, slightly rotated, compressed. Folders are searched with all their subfolders; links to other folders are not followed. Files that are not pictures are listed on standard error.",
  ],
  positionals: "<logo.png> <file or folder...>",
  options: {
    threshold: {
      type: "string",
      value: "0..1",
      help: `Minimum score. 0.75 means a false alarm in about 1,000 pictures, ${defaultThreshold} (the default) in 10,000, 1 the same picture.`,
    },
    ...jsonOption,
    html: { type: "string", value: "file", help: "Also write a page with logo, matches and scores." },
  },
  exits: {
    0: "The pictures were searched, with or without matches.",
    2: "A file or an option cannot be used; standard error says why.",
    130: "The search was stopped (Ctrl-C); the matches until then are printed, and no page is written.",
  },
  examples: [
    "edgeproof logo logo.png screenshots/",
    "edgeproof logo logo.png a.png b.jpg --threshold 0.75 --json",
    "edgeproof logo logo.png screenshots/ --html report.html",
  ],
  run: runLogo,
};

interface ScoredFile {
  readonly file: string;
  readonly score: number;
}

/** The logo to search for, and the minimum score of a match. */
interface LogoTarget {
  readonly file: string;
  readonly picture: Picture;
  readonly threshold: number;
}

async function runLogo(input: CommandInput, io: Io): Promise<number> {
  const threshold = readThreshold(stringOption(input, "threshold") ?? defaultThreshold);
  const [query, ...paths] = input.positionals;
  if (query === undefined || paths.length === 0) {
    throw new UsageError("name the logo first, then at least one picture or folder to search in");
  }
  const picture = await readPicture(await readPictureFile(query), "query", defaultLimits);
  if (!picture.ok) throw new UsageError(`${query}: ${picture.problems[0].message}`);
  const target = { file: query, picture: picture.value, threshold };
  const path = stringOption(input, "html");
  io.handleSignals?.();
  // Opened before the search, which may take hours.
  const page = path === undefined ? undefined : await openAtomicFile(path, pageMode);
  try {
    const found = await search(target, paths, io);
    printFound(found, booleanOption(input, "json"), io);
    if (io.signal.aborted) return stoppedExitCode;
    if (page && !(await writePage(page, target, found, io))) return stoppedExitCode;
    return 0;
  } finally {
    await page?.discard();
  }
}

/** The result of a search. */
interface LogoSearchResult {
  /** Number of pictures that were compared. */
  readonly scanned: number;
  /** Best first. */
  readonly matches: readonly ScoredFile[];
  /** The reason for each file that was skipped. */
  readonly unreadable: readonly string[];
}

async function search(
  { picture, threshold }: LogoTarget,
  paths: readonly string[],
  io: Io,
): Promise<LogoSearchResult> {
  const files = await pictureFiles(paths, io.signal);
  if (files.length === 0 && !io.signal.aborted)
    throw new UsageError("there are no pictures in the named files and folders");
  const { scored, unreadable } = await scanAll(picture.descriptor, files, io);
  const matches = scored
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  return { scanned: scored.length, matches, unreadable };
}

function printFound(found: LogoSearchResult, asJson: boolean, io: Io): void {
  io.stdout.write(asJson ? formatJson(found.matches) : asTable(found.matches));
  io.stderr.write(summaryOf(found, io.signal.aborted));
}

function readThreshold(text: string): number {
  const threshold = /^(?:0?\.\d+|0|1(?:\.0+)?)$/.test(text) ? Number(text) : -1;
  if (threshold >= 0) return threshold;
  throw new UsageError(`--threshold must be a number from 0 to 1; found \`${text}\``);
}

async function scanAll(query: LogoDescriptor, files: readonly string[], io: Io) {
  const progress = createProgressLine(io.stderr);
  const scored: ScoredFile[] = [];
  const unreadable: string[] = [];
  for (const [i, file] of files.entries()) {
    if (io.signal.aborted) break;
    const read = await readScanFile(file);
    if (!read.ok) unreadable.push(read.problems[0]);
    else scored.push({ file, score: compareLogos(query, read.value.descriptor).score });
    progress.update(`${formatNumber(i + 1)} of ${formatNumber(files.length)} pictures`);
  }
  progress.end();
  return { scored, unreadable };
}

/** Reads a picture to search in. A file that cannot be read is reported and skipped, like one that is not a picture. */
async function readScanFile(file: string): Promise<Result<Picture, string>> {
  try {
    const read = await readPicture(await readPictureFile(file), "scan", defaultLimits);
    return read.ok ? read : failure(`${file}: ${read.problems[0].message}`);
  } catch (error) {
    if (error instanceof UsageError) return failure(error.message);
    throw error;
  }
}

/** Writes the page picture by picture; false when the search was stopped and no page was written. */
async function writePage(
  page: AtomicFile,
  target: LogoTarget,
  found: LogoSearchResult,
  io: Io,
): Promise<boolean> {
  const { file, picture, threshold } = target;
  const query = { name: file, bytes: picture.bytes };
  const report = { query, threshold, scanned: found.scanned, found: found.matches.length };
  try {
    for await (const piece of printLogoReport(report, readMatches(found.matches))) {
      if (io.signal.aborted) {
        io.stderr.write("stopped; no page was written\n");
        return false;
      }
      await page.write(piece);
    }
    await page.commit();
    return true;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`no page was written: ${error.message}`);
    throw error;
  }
}

async function* readMatches(matches: readonly ScoredFile[]): AsyncGenerator<ReportMatch> {
  for (const { file, score } of matches) yield { name: file, score, bytes: await readPictureFile(file) };
}

function asTable(matches: readonly ScoredFile[]): string {
  return printTable(
    ["score", "picture"],
    matches.map(({ file, score }) => [score.toFixed(3), file]),
    ["picture"],
  );
}

function summaryOf({ matches, scanned, unreadable }: LogoSearchResult, stopped: boolean): string {
  const lines = unreadable.map((line) => `  ${escapeControlCharacters(line)}`);
  const head = `${formatNumber(matches.length)} of ${formatNumber(scanned)} pictures match${stopped ? ", stopped" : ""}`;
  return `${[head, ...(unreadable.length > 0 ? [`${formatCount(unreadable.length, "file")} could not be read:`] : []), ...lines].join("\n")}\n`;
}
