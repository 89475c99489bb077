/** `edgeproof brand logo`: searches picture files for logos. */

import { FileWriteError } from "../../core/files/file-write-error.ts";
import { type AtomicFile, openAtomicFile } from "../../core/files/write-file.ts";
import { formatCount, formatNumber } from "../../core/format-count.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { type BrandHit, maxBrandLogos } from "../../engine/logo/brand-score.ts";
import { type CompiledLogo, compileLogo, findLogos } from "../../engine/logo/find-logos.ts";
import { defaultLimits } from "../../service/limits.ts";
import { type Io, stoppedExitCode, UsageError } from "../command.ts";
import type { logo } from "../declarations/brand.ts";
import type { InvocationOf } from "../declare.ts";
import { type BrandFiles, brandFiles } from "../input/logo-files.ts";
import { pictureFiles, readPictureFile } from "../input/picture-files.ts";
import { type LogoMatchRow, printLogoMatches } from "../output/brand/logo-output.ts";
import {
  type PictureSize,
  printLogoReport,
  type ReportMatch,
  type ReportPicture,
} from "../output/brand/logo-report.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { createProgressLine } from "../output/progress.ts";
import { printEvaluated } from "../output/report/formats.ts";

/** A logo that was read. */
interface ReadLogo {
  readonly file: string;
  readonly compiled: CompiledLogo;
}

/** A brand with its readable logos, at least one. */
interface Brand {
  readonly name: string;
  readonly logos: readonly ReadLogo[];
}

/** A brand in a picture. */
interface Match extends LogoMatchRow {
  /** Size of the decoded picture in pixels. */
  readonly size: PictureSize;
}

/** The files that were read, and the reason for each file that could not be. */
interface Read<T> {
  readonly read: readonly T[];
  readonly unreadable: readonly string[];
}

type LogoOptions = InvocationOf<typeof logo>["options"];

export async function run({ options, words, io }: InvocationOf<typeof logo>): Promise<number> {
  const [query = "", ...paths] = words;
  io.handleSignals?.();
  const groups = await brandFiles([query, ...options.logo], options.oneBrand, io.signal);
  for (const group of groups) assertBrandSize(group);
  const files = await pictureFiles(paths, io.signal);
  // Opened before the search, which may take hours.
  const page = options.html === undefined ? undefined : await openAtomicFile(options.html);
  try {
    const logos = await readLogos(groups, options, io);
    const brands = brandsOf(groups, logos.read);
    if (brands.length === 0 && !io.signal.aborted) throw new UsageError(logos.unreadable.join("\n"));
    const pictures = await search(brands, files, options, io);
    const unreadable = [...logos.unreadable, ...pictures.unreadable];
    const found = { scanned: pictures.read.length, matches: matchesIn(pictures.read), unreadable };
    printFound(found, brands, options, io);
    if (io.signal.aborted) return stoppedExitCode;
    if (page && !(await writePage(page, brands, found, options, io))) return stoppedExitCode;
    if (unreadable.length > 0) return 2;
    const [file = query] = paths;
    const whenEmpty = "The named files and folders have no picture.";
    const evaluated = {
      command: "brand logo",
      kind: "picture",
      count: found.scanned,
      file,
      whenEmpty,
    } as const;
    return await printEvaluated(evaluated, options, io);
  } finally {
    await page?.discard();
  }
}

function assertBrandSize({ name, files }: BrandFiles): void {
  if (files.length > maxBrandLogos)
    throw new UsageError(
      `${name}: a brand can have at most ${maxBrandLogos} logos; found ${formatNumber(files.length)}`,
    );
}

function readLogos(
  groups: readonly BrandFiles[],
  { maxPixels }: LogoOptions,
  io: Io,
): Promise<Read<ReadLogo>> {
  const options = { maxBytes: defaultLimits.logoBytes, maxPixels, signal: io.signal };
  const files = groups.flatMap((group) => group.files);
  return readAll(files, "logos", io, async (file, bytes) => {
    const compiled = await compileLogo(bytes, options);
    return compiled.ok ? success({ file, compiled: compiled.value }) : compiled;
  });
}

/** The brands without those of which no logo could be read. */
function brandsOf(groups: readonly BrandFiles[], logos: readonly ReadLogo[]): readonly Brand[] {
  const byFile = new Map(logos.map((each) => [each.file, each]));
  return groups
    .map(({ name, files }) => ({ name, logos: files.flatMap((file) => byFile.get(file) ?? []) }))
    .filter(({ logos }) => logos.length > 0);
}

/** Searches each picture for all brands at once. */
function search(
  brands: readonly Brand[],
  files: readonly string[],
  { threshold, maxPixels }: LogoOptions,
  io: Io,
): Promise<Read<readonly Match[]>> {
  const options = { maxBytes: defaultLimits.logoBytes, maxPixels, signal: io.signal };
  const compiled = brands.map(({ logos }) => logos.map((each) => each.compiled));
  return readAll(files, "pictures", io, async (file, bytes) => {
    const found = await findLogos(bytes, compiled, options);
    if (!found.ok) return found;
    const { findings, width, height } = found.value;
    const matches = findings.flatMap((finding, i) => {
      const brand = brands[i];
      return brand && finding.score >= threshold ? [matchOf(brand, finding, file, { width, height })] : [];
    });
    return success(matches);
  });
}

function matchOf({ name, logos }: Brand, finding: BrandHit, file: string, size: PictureSize): Match {
  const { score, kind, box } = finding;
  const found = logos[finding.logo] as ReadLogo;
  return {
    file,
    score,
    brand: name,
    logo: found.file,
    kind,
    ...(box && { box }),
    notes: found.compiled.descriptor.notes,
    size,
  };
}

/** Reads files one by one until a stop. One that cannot be read is reported and skipped, like one that is not a picture. */
async function readAll<T>(
  files: readonly string[],
  noun: string,
  io: Io,
  read: (file: string, bytes: Uint8Array) => Promise<Result<T>>,
): Promise<Read<T>> {
  const progress = createProgressLine(io.stderr);
  const done: T[] = [];
  const unreadable: string[] = [];
  for (const [i, file] of files.entries()) {
    if (io.signal.aborted) break;
    const result = await readOne(file, io.signal, read);
    if (result === "stopped") break;
    if (result.ok) done.push(result.value);
    else unreadable.push(result.problems[0]);
    progress.update(`${formatNumber(i + 1)} of ${formatNumber(files.length)} ${noun}`);
  }
  progress.end();
  return { read: done, unreadable };
}

async function readOne<T>(
  file: string,
  signal: AbortSignal,
  read: (file: string, bytes: Uint8Array) => Promise<Result<T>>,
): Promise<Result<T, string> | "stopped"> {
  try {
    const result = await read(file, await readPictureFile(file));
    return result.ok ? result : failure(`${file}: ${result.problems[0].message}`);
  } catch (error) {
    if (signal.aborted) return "stopped";
    if (error instanceof UsageError) return failure(error.message);
    throw error;
  }
}

/** The result of a search. */
interface Found {
  /** Number of pictures that were searched. */
  readonly scanned: number;
  /** Best first. */
  readonly matches: readonly Match[];
  readonly unreadable: readonly string[];
}

/** Best first; of equal scores by the names of the pictures. */
function matchesIn(pictures: readonly (readonly Match[])[]): readonly Match[] {
  return pictures.flat().sort((a, b) => b.score - a.score || compareWords(a.file, b.file));
}

function compareWords(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function countPictures(matches: readonly Match[]): number {
  return new Set(matches.map(({ file }) => file)).size;
}

function printFound(found: Found, brands: readonly Brand[], { format }: LogoOptions, io: Io): void {
  const logos = brands.flatMap((brand) => brand.logos);
  const shows = { logos: logos.length > 1, brands: brands.length > 1 && logos.length > brands.length };
  io.stdout.write(printLogoMatches(io.stdout, found.matches, { name: format, shows }));
  for (const { file, compiled } of logos) {
    const name = shows.logos ? `${escapeControlCharacters(file)}: ` : "";
    for (const { message } of compiled.descriptor.notes) io.stderr.write(`note: ${name}${message}\n`);
  }
  io.stderr.write(summaryOf(found, io.signal.aborted));
}

function summaryOf({ matches, scanned, unreadable }: Found, stopped: boolean): string {
  const head = `${formatNumber(countPictures(matches))} of ${formatNumber(scanned)} pictures match${stopped ? ", stopped" : ""}`;
  const lines = unreadable.map((line) => `  ${escapeControlCharacters(line)}`);
  const count = lines.length > 0 ? [`${formatCount(lines.length, "file")} could not be read:`] : [];
  return `${[head, ...count, ...lines].join("\n")}\n`;
}

/** Writes the page picture by picture; false when the search was stopped and no page was written. */
async function writePage(
  page: AtomicFile,
  brands: readonly Brand[],
  { matches, scanned }: Found,
  { threshold }: LogoOptions,
  io: Io,
): Promise<boolean> {
  const files = brands.flatMap(({ logos }) => logos.map(({ file }) => file));
  const title = files.length === 1 ? (files[0] ?? "") : formatCount(files.length, "logo");
  const report = { title, threshold, scanned, found: countPictures(matches) };
  try {
    for await (const piece of printLogoReport(
      report,
      readNamed(files),
      readMatches(matches, files.length > 1),
    )) {
      if (io.signal.aborted) {
        io.stderr.write("stopped; no page was written\n");
        return false;
      }
      await page.write(piece);
    }
    await page.commit();
    return true;
  } catch (error) {
    if (error instanceof UsageError || error instanceof FileWriteError)
      throw new UsageError(`no page was written: ${error.message}`);
    throw error;
  }
}

async function* readNamed(files: readonly string[]): AsyncGenerator<ReportPicture> {
  for (const name of files) yield { name, bytes: await readPictureFile(name) };
}

async function* readMatches(matches: readonly Match[], namesLogo: boolean): AsyncGenerator<ReportMatch> {
  for (const { file, score, logo: name, box, size } of matches) {
    const bytes = await readPictureFile(file);
    yield {
      name: file,
      score,
      bytes,
      ...(namesLogo && { logo: name }),
      ...(box && { place: { box, size } }),
    };
  }
}
