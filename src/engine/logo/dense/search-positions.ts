/** Searches a prepared page for positions where templates may match: sums of responses, then a correlation. */

import { keptGroups, minCosine, minSumShare, padding, stepSums } from "./dense-tuning.ts";
import type { CellLayout, LevelLayout } from "./page-layout.ts";
import type { PreparedPage } from "./prepare-page.ts";
import type { Steps } from "./steps.ts";
import type { Template } from "./templates.ts";

/** A position of a template on a page. */
export interface Position {
  readonly template: Template;
  /** Index of the level. */
  readonly level: number;
  /** The template's corner in the level's planes, in pixels, with the padding. */
  readonly x: number;
  readonly y: number;
  /** Cosine of the points, at most 1. */
  readonly cosine: number;
}

/** Bytes of a template in the scratch memory: 32 of numbers, 128 offsets, 136 counts. */
const templateBytes = 1088;
const firstOffset = 32;
const countsAt = 544;
/** Records of one template. */
const maxRecords = 192;
const recordBytes = 8;
/** Groups that are summed for every template before the next groups, so that they stay in the cache. */
const blockGroups = 64;
const resultBytes = 16;
const pointBytes = 8;
const maxPoints = 128;
const headBytes = resultBytes + maxPoints * pointBytes + blockGroups * 4;

/** Number of templates that a batch may have in a scratch memory of so many bytes. */
export function batchSize(scratchBytes: number): number {
  return Math.floor((scratchBytes - headBytes) / (templateBytes + maxRecords * recordBytes));
}

/** The positions of templates on a page, for each template by falling cosine. */
export function* searchPositions(page: PreparedPage, templates: readonly Template[]): Steps<Position[][]> {
  const found: Position[][] = templates.map(() => []);
  const size = batchSize(page.layout.scratchBytes);
  for (let l = 0; l < page.layout.levels.length; l++) {
    const level = page.layout.levels[l];
    for (const [c, cells] of (level?.cells ?? []).entries()) {
      const groups = page.active[l]?.[c];
      if (!level || !groups) continue;
      const wanted = [...templates.keys()].filter((t) => templates[t]?.small === (cells.step === 2));
      for (let from = 0; from < wanted.length; from += size) {
        const batch = wanted.slice(from, from + size);
        const search = { page, level, cells, groups, index: l };
        yield* searchBatch(search, batch, templates, found);
      }
    }
  }
  for (const positions of found) positions.sort((a, b) => b.cosine - a.cosine);
  return found;
}

interface LevelSearch {
  readonly page: PreparedPage;
  readonly level: LevelLayout;
  readonly index: number;
  readonly cells: CellLayout;
  readonly groups: Int32Array;
}

function* searchBatch(
  search: LevelSearch,
  batch: readonly number[],
  templates: readonly Template[],
  found: Position[][],
): Steps<void> {
  const { page, groups } = search;
  const { kernels, layout } = page;
  const words = new Int32Array(page.memory.buffer);
  const cosines = new Float64Array(page.memory.buffer, layout.scratchAt, 1);
  const groupsAt = layout.scratchAt + resultBytes + maxPoints * pointBytes;
  const pointsAt = layout.scratchAt + resultBytes;
  const templatesAt = layout.scratchAt + headBytes;
  const recordsAt = templatesAt + batch.length * templateBytes;
  const keep = keptGroups[search.index === 0 ? 0 : 1];
  for (const [n, t] of batch.entries()) {
    const template = templates[t];
    if (template) {
      const records = recordsAt + n * maxRecords * recordBytes;
      writeTemplate(words, (templatesAt + n * templateBytes) >> 2, records, template, search);
    }
  }
  let sums = 0;
  for (let from = 0; from < groups.length; from += blockGroups) {
    const block = groups.subarray(from, from + blockGroups);
    words.set(block, groupsAt >> 2);
    kernels.sumGroups(groupsAt, block.length, templatesAt, batch.length, templateBytes, keep);
    sums += block.length * batch.length;
    if (sums < stepSums) continue;
    sums = 0;
    yield;
  }
  for (const [n, t] of batch.entries()) {
    const template = templates[t];
    if (!template) continue;
    const places = bestRecords(words, (templatesAt + n * templateBytes) >> 2, keep);
    if (places.length === 0) continue;
    writePoints(words, layout.scratchAt, template, search.level);
    for (const place of places) {
      const corner = cornerOf(search, template, place);
      if (!corner) continue;
      const { x, y } = corner;
      const from = search.level.fieldAt + 2 * (y * search.level.stride + x);
      const { energy, points } = template;
      const rowBytes = 2 * search.level.stride;
      kernels.correlate(pointsAt, points.length, from, rowBytes, energy, layout.scratchAt);
      const [cosine = 0] = cosines;
      if (cosine < minCosine) continue;
      const offset = words[(layout.scratchAt + 8) >> 2] ?? 0;
      const position = { template, level: search.index, x: x + (offset & 3), y: y + (offset >> 2), cosine };
      found[t]?.push(position);
    }
  }
}

function writeTemplate(
  words: Int32Array,
  at: number,
  records: number,
  { features }: Template,
  { cells }: LevelSearch,
): void {
  const limit = Math.floor(minSumShare * 4 * features.length);
  words.set([features.length, limit, 0, maxRecords, records, 0], at);
  words.fill(0, at + countsAt / 4, at + templateBytes / 4);
  const { step, columns, planeBytes, at: cellsAt } = cells;
  for (const [i, { x, y, u: bin }] of features.entries()) {
    const plane = (bin * step + (y % step)) * step + (x % step);
    words[at + firstOffset / 4 + i] =
      cellsAt + plane * planeBytes + Math.floor(y / step) * columns + Math.floor(x / step);
  }
}

/** The cells of the largest sums, at most `keep`; of equal sums the first. */
function bestRecords(words: Int32Array, at: number, keep: number): readonly number[] {
  const count = words[at + 2] ?? 0;
  // Sums up to the threshold, which has risen, cannot be among the largest unless too few exceed it.
  const limit = words[at + 1] ?? 0;
  const records = (words[at + 4] ?? 0) >> 2;
  const above: number[] = [];
  const equal: number[] = [];
  for (let i = records, end = records + 2 * count; i < end; i += 2) {
    const sum = words[i + 1] ?? 0;
    if (sum > limit) above.push(i);
    else if (sum === limit && equal.length < keep) equal.push(i);
  }
  above.sort((a, b) => (words[b + 1] ?? 0) - (words[a + 1] ?? 0) || a - b);
  return [...above, ...equal].slice(0, keep).map((i) => words[i] ?? 0);
}

function writePoints(words: Int32Array, scratchAt: number, { points }: Template, level: LevelLayout): void {
  let i = (scratchAt + resultBytes) >> 2;
  for (const { x, y, u, v } of points) {
    words[i++] = (y * level.stride + x) * 2;
    words[i++] = (u & 0xffff) | (v << 16);
  }
}

/** The first of the 16 pixels around a cell; undefined where the template would leave the padded picture. */
function cornerOf(
  { level, cells: { step, columns } }: LevelSearch,
  template: Template,
  cell: number,
): { readonly x: number; readonly y: number } | undefined {
  const x = (cell % columns) * step - 2;
  const y = Math.floor(cell / columns) * step - 2;
  if (x < 0 || y < 0) return undefined;
  if (x + template.columns + 4 > level.width + 2 * padding) return undefined;
  if (y + template.rows + 4 > level.height + 2 * padding) return undefined;
  return { x, y };
}
