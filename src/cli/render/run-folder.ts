/** Runs `edgeproof images render` for several pictures, and prints the outcome. */
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { formatJson, type Io, stoppedExitCode } from "../command.ts";
import { pictureFiles } from "../input/picture-files.ts";
import { openAtomicFile } from "../output/atomic-write.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { formatCount, formatNumber } from "../output/progress.ts";
import { printReport } from "../output/report/formats.ts";
import { checkReport } from "./check-report.ts";
import { printContactSheet } from "./contact-sheet.ts";
import { extensions, type RenderedFile, type RenderJob, type RenderOutcome, renderFolder } from "./folder.ts";

/** Mode of the page, less the user's umask. */
const pageMode = 0o666;

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
  const page = html === undefined ? undefined : await openAtomicFile(html, pageMode);
  try {
    const outcomes = await renderFolder(job, io);
    const unused = await unusedApprovals(job, outcomes, io.signal);
    const printing = {
      format: json ? "json" : "text",
      text: () => printOutcomes(outcomes, unused),
      json: () => formatJson({ pictures: outcomes.map(toJson), ...(job.golden && { unused }) }),
      allowEmpty,
    } as const;
    const exitCode =
      job.golden && printReport(checkReport(outcomes, unused, job.golden, job.from), printing, io);
    if (!job.golden) io.stdout.write(printing[printing.format]());
    io.stderr.write(`${summaryOf(outcomes)}\n`);
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

/** Names of the approved pictures that were not rendered. The folder may have those of other inputs than a single file. */
async function unusedApprovals(
  { from, golden }: RenderJob,
  outcomes: readonly RenderOutcome[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!golden || !(await isFolder(from)) || !(await isFolder(golden.folder))) return [];
  const names = new Set(outcomes.map(({ rendered }) => rendered?.name));
  const approved = await pictureFiles([golden.folder], signal, extensions);
  return approved.map((path) => relative(golden.folder, path)).filter((name) => !names.has(name));
}

/** Whether a path is that of a folder. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
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

function printOutcomes(outcomes: readonly RenderOutcome[], unused: readonly string[]): string {
  const lines = [
    ...outcomes.map(printOutcome),
    ...unused.map((name) => `${name}: approved, but no picture of this run has this name`),
  ];
  return lines.map((line) => `${escapeControlCharacters(line)}\n`).join("");
}

function printOutcome({ source, variant, rendered, check, problem }: RenderOutcome): string {
  if (!rendered)
    return `${source}${variant === undefined ? "" : ` (${variant})`}: rejected: ${problem ?? ""}`;
  return `${describeFile(rendered)}${check ? `, ${check.status}: ${check.reason}` : ""}`;
}

/** A rendered file in one line. */
export function describeFile({ name, contentType, width, height, frames, bytes }: RenderedFile): string {
  const animated = frames === 1 ? "" : `, ${frames} frames`;
  return `${name}: ${contentType}, ${width} x ${height} pixels${animated}, ${bytes} bytes`;
}

function summaryOf(outcomes: readonly RenderOutcome[]): string {
  const rejected = outcomes.filter(({ problem }) => problem !== undefined).length;
  const parts = [
    `${formatCount(outcomes.length - rejected, "picture")} rendered`,
    `${formatNumber(rejected)} rejected`,
  ];
  for (const status of ["same", "different", "missing", "updated"] as const) {
    const count = outcomes.filter(({ check }) => check?.status === status).length;
    if (count > 0) parts.push(`${formatNumber(count)} ${status}`);
  }
  return parts.join(", ");
}
