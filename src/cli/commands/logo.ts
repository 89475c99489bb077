/** `edgeproof brand logo`: searches picture files for a logo. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { failure, type Result, success } from "../../core/result.ts";
import type { LogoDescriptor } from "../../engine/logo/descriptor.ts";
import { compareLogos } from "../../engine/logo/features/compare.ts";
import { compileLogo, findLogos } from "../../engine/logo/find-logos.ts";
import { problem } from "../../errors.ts";
import { type FoundLogo, foundLogo } from "../../service/brand/logos/logo-store.ts";
import { type Picture, type PictureLimits, readPicture } from "../../service/brand/logos/picture.ts";
import { inProcess } from "../../service/compute.ts";
import { defaultLimits } from "../../service/limits.ts";
import { formatJson, type Io, stoppedExitCode, UsageError } from "../command.ts";
import type { logo } from "../declarations/brand.ts";
import type { InvocationOf } from "../declare.ts";
import { pictureFiles, readPictureFile } from "../input/picture-files.ts";
import { type AtomicFile, openAtomicFile } from "../output/atomic-write.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { type PictureSize, printLogoReport, type ReportMatch } from "../output/logo-report.ts";
import { createProgressLine, formatCount, formatNumber } from "../output/progress.ts";
import { printTable } from "../output/table.ts";

/** Mode of the page, less the user's umask. */
const pageMode = 0o666;

interface ScoredFile extends FoundLogo {
  readonly file: string;
  /** Size of the decoded picture in pixels. */
  readonly size: PictureSize;
}

/** Scores a picture to search in; its place in the picture, and the size of the picture. */
type ScanPicture = (bytes: Uint8Array) => Promise<Result<Omit<ScoredFile, "file">>>;

/** The logo to search for, and the minimum score of a match. */
interface LogoTarget {
  readonly file: string;
  readonly picture: Picture;
  readonly threshold: number;
  readonly scan: ScanPicture;
}

export async function run({ options, words, io }: InvocationOf<typeof logo>): Promise<number> {
  const { threshold, maxPixels, html: path } = options;
  const [query = "", ...paths] = words;
  const limits = { maxBytes: defaultLimits.logoBytes, maxPixels };
  const picture = await readPicture(inProcess, await readPictureFile(query), "query", limits);
  if (!picture.ok) throw new UsageError(`${query}: ${picture.problems[0].message}`);
  io.handleSignals?.();
  const scan = options.dense
    ? await denseScan(picture.value, limits, io.signal)
    : regionScan(picture.value.descriptor, limits);
  const target = { file: query, picture: picture.value, threshold, scan };
  // Opened before the search, which may take hours.
  const page = path === undefined ? undefined : await openAtomicFile(path, pageMode);
  try {
    const found = await search(target, paths, io);
    printFound(found, picture.value.descriptor.notes, options.json, io);
    if (io.signal.aborted) return stoppedExitCode;
    if (page && !(await writePage(page, target, found, io))) return stoppedExitCode;
    return 0;
  } finally {
    await page?.discard();
  }
}

/** Compares the candidate regions of pictures with the logo. */
function regionScan(query: LogoDescriptor, limits: PictureLimits): ScanPicture {
  return async (bytes) => {
    const read = await readPicture(inProcess, bytes, "scan", limits);
    if (!read.ok) return read;
    const { descriptor } = read.value;
    return success({ ...foundLogo(compareLogos(query, descriptor), descriptor), size: sizeOf(descriptor) });
  };
}

function sizeOf({ width, height }: PictureSize): PictureSize {
  return { width, height };
}

/** The same, and searches every place of the pictures. */
async function denseScan(
  { bytes, descriptor }: Picture,
  limits: PictureLimits,
  signal: AbortSignal,
): Promise<ScanPicture> {
  const compiled = await compileLogo(bytes, limits);
  if (!compiled.ok) return regionScan(descriptor, limits);
  return async (image) => {
    const found = await findLogos(image, [compiled.value], { ...limits, signal });
    if (!found.ok) return found;
    const { findings, width, height } = found.value;
    const [finding] = findings;
    return finding
      ? success({ ...finding, size: { width, height } })
      : failure(problem(7001, "The picture has no place of the logo."));
  };
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
  { scan, threshold }: LogoTarget,
  paths: readonly string[],
  io: Io,
): Promise<LogoSearchResult> {
  const files = await pictureFiles(paths, io.signal);
  if (files.length === 0 && !io.signal.aborted)
    throw new UsageError("there are no pictures in the named files and folders");
  const { scored, unreadable } = await scanAll(scan, files, io);
  const matches = scored
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  return { scanned: scored.length, matches, unreadable };
}

function printFound(found: LogoSearchResult, notes: readonly Diagnostic[], asJson: boolean, io: Io): void {
  const printed = found.matches.map(({ size, ...match }) => ({
    ...match,
    ...(notes.length > 0 && { notes }),
  }));
  io.stdout.write(asJson ? formatJson(printed) : asTable(found.matches));
  for (const { message } of notes) io.stderr.write(`note: ${message}\n`);
  io.stderr.write(summaryOf(found, io.signal.aborted));
}

async function scanAll(scan: ScanPicture, files: readonly string[], io: Io) {
  const progress = createProgressLine(io.stderr);
  const scored: ScoredFile[] = [];
  const unreadable: string[] = [];
  for (const [i, file] of files.entries()) {
    if (io.signal.aborted) break;
    const read = await scanFile(scan, file, io.signal);
    if (read === "stopped") break;
    if (!read.ok) unreadable.push(read.problems[0]);
    else scored.push({ file, ...read.value });
    progress.update(`${formatNumber(i + 1)} of ${formatNumber(files.length)} pictures`);
  }
  progress.end();
  return { scored, unreadable };
}

/** Searches in a file. One that cannot be read is reported and skipped, like one that is not a picture. */
async function scanFile(
  scan: ScanPicture,
  file: string,
  signal: AbortSignal,
): Promise<Result<Omit<ScoredFile, "file">, string> | "stopped"> {
  try {
    const read = await scan(await readPictureFile(file));
    return read.ok ? read : failure(`${file}: ${read.problems[0].message}`);
  } catch (error) {
    if (signal.aborted) return "stopped";
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
  for (const { file, score, box, size } of matches) {
    yield { name: file, score, bytes: await readPictureFile(file), ...(box && { place: { box, size } }) };
  }
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
