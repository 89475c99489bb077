/** Runs `edgeproof images render` for several pictures, and prints the outcome. */
import { formatJson, type Io, stoppedExitCode } from "../command.ts";
import { openAtomicFile } from "../output/atomic-write.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { formatCount, formatNumber } from "../output/progress.ts";
import { printContactSheet } from "./contact-sheet.ts";
import { type RenderJob, type RenderOutcome, renderFolder } from "./folder.ts";

/** Mode of the page, less the user's umask. */
const pageMode = 0o666;

/** How the outcome is shown. */
export interface RenderOutput {
  readonly json: boolean;
  /** Path of the page. */
  readonly html: string | undefined;
}

/** @returns the exit code: 1 when a file was rejected, differs from its approved picture, or has none */
export async function runFolder(job: RenderJob, { json, html }: RenderOutput, io: Io): Promise<number> {
  io.handleSignals?.();
  const page = html === undefined ? undefined : await openAtomicFile(html, pageMode);
  try {
    const outcomes = await renderFolder(job, io);
    io.stdout.write(json ? formatJson({ pictures: outcomes.map(toJson) }) : printOutcomes(outcomes));
    io.stderr.write(`${summaryOf(outcomes)}\n`);
    if (io.signal.aborted) return stoppedExitCode;
    if (page) {
      for await (const piece of printContactSheet(job, outcomes)) await page.write(piece);
      await page.commit();
    }
    return outcomes.some(hasFailed) ? 1 : 0;
  } finally {
    await page?.discard();
  }
}

function hasFailed({ problem, check }: RenderOutcome): boolean {
  return problem !== undefined || check?.status === "different" || check?.status === "missing";
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

function printOutcomes(outcomes: readonly RenderOutcome[]): string {
  return outcomes.map((outcome) => `${escapeControlCharacters(printOutcome(outcome))}\n`).join("");
}

function printOutcome({ source, variant, rendered, check, problem }: RenderOutcome): string {
  if (!rendered)
    return `${source}${variant === undefined ? "" : ` (${variant})`}: rejected: ${problem ?? ""}`;
  const { name, contentType, width, height, frames, bytes } = rendered;
  const animated = frames === 1 ? "" : `, ${frames} frames`;
  const verdict = check ? `, ${check.status}: ${check.reason}` : "";
  return `${name}: ${contentType}, ${width} x ${height} pixels${animated}, ${bytes} bytes${verdict}`;
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
