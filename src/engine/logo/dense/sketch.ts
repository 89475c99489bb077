/**
 * The sketch of a scanned picture: the directions of edges in each 4 x 4 pixels, at every level that the dense search
 * prepares. It is stored with the picture, in about 7 kB for a page, and says which pictures are worth a dense search.
 *
 * A sketch is deflated. Each level is its columns and rows (little endian, 2 bytes each) and a byte for each cell: the union
 * of the bins of its pixels. The levels of a strip of a tall picture follow those of the one before.
 */

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { viewOf } from "../../../core/view-of.ts";
import type { Steps } from "../../../core/work/steps.ts";
import type { Raster } from "../decode/picture.ts";
import { padding } from "./dense-tuning.ts";
import { keepWorkspace, takeWorkspace } from "./kernels/idle-workspace.ts";
import type { Workspace } from "./kernels/kernels.ts";
import type { LevelLayout } from "./page-layout.ts";
import { type PreparedPage, prepareSteps } from "./prepare-page.ts";
import { minSide, stripsOf, workingSteps } from "./search-picture.ts";

/** Pixels along a side of a cell. */
export const cellSide = 4;

/** A level of a sketch. */
export interface SketchLevel {
  readonly columns: number;
  readonly rows: number;
  /** Whether small logos are searched, too: at the first level of a strip. */
  readonly isFirst: boolean;
  /** The bins of each cell. */
  readonly cells: Uint8Array;
}

const headBytes = 4;
/** Levels halve, so that the first of the next strip is the only larger one. */
const maxSketchBytes = 1 << 26;

/** Sketches a decoded picture, in steps. */
export function* sketchSteps(raster: Raster): Steps<Uint8Array> {
  const { working } = yield* workingSteps(raster);
  const levels: Uint8Array[] = [];
  if (Math.min(working.width, working.height) >= minSide) {
    let reuse: Workspace | undefined = takeWorkspace();
    for (const strip of stripsOf(working)) {
      const page: PreparedPage = yield* prepareSteps(working, { ...strip, reuse });
      reuse = page;
      for (const level of page.layout.levels) levels.push(sketchLevel(page, level));
      yield;
    }
    keepWorkspace(reuse);
  }
  return new Uint8Array(deflateRawSync(Buffer.concat(levels)));
}

/** The bytes of a level. */
function sketchLevel({ memory }: PreparedPage, { width, height, stride, binsAt }: LevelLayout): Uint8Array {
  const bins = new Uint8Array(memory.buffer);
  const columns = Math.ceil(width / cellSide);
  const rows = Math.ceil(height / cellSide);
  const bytes = new Uint8Array(headBytes + columns * rows);
  const head = new DataView(bytes.buffer);
  head.setUint16(0, columns, true);
  head.setUint16(2, rows, true);
  for (let y = 0; y < height; y++) {
    const from = binsAt + (y + padding) * stride + padding;
    const to = headBytes + Math.floor(y / cellSide) * columns;
    for (let x = 0; x < width; x++) {
      const bin = bins[from + x] ?? 0;
      if (bin !== 0) bytes[to + (x >> 2)] = (bytes[to + (x >> 2)] ?? 0) | bin;
    }
  }
  return bytes;
}

/**
 * The levels of a sketch.
 *
 * @throws {TypeError} when the bytes are not a sketch
 */
export function readSketch(bytes: Uint8Array): readonly SketchLevel[] {
  const levels: SketchLevel[] = [];
  const packed = inflated(bytes);
  const data = viewOf(packed);
  let above = 0;
  for (let at = 0; at < packed.length; ) {
    if (at + headBytes > packed.length) throw notASketch();
    const columns = data.getUint16(at, true);
    const rows = data.getUint16(at + 2, true);
    const end = at + headBytes + columns * rows;
    if (columns === 0 || end > packed.length) throw notASketch();
    levels.push({ columns, rows, isFirst: columns >= above, cells: packed.subarray(at + headBytes, end) });
    above = columns;
    at = end;
  }
  return levels;
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    const { buffer, byteOffset, length } = inflateRawSync(bytes, { maxOutputLength: maxSketchBytes });
    return new Uint8Array(buffer, byteOffset, length);
  } catch {
    throw notASketch();
  }
}

function notASketch(): TypeError {
  return new TypeError("These bytes are not the sketch of a picture; describe the picture again.");
}
