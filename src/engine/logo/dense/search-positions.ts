/** Searches a prepared page for positions where templates may match: sums of responses, then a correlation. */

import { type Steps, stepWork } from "../../../core/work/steps.ts";
import { type Band, bandBytes, bandRows, bandsOf, canBound, computeBounds, runBytes } from "./bounds.ts";
import {
  correlationWork,
  fittedPositions,
  keptGroups,
  minBoundedTemplates,
  minCosine,
  minFittedCosine,
  minSumShare,
  padding,
  sumWork,
  templateWork,
} from "./dense-tuning.ts";
import type { CellLayout, LevelLayout } from "./page-layout.ts";
import type { ActiveGroups, PreparedPage } from "./prepare-page.ts";
import { featureNumbers, pointNumbers, type Template } from "./templates.ts";

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

/**
 * First of the four pixels along each axis that are correlated around a cell of 2 and of 4 pixels. Responses reach one and two
 * pixels to both sides; the second four are read only where the first four do not show the logo.
 */
const windowStarts = [[-2], [-2, -1]] as const;

/** Bytes of a template in the scratch memory: 32 of numbers, 128 offsets, 136 counts, 32 addresses of bounds. */
export const templateHead = 1216;
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
  return Math.floor((scratchBytes - headBytes) / (templateHead + maxRecords * recordBytes));
}

/** The best positions of templates on a page, for each template by falling cosine: as many as boxes are fitted at. */
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
  const recordsAt = templatesAt + batch.length * templateHead;
  const keep = keptGroups[search.index === 0 ? 0 : 1];
  for (const [n, t] of batch.entries()) {
    const template = templates[t];
    if (template) {
      const records = recordsAt + n * maxRecords * recordBytes;
      writeTemplate(words, (templatesAt + n * templateHead) >> 2, records, template, search);
    }
  }
  // Small levels have few groups, so that many batches share a step: what is left is yielded at the end.
  let work = batch.length * templateWork;
  for (let from = 0; from < groups.length && !search.bands; from += blockGroups) {
    const block = groups.subarray(from, from + blockGroups);
    words.set(block, groupsAt >> 2);
    kernels.sumGroups(groupsAt, block.length, templatesAt, batch.length, templateHead, keep);
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
    kernels.sumBounded(runsAt, count, first, columns, masksAt, templatesAt, batch.length, templateHead, keep);
    work += count * batch.length * sumWork;
    if (work < stepWork) continue;
    yield work;
    work = 0;
  }
  for (const [n, t] of batch.entries()) {
    const template = templates[t];
    if (!template) continue;
    const places = bestRecords(words, (templatesAt + n * templateHead) >> 2, keep);
    if (places.length === 0) continue;
    writePoints(words, layout.scratchAt, template, search.level);
    const positions = found[t] ?? [];
    const rowBytes = 2 * search.level.stride;
    const { energy, points } = template;
    for (const place of places) {
      let best: Position | undefined;
      for (const start of windowStarts[search.cells.step === 2 ? 0 : 1]) {
        const corner = cornerOf(search, template, place, start);
        if (!corner) continue;
        work += correlationWork;
        const from = search.level.fieldAt + 2 * (corner.y * search.level.stride + corner.x);
        kernels.correlate(pointsAt, points.length / pointNumbers, from, rowBytes, energy, layout.scratchAt);
        const [cosine = 0] = cosines;
        if (cosine <= (best?.cosine ?? -1)) continue;
        const offset = words[(layout.scratchAt + 8) >> 2] ?? 0;
        const [x, y] = [corner.x + (offset & 3), corner.y + (offset >> 2)];
        best = { template, level: search.index, x, y, cosine };
        if (cosine >= minFittedCosine) break;
      }
      if (!best || best.cosine < minCosine || !isAmongBest(positions, best.cosine)) continue;
      insert(positions, best);
    }
    if (work < stepWork) continue;
    yield work;
    work = 0;
  }
  yield work;
}

function isAmongBest(positions: readonly Position[], cosine: number): boolean {
  const last = positions[fittedPositions[0] - 1];
  return !last || cosine > last.cosine;
}

/** Adds a position after those with the same cosine, and drops what is too many. */
function insert(positions: Position[], position: Position): void {
  let at = positions.length;
  while (at > 0 && (positions[at - 1]?.cosine ?? 0) < position.cosine) at--;
  positions.splice(at, 0, position);
  if (positions.length > fittedPositions[0]) positions.pop();
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
  const count = features.length / featureNumbers;
  const limit = Math.floor(minSumShare * 4 * count);
  let farthest = 0;
  for (let i = 0, f = 0; i < count; i++, f += featureNumbers) {
    const x = features[f] ?? 0;
    const y = features[f + 1] ?? 0;
    const bin = features[f + 2] ?? 0;
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
  writeSumHead(words, at, count, limit, { recordsAt: records, room: maxRecords }, inside);
}

/** Where the sums of a template are recorded. */
export interface SumRecords {
  /** Address of the template. */
  readonly at: number;
  readonly recordsAt: number;
  /** Number of records. */
  readonly room: number;
}

/** Writes a template for `sumGroups` as the addresses of its features. */
export function writeSumTemplate(
  words: Int32Array,
  { at, ...records }: SumRecords,
  addresses: readonly number[],
  limit: number,
  inside: number,
): void {
  words.set(addresses, (at + firstOffset) >> 2);
  writeSumHead(words, at >> 2, addresses.length, limit, records, inside);
}

/** @param inside number of groups from which all features are in the planes */
function writeSumHead(
  words: Int32Array,
  at: number,
  count: number,
  limit: number,
  { recordsAt, room }: Omit<SumRecords, "at">,
  inside: number,
): void {
  words.fill(0, at + countsAt / 4, at + boundsAt / 4);
  words.set([count, limit, 0, room, recordsAt, 0, inside], at);
}

/** The cells of the largest sums, at most `keep`; of equal sums the first. Sorts the records in their memory. */
export function bestRecords(words: Int32Array, at: number, keep: number): Int32Array {
  const count = words[at + 2] ?? 0;
  // Sums up to the threshold, which has risen, cannot be among the largest unless too few exceed it.
  const limit = words[at + 1] ?? 0;
  const records = (words[at + 4] ?? 0) >> 2;
  let kept = 0;
  for (let i = records, end = records + 2 * count; i < end; i += 2) {
    const cell = words[i] ?? 0;
    const sum = words[i + 1] ?? 0;
    const last = records + 2 * (kept - 1);
    if (sum < limit || (kept === keep && sum <= (words[last + 1] ?? 0))) continue;
    let to = kept === keep ? last : last + 2;
    kept = Math.min(keep, kept + 1);
    for (; to > records && (words[to - 1] ?? 0) < sum; to -= 2) {
      words[to] = words[to - 2] ?? 0;
      words[to + 1] = words[to - 1] ?? 0;
    }
    words[to] = cell;
    words[to + 1] = sum;
  }
  for (let n = 1; n < kept; n++) words[records + n] = words[records + 2 * n] ?? 0;
  return words.subarray(records, records + kept);
}

function writePoints(words: Int32Array, scratchAt: number, { points }: Template, level: LevelLayout): void {
  let i = (scratchAt + resultBytes) >> 2;
  for (let p = 0; p < points.length; p += pointNumbers) {
    words[i++] = ((points[p + 1] ?? 0) * level.stride + (points[p] ?? 0)) * 2;
    words[i++] = ((points[p + 2] ?? 0) & 0xffff) | ((points[p + 3] ?? 0) << 16);
  }
}

/** The first of 16 pixels around a cell; undefined where the template would leave the padded picture. */
function cornerOf(
  { level, cells: { step, columns } }: LevelSearch,
  template: Template,
  cell: number,
  start: number,
): { readonly x: number; readonly y: number } | undefined {
  const x = (cell % columns) * step + start;
  const y = Math.floor(cell / columns) * step + start;
  if (x < 0 || y < 0) return undefined;
  if (x + template.columns + 4 > level.width + 2 * padding) return undefined;
  if (y + template.rows + 4 > level.height + 2 * padding) return undefined;
  return { x, y };
}
