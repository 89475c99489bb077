/** Prepares a page for dense detection: octaves, gradient field, bins and responses in linear memory. */

import { matteOf, over, type Raster } from "../decode/picture.ts";
import { activeRows, minBinSquare, padding, softGradient } from "./dense-tuning.ts";
import type { DenseKernels } from "./kernels/kernel-functions.ts";
import { allocate, type DensePath, type Workspace } from "./kernels/kernels.ts";
import { type CellLayout, type LevelLayout, layoutPage, type PageLayout, tailBytes } from "./page-layout.ts";
import { runSteps, type Steps, stepPixels } from "./steps.ts";

/** The groups of 16 cells of a level in which a logo may begin: offsets from the first cell, rising. */
export type ActiveGroups = Int32Array;

/** A page in which logos can be searched. */
export interface PreparedPage extends Workspace {
  readonly width: number;
  readonly height: number;
  readonly layout: PageLayout;
  /** For each level, for each of its cell layouts. */
  readonly active: readonly (readonly ActiveGroups[])[];
}

/** Options of a preparation. */
export interface PrepareOptions {
  /** First row; 0 by default. */
  readonly top?: number;
  /** Row after the last; the height by default. */
  readonly bottom?: number;
  /** The path of the kernels; by default the faster one that this runtime has. */
  readonly path?: DensePath;
  /** A workspace whose memory is written again, if it is large enough; a page in it cannot be searched any more. */
  readonly reuse?: Workspace | undefined;
}

/** Prepares rows of a raster. */
export function preparePage(raster: Raster, options: PrepareOptions = {}): PreparedPage {
  return runSteps(prepareSteps(raster, options));
}

/** Prepares rows of a raster in steps of a few milliseconds. */
export function* prepareSteps(raster: Raster, options: PrepareOptions = {}): Steps<PreparedPage> {
  const { top = 0, bottom = raster.height } = options;
  const height = bottom - top;
  const layout = layoutPage(raster.width, height);
  const workspace = workspaceFor(layout, options);
  const page = { kernels: workspace.kernels, bytes: new Uint8Array(workspace.memory.buffer) };
  const active: ActiveGroups[][] = [];
  for (const [i, level] of layout.levels.entries()) {
    const above = layout.levels[i - 1];
    if (above) halveLevel(page, above, level);
    else yield* splitRaster(page, layout, raster, top);
    extendPlanes(page.bytes, level);
    yield* computeField(page, level);
    const groups: ActiveGroups[] = [];
    for (const cells of level.cells) groups.push(yield* computeResponses(page, layout, level, cells));
    active.push(groups);
  }
  return { ...workspace, width: raster.width, height, layout, active };
}

/** A new workspace, or the old one with 0 wherever preparation does not write. */
function workspaceFor(layout: PageLayout, { path, reuse }: PrepareOptions): Workspace {
  if (!reuse || reuse.memory.buffer.byteLength < layout.bytes) return allocate(layout.bytes, path);
  const bytes = new Uint8Array(reuse.memory.buffer);
  for (const level of layout.levels) {
    const pixels = level.stride * level.rows;
    bytes.fill(0, level.fieldAt, level.fieldAt + 2 * pixels);
    bytes.fill(0, level.binsAt, level.binsAt + pixels);
    for (const { at, columns, step, planeBytes: size } of level.cells) {
      const planes = 8 * step * step;
      for (let plane = at, n = 0; n < planes; n++, plane += size) {
        bytes.fill(0, plane, plane + columns);
        bytes.fill(0, plane + size - columns, plane + size);
      }
      bytes.fill(0, at + planes * size, at + planes * size + tailBytes);
    }
  }
  bytes.fill(0, layout.bytes - tailBytes, layout.bytes);
  return { memory: reuse.memory, kernels: reuse.kernels, path: reuse.path };
}

interface Working {
  readonly bytes: Uint8Array;
  readonly kernels: DenseKernels;
}

function planeBytes({ stride, rows }: LevelLayout): number {
  return stride * rows;
}

/** Address of the picture's first pixel in a plane. */
function originOf({ stride }: LevelLayout, at: number): number {
  return at + padding * stride + padding;
}

/** Rows of a step of a few milliseconds. */
function rowsOfStep(stride: number): number {
  return Math.max(1, Math.floor(stepPixels / stride));
}

function* splitRaster(
  { bytes, kernels }: Working,
  layout: PageLayout,
  raster: Raster,
  top: number,
): Steps<void> {
  const { width, data } = raster;
  const [level] = layout.levels;
  if (!level) return;
  const size = planeBytes(level);
  const count = Math.ceil(width / 16) * 16;
  const row = bytes.subarray(layout.scratchAt, layout.scratchAt + count * 4);
  const matte = matteOf(raster);
  for (let y = 0; y < level.height; y++) {
    if (y % rowsOfStep(level.stride) === 0) yield;
    const from = (top + y) * width * 4;
    row.set(data.subarray(from, from + width * 4));
    row.fill(255, width * 4);
    const to = originOf(level, level.planesAt) + y * level.stride;
    const opaque = kernels.split(layout.scratchAt, count, to, to + size, to + 2 * size);
    if (opaque) continue;
    composite(row, matte);
    kernels.split(layout.scratchAt, count, to, to + size, to + 2 * size);
  }
}

function composite(row: Uint8Array, matte: number): void {
  for (let i = 0; i < row.length; i += 4) {
    const alpha = row[i + 3] ?? 0;
    for (let c = i; c < i + 3; c++) row[c] = over(row[c] ?? 0, alpha, matte);
  }
}

function halveLevel({ kernels }: Working, from: LevelLayout, to: LevelLayout): void {
  for (let channel = 0; channel < 3; channel++) {
    const source = originOf(from, from.planesAt + channel * planeBytes(from));
    const target = originOf(to, to.planesAt + channel * planeBytes(to));
    for (let y = 0; y < to.height; y++) {
      const upper = source + 2 * y * from.stride;
      kernels.halveRow(upper, upper + from.stride, to.width, target + y * to.stride);
    }
  }
}

/** Repeats the pixels of the edges once, so that the picture's edge is no edge in it. */
function extendPlanes(bytes: Uint8Array, level: LevelLayout): void {
  const { width, height, stride } = level;
  for (let channel = 0; channel < 3; channel++) {
    const first = originOf(level, level.planesAt + channel * planeBytes(level));
    for (let y = 0; y < height; y++) {
      const at = first + y * stride;
      bytes[at - 1] = bytes[at] ?? 0;
      bytes[at + width] = bytes[at + width - 1] ?? 0;
    }
    bytes.copyWithin(first - 1 - stride, first - 1, first + width + 1);
    const last = first + (height - 1) * stride - 1;
    bytes.copyWithin(last + stride, last, last + width + 2);
  }
}

function* computeField({ bytes, kernels }: Working, level: LevelLayout): Steps<void> {
  const { width, height, stride, planesAt, fieldAt, binsAt } = level;
  const size = planeBytes(level);
  const extra = Math.ceil(width / 8) * 8 - width;
  for (let y = 0; y < height; y++) {
    if (y % rowsOfStep(stride) === 0) yield;
    const offset = (y + padding) * stride + padding;
    const red = planesAt + offset;
    const field = fieldAt + 2 * offset;
    const bins = binsAt + offset;
    kernels.fieldRow(red, red + size, red + 2 * size, stride, width, softGradient, minBinSquare, field, bins);
    if (extra === 0) continue;
    bytes.fill(0, field + 2 * width, field + 2 * (width + extra));
    bytes.fill(0, bins + width, bins + width + extra);
  }
}

/** Margin of the row of united bins. */
const rowMargin = 64;

function* computeResponses(
  { bytes, kernels }: Working,
  { scratchAt }: PageLayout,
  { stride, rows, binsAt }: LevelLayout,
  { step, columns, planeBytes, at }: CellLayout,
): Steps<ActiveGroups> {
  const near = step === 2 ? 1 : 0;
  const respond = near ? kernels.respondRowNear : kernels.respondRow;
  const row = scratchAt + rowMargin;
  const words = new Int32Array(bytes.buffer, row, stride / 4);
  const cellRows = rows / step;
  const groups = columns / 16;
  const occupied = new Uint8Array(cellRows * groups);
  bytes.fill(0, scratchAt, row + stride + rowMargin);
  for (let y = 2; y < rows - 2; y++) {
    if (y % rowsOfStep(stride) === 0) yield;
    kernels.unionRows(binsAt + y * stride, stride, stride, near, row);
    const phase = y % step;
    const cellRow = (y - phase) / step;
    const to = at + phase * step * planeBytes + cellRow * columns;
    respond(row, stride, to, step * step * planeBytes, planeBytes);
    if (phase === step / 2) markOccupied(words, occupied.subarray(cellRow * groups, (cellRow + 1) * groups));
  }
  return activeGroups(occupied, cellRows, groups);
}

/** Marks the groups of a row that have edges. */
function markOccupied(words: Int32Array, occupied: Uint8Array): void {
  const each = words.length / occupied.length;
  for (let g = 0, i = 0; g < occupied.length; g++) {
    let all = 0;
    for (const end = i + each; i < end; i++) all |= words[i] ?? 0;
    occupied[g] = all === 0 ? 0 : 1;
  }
}

/** The groups with edges in enough of the rows below. */
function activeGroups(occupied: Uint8Array, rows: number, groups: number): ActiveGroups {
  const [reach, needed] = activeRows;
  const active: number[] = [];
  for (let r = 0; r + needed <= rows; r++) {
    for (let g = 0; g < groups; g++) {
      let count = 0;
      for (let k = r; k < Math.min(rows, r + reach) && count < needed; k++) {
        const i = k * groups + g;
        count += (occupied[i] ?? 0) | (g + 1 < groups ? (occupied[i + 1] ?? 0) : 0);
      }
      if (count >= needed) active.push((r * groups + g) * 16);
    }
  }
  return Int32Array.from(active);
}
