/** Runs `edgeproof images render` for several pictures, and prints the outcome. */
import { dirname, join, relative } from "node:path";
import { createFolder, isFolder } from "../../core/files/folders.ts";
import { type AtomicFile, openAtomicFile } from "../../core/files/write-file.ts";
import { formatCount, formatNumber } from "../../core/format-count.ts";
import { formatJson, type Io, stoppedExitCode } from "../command.ts";
import { pictureFiles } from "../input/picture-files.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { printReport } from "../output/report/formats.ts";
import { checkReport } from "./check-report.ts";
import { printContactSheet } from "./contact-sheet.ts";
import {
  extensions,
  type FolderRun,
  leftOutNote,
  type RenderedFile,
  type RenderJob,
  type RenderOutcome,
  renderFolder,
} from "./folder.ts";
import { removeGolden } from "./golden.ts";
import { outputExtensions } from "./output-names.ts";
import { assertOutside } from "./safe-folders.ts";

/** How the outcome is shown. */
export interface RenderOutput {
  readonly json: boolean;
  /** Path of the page. */
  readonly html: string | undefined;
  /** Whether a check of no picture passes. */
  readonly allowEmpty: boolean;
}

/** @returns the exit code: that of the report with approved pictures, otherwise 1 when a file was rejected */
export async function runFolder(
  job: RenderJob,
  { json, html, allowEmpty }: RenderOutput,
  io: Io,
): Promise<number> {
  io.handleSignals?.();
  await assertFolders(job);
  const page = html === undefined ? undefined : await openPage(html);
  try {
    const run = await renderFolder(job, io);
    const { outcomes } = run;
    const unused = await unusedApprovals(job, run, io.signal);
    const pruned = await prune(job, run, unused, io.signal);
    const left = pruned.length > 0 ? [] : unused;
    const printing = {
      format: { printed: json ? "json" : "text", files: [] },
      text: () => printOutcomes(outcomes, left, pruned),
      json: () => formatJson({ pictures: outcomes.map(toJson), ...(job.golden && { unused: left, pruned }) }),
      allowEmpty,
    } as const;
    const exitCode =
      job.golden && (await printReport(checkReport(outcomes, left, job.golden, job.from), printing, io));
    if (!job.golden) io.stdout.write(printing[printing.format.printed]());
    io.stderr.write(
      `${summaryOf(run, { unmatched: left.length, removed: pruned.length }, io.signal.aborted)}\n`,
    );
    if (io.signal.aborted) return stoppedExitCode;
    if (page) {
      for await (const piece of printContactSheet(job, outcomes)) await page.write(piece);
      await page.commit();
    }
    return exitCode ?? (outcomes.some(({ problem }) => problem !== undefined) ? 1 : 0);
  } finally {
    await page?.discard();
  }
}

/** @throws {UsageError} when a file that is written would be an input, of this run or of the next one */
async function assertFolders({ from, to, golden }: RenderJob): Promise<void> {
  if (!(await isFolder(from))) return;
  await assertOutside(from, to, "<out>");
  if (golden) await assertOutside(from, golden.folder, "the folder of --check");
}

async function openPage(html: string): Promise<AtomicFile> {
  await createFolder(dirname(html));
  return openAtomicFile(html);
}

/** Names of the approved pictures that were not rendered, those of a single file only of its outputs; none after a stop. */
async function unusedApprovals(
  { from, golden, variants }: RenderJob,
  { outcomes, names, files }: FolderRun,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!golden || signal.aborted || !(await isFolder(golden.folder))) return [];
  const known = new Set(outcomes.flatMap(({ rendered, check }) => [rendered?.name, check?.earlier]));
  const approved = (await pictureFiles([golden.folder], signal, { wanted: extensions }))
    .map((path) => relative(golden.folder, path))
    .filter((name) => !known.has(name));
  if (await isFolder(from)) return approved;
  const own = new Set(
    files.flatMap((file) =>
      variants.flatMap(({ name: variant }) =>
        outputExtensions.map((extension) => names.nameOf({ file, variant, extension })),
      ),
    ),
  );
  return approved.filter((name) => own.has(name));
}

/** Removes unused approved pictures, when every input was rendered: otherwise some may only seem to be unused. */
async function prune(
  { golden }: RenderJob,
  { outcomes }: FolderRun,
  unused: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const isWhole = outcomes.length > 0 && outcomes.every(({ rendered }) => rendered);
  if (!golden?.prune || signal.aborted || !isWhole) return [];
  for (const name of unused) await removeGolden(join(golden.folder, name));
  return unused;
}

function toJson({ source, variant, rendered, check, problem }: RenderOutcome) {
  const { name, ...facts } = rendered ?? {};
  return {
    source,
    variant: variant ?? null,
    ...(name !== undefined && { file: name, ...facts }),
    ...(check && { check: check.status, reason: check.reason }),
    ...(problem !== undefined && { problem }),
  };
}

function printOutcomes(
  outcomes: readonly RenderOutcome[],
  unused: readonly string[],
  pruned: readonly string[],
): string {
  const lines = [
    ...outcomes.map(printOutcome),
    ...unused.map((name) => `${name}: approved, but no picture of this run has this name`),
    ...pruned.map((name) => `${name}: removed, no picture of this run has this name`),
  ];
  return lines.map((line) => `${escapeControlCharacters(line)}\n`).join("");
}

function printOutcome({ source, variant, rendered, check, problem }: RenderOutcome): string {
  if (!rendered)
    return `${source}${variant === undefined ? "" : ` (${variant})`}: rejected: ${problem ?? ""}`;
  return `${describeFile(rendered)}${check ? `, ${check.status}: ${check.reason}` : ""}`;
}

/** A rendered file in one line. */
export function describeFile(rendered: RenderedFile): string {
  const { name, contentType, width, height, frames, bytes, warnings } = rendered;
  const animated = frames === 1 ? "" : `, ${frames} frames`;
  const warned = warnings.length === 0 ? "" : ` (${warnings.join("; ")})`;
  return `${name}: ${contentType}, ${width} x ${height} pixels${animated}, ${bytes} bytes${warned}`;
}

/** Counts of the approved pictures that no picture of the run has the name of. */
interface ApprovalCounts {
  readonly unmatched: number;
  readonly removed: number;
}

function summaryOf(
  { outcomes, files, leftOut }: FolderRun,
  approvals: ApprovalCounts,
  isStopped: boolean,
): string {
  const rejected = outcomes.filter(({ problem }) => problem !== undefined).length;
  const parts = [
    `${formatCount(outcomes.length - rejected, "picture")} rendered`,
    `${formatNumber(rejected)} rejected`,
  ];
  for (const status of ["same", "different", "missing", "updated"] as const) {
    const count = outcomes.filter(({ check }) => check?.status === status).length;
    if (count > 0) parts.push(`${formatNumber(count)} ${status}`);
  }
  for (const status of ["unmatched", "removed"] as const) {
    if (approvals[status] > 0) parts.push(`${formatNumber(approvals[status])} ${status}`);
  }
  const finished = new Set(outcomes.map(({ source }) => source)).size;
  const stopped = isStopped
    ? `stopped after ${formatNumber(finished)} of ${formatCount(files.length, "file")}: `
    : "";
  return `${stopped}${parts.join(", ")}${leftOutNote(leftOut)}`;
}
