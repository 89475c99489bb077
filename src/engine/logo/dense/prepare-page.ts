/** Prepares a page for dense detection: octaves, gradient field, bins and responses in linear memory. */

import { type Steps, stepWork } from "../../../core/work/steps.ts";
import { over } from "../decode/flatten-pixels.ts";
import { matteOf, type Raster } from "../decode/picture.ts";
import { activeRows, minBinSquare, padding, softGradient } from "./dense-tuning.ts";
import type { DenseKernels } from "./kernels/kernel-functions.ts";
import { allocate, type DensePath, type Workspace } from "./kernels/kernels.ts";
import { type CellLayout, type LevelLayout, layoutPage, type PageLayout } from "./page-layout.ts";

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
    repeatRows(page.bytes, level);
    yield* computeField(page, level);
    const groups: ActiveGroups[] = [];
    for (const cells of level.cells) groups.push(yield* computeResponses(page, layout, level, cells));
    active.push(groups);
  }
  return { ...workspace, width: raster.width, height, layout, active };
}

/** The costly parts of a prepared page, from which it is restored in less time. */
export interface SavedPage {
  readonly width: number;
  readonly height: number;
  /** For each level the bytes of its field, its bins and the marks of its blocks. */
  readonly levels: readonly (readonly Uint8Array[])[];
  readonly active: PreparedPage["active"];
}

/** Copies a page out of its workspace. */
export function savePage({ memory, layout, width, height, active }: PreparedPage): SavedPage {
  const levels = layout.levels.map((level) =>
    savedParts(level).map(([at, bytes]) => new Uint8Array(memory.buffer, at, bytes).slice()),
  );
  return { width, height, levels, active };
}

/** The page that `savePage` copied, in steps. */
export function* restoreSteps(
  { width, height, levels, active }: SavedPage,
  options: Pick<PrepareOptions, "path" | "reuse"> = {},
): Steps<PreparedPage> {
  const layout = layoutPage(width, height);
  const workspace = workspaceFor(layout, options);
  const page = { kernels: workspace.kernels, bytes: new Uint8Array(workspace.memory.buffer) };
  for (const [i, level] of layout.levels.entries()) {
    for (const [n, [at]] of savedParts(level).entries()) page.bytes.set(levels[i]?.[n] ?? [], at);
    for (const cells of level.cells) yield* respondSteps(page, layout, level, cells);
  }
  return { ...workspace, width, height, layout, active };
}

/** The parts of a level that are saved: their addresses, and numbers of bytes. */
function savedParts(level: LevelLayout): readonly (readonly [at: number, bytes: number])[] {
  const pixels = planeBytes(level);
  return [
    [level.fieldAt, 2 * pixels],
    [level.binsAt, pixels],
    [level.edgesAt, pixels / 16],
  ];
}

/** A new workspace, or the old one, where marks of an earlier page of the same size say what is not 0. */
function workspaceFor(layout: PageLayout, { path, reuse }: PrepareOptions): Workspace {
  if (!reuse || reuse.memory.buffer.byteLength < layout.bytes) return allocate(layout.bytes, path);
  if (!isPageOf(reuse, layout)) new Uint8Array(reuse.memory.buffer).fill(0, 0, layout.bytes);
  return { memory: reuse.memory, kernels: reuse.kernels, path: reuse.path };
}

/** Whether a workspace has a page of the same layout. */
function isPageOf(workspace: Workspace & Partial<PreparedPage>, { levels: [first] }: PageLayout): boolean {
  return workspace.width === first?.width && workspace.height === first?.height;
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
  return Math.max(1, Math.floor(stepWork / stride));
}

/** Bytes of a row of words of colors. */
function colorBytes({ stride }: LevelLayout): number {
  return stride / 4;
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
  const { height, stride, planesAt, colorsAt } = level;
  const rowsAtOnce = Math.min(rowsOfStep(stride), Math.floor((layout.scratchBytes - 64) / (4 * width)));
  const { scratchAt } = layout;
  let matte: number | undefined;
  for (let y = 0, split = 0; y < height; y += rowsAtOnce, split += rowsAtOnce) {
    if (split + rowsAtOnce > rowsOfStep(stride)) {
      yield;
      split = 0;
    }
    const rows = Math.min(rowsAtOnce, height - y);
    const from = (top + y) * width * 4;
    bytes.set(data.subarray(from, from + rows * width * 4), scratchAt);
    const to = originOf(level, planesAt) + y * stride;
    const colors = colorsAt + (y + 1) * colorBytes(level);
    const splitRows = () => kernels.split(scratchAt, width, rows, to, planeBytes(level), stride, colors);
    if (splitRows()) continue;
    matte ??= matteOf(raster);
    composite(bytes.subarray(scratchAt, scratchAt + rows * width * 4), matte);
    splitRows();
  }
}

/** Makes pixels opaque. */
function composite(pixels: Uint8Array, matte: number): void {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] ?? 0;
    for (let c = i; c < i + 3; c++) pixels[c] = over(pixels[c] ?? 0, alpha, matte);
    pixels[i + 3] = 255;
  }
}

function halveLevel({ kernels }: Working, from: LevelLayout, to: LevelLayout): void {
  kernels.halve(
    originOf(from, from.planesAt),
    planeBytes(from),
    from.stride,
    originOf(to, to.planesAt),
    planeBytes(to),
    to.stride,
    to.width,
    to.height,
    from.colorsAt + colorBytes(from),
    to.colorsAt + colorBytes(to),
  );
}

/** Repeats the first and the last row once, so that the picture's edge is no edge in it. */
function repeatRows(bytes: Uint8Array, level: LevelLayout): void {
  const { width, height, stride, planesAt, colorsAt } = level;
  for (let channel = 0; channel < 3; channel++) {
    const first = originOf(level, planesAt + channel * planeBytes(level)) - 1;
    bytes.copyWithin(first - stride, first, first + width + 2);
    const last = first + (height - 1) * stride;
    bytes.copyWithin(last + stride, last, last + width + 2);
  }
  const row = colorBytes(level);
  bytes.copyWithin(colorsAt, colorsAt + row, colorsAt + 2 * row);
  bytes.copyWithin(colorsAt + (height + 1) * row, colorsAt + height * row, colorsAt + (height + 1) * row);
}

function* computeField({ kernels }: Working, level: LevelLayout): Steps<void> {
  const { width, height, stride, planesAt, fieldAt, binsAt, colorsAt, edgesAt } = level;
  const size = planeBytes(level);
  const atOnce = rowsOfStep(stride);
  for (let y = 0; y < height; y += atOnce) {
    yield;
    const offset = (y + padding) * stride + padding;
    kernels.fields(
      planesAt + offset,
      size,
      stride,
      width,
      Math.min(atOnce, height - y),
      softGradient,
      minBinSquare,
      fieldAt + 2 * offset,
      binsAt + offset,
      colorsAt + (y + 1) * colorBytes(level),
      edgesAt + offset / 16,
    );
  }
}

/** Bytes of 0 before the row of marks in the scratch memory. */
const rowMargin = 64;

function* computeResponses(
  page: Working,
  layout: PageLayout,
  level: LevelLayout,
  cells: CellLayout,
): Steps<ActiveGroups> {
  yield* respondSteps(page, layout, level, cells);
  const { step, columns, occupiedAt } = cells;
  const groups = columns / 16;
  const cellRows = level.rows / step;
  return activeGroups(page.bytes.subarray(occupiedAt, occupiedAt + cellRows * groups), cellRows, groups);
}

function* respondSteps(
  { bytes, kernels }: Working,
  { scratchAt }: PageLayout,
  { stride, rows, binsAt, edgesAt }: LevelLayout,
  { step, planeBytes, at, filledAt, occupiedAt }: CellLayout,
): Steps<void> {
  const row = scratchAt + rowMargin;
  const atOnce = rowsOfStep(stride);
  bytes.fill(0, scratchAt, row);
  for (let y = 2; y < rows - 2; y += atOnce) {
    yield;
    const end = Math.min(y + atOnce, rows - 2);
    kernels.respond(binsAt, stride, y, end, step, edgesAt, filledAt, row, at, planeBytes, occupiedAt);
  }
}

/** The groups with edges in enough of the rows below. */
function activeGroups(occupied: Uint8Array, rows: number, groups: number): ActiveGroups {
  const [reach, needed] = activeRows;
  const active = new Int32Array(rows * groups);
  // For each column of groups the number of rows with edges, of which one enters and one leaves.
  const counts = new Uint8Array(groups);
  const add = (row: number, sign: number) => {
    if (row < 0 || row >= rows) return;
    const first = row * groups;
    for (let g = 0; g < groups; g++) {
      const after = g + 1 < groups ? (occupied[first + g + 1] ?? 0) : 0;
      counts[g] = (counts[g] ?? 0) + sign * ((occupied[first + g] ?? 0) | after);
    }
  };
  let found = 0;
  for (let row = 0; row < reach - 1; row++) add(row, 1);
  for (let row = 0; row + needed <= rows; row++) {
    add(row + reach - 1, 1);
    for (let g = 0; g < groups; g++) {
      if ((counts[g] ?? 0) >= needed) active[found++] = (row * groups + g) * 16;
    }
    add(row, -1);
  }
  return active.slice(0, found);
}
