/** The page of `edgeproof images render --html`: before and after, and the differences from approved pictures. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatCount, formatNumber } from "../../core/format-count.ts";
import { groupBy } from "../../core/groups.ts";
import { comparePictures } from "../../engine/images/compare/compare-pictures.ts";
import { renderVariant } from "../../engine/images/render/render.ts";
import { escapeHtml, printHtmlHead } from "../output/html.ts";
import { printImage } from "../output/html-image.ts";
import type { RenderJob, RenderOutcome } from "./folder.ts";
import { readGolden } from "./golden.ts";

const style = `
body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #222; background: #fff; }
section { display: flex; flex-wrap: wrap; gap: 1rem; border-top: 1px solid #ccc; padding: 1rem 0; }
figure { margin: 0; width: 16rem; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: 12rem; object-fit: contain; background: repeating-conic-gradient(#eee 0 25%, #fff 0 50%) 0 0 / 16px 16px; }
.bad { color: #a00; }
`;

/** Side of the originals on the page, in pixels. */
const beforeSide = 320;

/** The page in pieces, one for each original. */
export async function* printContactSheet(
  job: RenderJob,
  outcomes: readonly RenderOutcome[],
): AsyncGenerator<string> {
  const rejected = outcomes.filter(({ problem }) => problem !== undefined).length;
  const summary = `${formatCount(outcomes.length - rejected, "picture")} rendered, ${formatNumber(rejected)} rejected`;
  const head = printHtmlHead(`Contact sheet: ${summary}`, style, { images: true });
  yield [...head, "<h1>Contact sheet</h1>", `<p>${escapeHtml(summary)}</p>`, ""].join("\n");
  for (const group of groupBy(outcomes, ({ source }) => source).values()) {
    yield `<section>${await printGroup(job, group)}</section>\n`;
  }
  yield "</body></html>\n";
}

async function printGroup(job: RenderJob, group: readonly RenderOutcome[]): Promise<string> {
  const first = group.find(({ rendered }) => rendered) ?? group[0];
  if (!first) return "";
  const figures = [await printBefore(first)];
  for (const outcome of group) figures.push(...(await printAfter(job, outcome)));
  return figures.join("");
}

/** A rejected file is not shown: it may not even be a picture. */
async function printBefore({ source, rendered }: RenderOutcome): Promise<string> {
  if (!rendered) return printFigure(undefined, source);
  const original = await readFile(source);
  const small = await renderVariant(
    original,
    { width: beforeSide, height: beforeSide },
    { accept: "image/webp" },
  );
  const facts = `${source}, ${formatNumber(original.byteLength)} bytes`;
  return printFigure(small.ok ? small.value.bytes : undefined, facts);
}

async function printAfter(job: RenderJob, outcome: RenderOutcome): Promise<string[]> {
  const { variant, rendered, problem, check } = outcome;
  const title = variant === undefined ? "" : `${variant}: `;
  if (!rendered) return [printFigure(undefined, `${title}rejected: ${problem ?? ""}`, true)];
  const bytes = await readFile(join(job.to, rendered.name));
  const { contentType, width, height, frames } = rendered;
  const animated = frames === 1 ? "" : `, ${frames} frames`;
  const size = `${width} x ${height} pixels${animated}, ${formatNumber(rendered.bytes)} bytes`;
  const verdict = check ? `, ${check.status}: ${check.reason}` : "";
  const isBad = check?.status === "different" || check?.status === "missing";
  const after = printFigure(bytes, `${title}${contentType}, ${size}${verdict}`, isBad);
  return check?.status === "different"
    ? [after, ...(await printDifference(job, rendered.name, bytes))]
    : [after];
}

/** The approved picture, and the marks of the blocks that differ. */
async function printDifference({ golden }: RenderJob, name: string, bytes: Uint8Array): Promise<string[]> {
  const approved = golden && (await readGolden(join(golden.folder, name)));
  if (!approved) return [];
  const { marked } = await comparePictures(bytes, approved, { tolerance: golden.tolerance });
  return [printFigure(approved, "approved"), ...(marked ? [printFigure(marked, "differences in red")] : [])];
}

function printFigure(bytes: Uint8Array | undefined, caption: string, isBad = false): string {
  const text = `<figcaption${isBad ? ' class="bad"' : ""}>${escapeHtml(caption)}</figcaption>`;
  return `<figure>${bytes ? printImage(bytes, caption) : ""}${text}</figure>`;
}
