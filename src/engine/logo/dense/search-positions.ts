/** Searches a prepared page for positions where templates may match: sums of responses, then a correlation. */

import { type Steps, stepWork } from "../../../core/work/steps.ts";
import { type Band, bandBytes, bandRows, bandsOf, canBound, computeBounds, runBytes } from "./bounds.ts";
import {
  correlationWork,
  keptGroups,
  minBoundedTemplates,
  minCosine,
  minSumShare,
  padding,
  sumWork,
  templateWork,
} from "./dense-tuning.ts";
import type { CellLayout, LevelLayout } from "./page-layout.ts";
import type { ActiveGroups, PreparedPage } from "./prepare-page.ts";
import type { Template, TemplatePoint } from "./templates.ts";

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

/** Bytes of a template in the scratch memory: 32 of numbers, 128 offsets, 136 counts, 32 addresses of bounds. */
const templateBytes = 1216;
const firstOffset = 32;
const countsAt = 544;
const boundsAt = 1088;
/** Records of one template at once; more than three times those that are kept. */
const maxRecords = 192;
const recordBytes = 8;
/** Groups that are summed for every template before the next groups, so that they stay in the cache. */
const blockGroups = 64;
const resultBytes = 16;
const pointBytes = 8;
const maxPoints = 128;
const maskBytes = bandRows * 8;
const headBytes = resultBytes + maxPoints * pointBytes + blockGroups * 4 + maskBytes + bandBytes;

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
      if (wanted.length === 0 || groups.length === 0) continue;
      let bands: readonly Band[] | undefined;
      if (wanted.length >= minBoundedTemplates && canBound(cells)) {
        computeBounds(page, cells);
        yield;
        bands = bandsOf(cells, groups);
      }
      const search = { page, level, cells, groups, bands, index: l };
      for (let from = 0; from < wanted.length; from += size) {
        const batch = wanted.slice(from, from + size);
        yield* searchBatch(search, batch, templates, found);
      }
    }
  }
  for (const positions of found) {
    positions.sort((a, b) => b.cosine - a.cosine);
    yield positions.length * sumWork;
  }
  return found;
}

interface LevelSearch {
  readonly page: PreparedPage;
  readonly level: LevelLayout;
  readonly index: number;
  readonly cells: CellLayout;
  readonly groups: ActiveGroups;
  /** The same groups when there are bounds. */
  readonly bands: readonly Band[] | undefined;
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
  // Small levels have few groups, so that many batches share a step: what is left is yielded at the end.
  let work = batch.length * templateWork;
  for (let from = 0; from < groups.length && !search.bands; from += blockGroups) {
    const block = groups.subarray(from, from + blockGroups);
    words.set(block, groupsAt >> 2);
    kernels.sumGroups(groupsAt, block.length, templatesAt, batch.length, templateBytes, keep);
    work += block.length * batch.length * sumWork;
    if (work < stepWork) continue;
    yield work;
    work = 0;
  }
  const masksAt = groupsAt + blockGroups * 4;
  const runsAt = masksAt + maskBytes;
  words.fill(0, masksAt >> 2, runsAt >> 2);
  for (const { first, runs } of search.bands ?? []) {
    words.set(runs, runsAt >> 2);
    const count = (4 * runs.length) / runBytes;
    const { columns } = search.cells;
    kernels.sumBounded(
      runsAt,
      count,
      first,
      columns,
      masksAt,
      templatesAt,
      batch.length,
      templateBytes,
      keep,
    );
    work += count * batch.length * sumWork;
    if (work < stepWork) continue;
    yield work;
    work = 0;
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
    work += places.length * correlationWork;
    if (work < stepWork) continue;
    yield work;
    work = 0;
  }
  yield work;
}

function writeTemplate(
  words: Int32Array,
  at: number,
  records: number,
  { features }: Template,
  { cells }: LevelSearch,
): void {
  const { step, columns, planeBytes, at: cellsAt, boundsAt: planesAt, boundColumns } = cells;
  const columnBytes = planeBytes / columns + bandRows;
  const boundBytes = boundColumns * columnBytes;
  const shift = step >> 1;
  const mask = step - 1;
  const limit = Math.floor(minSumShare * 4 * features.length);
  let farthest = 0;
  for (let i = 0; i < features.length; i++) {
    const { x, y, u: bin } = features[i] as TemplatePoint;
    const column = x >> shift;
    const row = y >> shift;
    const phase = (bin << shift) + (y & mask);
    const cell = row * columns + column;
    const plane = (phase << shift) + (x & mask);
    words[at + firstOffset / 4 + i] = cellsAt + plane * planeBytes + cell;
    const bound = (phase << 2) + ((column >> 2) & 3);
    words[at + boundsAt / 4 + i] = planesAt + bound * boundBytes + (column >> 4) * columnBytes + row;
    if (cell > farthest) farthest = cell;
  }
  const inside = Math.max(0, (planeBytes - farthest) >> 4);
  words.fill(0, at + countsAt / 4, at + boundsAt / 4);
  words[at] = features.length;
  words[at + 1] = limit;
  words[at + 2] = 0;
  words[at + 3] = maxRecords;
  words[at + 4] = records;
  words[at + 5] = 0;
  words[at + 6] = inside;
}

/** The cells of the largest sums, at most `keep`; of equal sums the first. */
export function bestRecords(words: Int32Array, at: number, keep: number): readonly number[] {
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
