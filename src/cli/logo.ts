/** `edgeproof logo`: a logo sought in picture files. */
import { writeFile } from "node:fs/promises";
import { compareLogos, type LogoDescriptor } from "../engine/brand/logo/index.ts";
import { type Picture, type Read, readPicture } from "../service/brand/picture.ts";
import { defaultLimits } from "../service/limits.ts";
import {
  asJsonText,
  type Command,
  type CommandInput,
  flag,
  type Io,
  jsonOption,
  stoppedCode,
  text,
  UsageError,
} from "./command.ts";
import { printLogoReport } from "./logo-report.ts";
import { pictureFiles, readPictureFile } from "./picture-files.ts";
import { grouped, progressLine } from "./progress.ts";
import { printTable } from "./table.ts";

/** A false-alarm rate of about 1 in 10,000 pictures. */
const defaultThreshold = "0.85";

export const logo: Command = {
  name: "logo",
  group: "brand",
  summary: "Find a logo in picture files, whatever was done to it.",
  about: [
    "Finds the logo alone or as a part of a page: scaled, recoloured, on another ground, padded, cropped or turned a little, compressed. Folders are searched with all that is in them; links to other folders are not followed. Files that are no pictures are told on standard error.",
  ],
  positionals: "<logo.png> <file or folder...>",
  options: {
    threshold: {
      type: "string",
      value: "0..1",
      help: `Least score. 0.75 is a false alarm in about 1,000 pictures, ${defaultThreshold} (the default) in 10,000, 1 the same picture.`,
    },
    ...jsonOption,
    html: { type: "string", value: "file", help: "Also write a page that shows logo, matches and scores." },
  },
  exits: {
    0: "The pictures were looked at, whether any matches or not.",
    2: "A file or an option cannot be used; standard error says why.",
    130: "It was stopped (Ctrl-C); what was found until then is printed, and no page is written.",
  },
  examples: [
    "edgeproof logo logo.png screenshots/",
    "edgeproof logo logo.png a.png b.jpg --threshold 0.75 --json",
    "edgeproof logo logo.png screenshots/ --html report.html",
  ],
  run: runLogo,
};

interface Scored {
  readonly file: string;
  readonly score: number;
}

interface Refused {
  readonly file: string;
  readonly message: string;
}

async function runLogo(input: CommandInput, io: Io): Promise<number> {
  const threshold = readThreshold(text(input, "threshold") ?? defaultThreshold);
  const [query, ...paths] = input.positionals;
  if (query === undefined || paths.length === 0) {
    throw new UsageError("name the logo first, then at least one picture or folder to look in");
  }
  const sought = await readPicture(await readPictureFile(query), "query", defaultLimits);
  if ("fault" in sought) throw new UsageError(`${query}: ${sought.fault}`);
  const files = await pictureFiles(paths, io.signal);
  if (files.length === 0 && !io.signal.aborted)
    throw new UsageError("there are no pictures in what was named");
  const { scored, refused } = await scanAll(sought.value.descriptor, files, io);
  const matches = scored
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  const page = text(input, "html");
  if (page !== undefined && !io.signal.aborted)
    await writePage(page, query, { threshold, scanned: scored.length, matches });
  io.stdout.write(flag(input, "json") ? asJsonText(matches) : asTable(matches));
  io.stderr.write(summaryOf(matches.length, scored.length, refused, io.signal.aborted));
  return io.signal.aborted ? stoppedCode : 0;
}

function readThreshold(word: string): number {
  const threshold = /^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(word) ? Number(word) : -1;
  if (threshold >= 0) return threshold;
  throw new UsageError(`--threshold is \`${word}\`; it must be a number from 0 to 1`);
}

async function scanAll(sought: LogoDescriptor, files: readonly string[], io: Io) {
  const progress = progressLine(io.stderr);
  const scored: Scored[] = [];
  const refused: Refused[] = [];
  for (const [i, file] of files.entries()) {
    if (io.signal.aborted) break;
    const read = await readScanFile(file);
    if ("fault" in read) refused.push({ file, message: read.fault });
    else scored.push({ file, score: compareLogos(sought, read.value.descriptor).score });
    progress.update(`${grouped(i + 1)} of ${grouped(files.length)} pictures`);
  }
  progress.end();
  return { scored, refused };
}

/** A file of a folder that cannot be read is told and passed over, as one that is no picture. */
async function readScanFile(file: string): Promise<Read<Picture>> {
  try {
    return await readPicture(await readPictureFile(file), "scan", defaultLimits);
  } catch (error) {
    if (error instanceof UsageError) return { fault: error.message };
    throw error;
  }
}

async function writePage(
  path: string,
  query: string,
  { threshold, scanned, matches }: { threshold: number; scanned: number; matches: readonly Scored[] },
): Promise<void> {
  const pictures = [];
  for (const { file, score } of matches)
    pictures.push({ name: file, score, bytes: await readPictureFile(file) });
  const sought = { name: query, bytes: await readPictureFile(query) };
  try {
    await writeFile(path, printLogoReport({ query: sought, threshold, scanned, matches: pictures }));
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
  }
}

function asTable(matches: readonly Scored[]): string {
  return printTable(
    ["score", "picture"],
    matches.map(({ file, score }) => [score.toFixed(3), file]),
  );
}

function summaryOf(matches: number, scanned: number, refused: readonly Refused[], stopped: boolean): string {
  const lines = refused.map(({ file, message }) => `  ${file}: ${message}`);
  const head = `${grouped(matches)} of ${grouped(scanned)} pictures match${stopped ? ", stopped" : ""}`;
  return `${[head, ...(refused.length > 0 ? [`${grouped(refused.length)} files could not be read:`] : []), ...lines].join("\n")}\n`;
}
