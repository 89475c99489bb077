/** The layout of a prepared page in linear memory: what the kernels read and write, at which addresses. */

import { maxLevels, maxTemplateSide, minLevelSide, padding } from "./dense-tuning.ts";

/** The response planes of a level: one for each of eight bins and each phase; a cell is `step` x `step` pixels. */
export interface CellLayout {
  /** Pixels from a cell to the next: 4, or 2 for small logos. */
  readonly step: number;
  /** Cells in a row, a multiple of 16. */
  readonly columns: number;
  readonly rows: number;
  /** Bytes from a plane to the next; planes are ordered by bin, then by row phase, then by column phase. */
  readonly planeBytes: number;
  readonly at: number;
  /** A byte for each 64 pixels of a row: whether responses were written there. */
  readonly filledAt: number;
  /** A byte for each group of 16 cells: whether edges are there; only while the page is prepared. */
  readonly occupiedAt: number;
  /** The bounds of the responses; only while logos are searched. */
  readonly boundsAt: number;
  /** Columns of a plane of bounds: the groups of a row and those of a template beyond it, a multiple of 4. */
  readonly boundColumns: number;
}

/** One octave of a page. Positions in its planes are those in the picture plus `padding`. */
export interface LevelLayout {
  readonly width: number;
  readonly height: number;
  /** Width with the padding, a multiple of 64. */
  readonly stride: number;
  /** Height with the padding, a multiple of 4. */
  readonly rows: number;
  /** The field: two signed bytes a pixel. */
  readonly fieldAt: number;
  readonly binsAt: number;
  /** Color planes: red, green, blue; only while the page is prepared. */
  readonly planesAt: number;
  /** Colors of blocks of 16 pixels, a word each: a row before and after the picture's, a word before a row's blocks. */
  readonly colorsAt: number;
  /** A byte for each block of 16 pixels of the planes: whether a field was written there, and whether it has bins. */
  readonly edgesAt: number;
  readonly cells: readonly CellLayout[];
}

/** The layout of a page. */
export interface PageLayout {
  readonly levels: readonly LevelLayout[];
  /** Room for two or more rows of pixels of four bytes; later the scratch memory of a search. */
  readonly scratchAt: number;
  readonly scratchBytes: number;
  readonly bytes: number;
}

/** Room for the templates and the points of one batch of a search. */
export const scratchBytes = 1 << 18;
/** Bytes after the last plane that a template may read. */
export const tailBytes = 4096;

/** Width of a level with its padding. */
export function strideOf(width: number): number {
  return Math.ceil((width + 2 * padding) / 64) * 64;
}

/** Lays out a page of so many pixels. */
export function layoutPage(width: number, height: number): PageLayout {
  let end = 64;
  const take = (bytes: number) => {
    const at = end;
    end += Math.ceil(bytes / 64) * 64;
    return at;
  };
  const scratch = Math.max(scratchBytes, strideOf(width) * 8);
  const scratchAt = take(scratch);
  const sizes = levelSizes(width, height);
  // The color planes of every other level share their memory.
  const pixelsOf = (size: { width: number; height: number }) => strideOf(size.width) * rowsOf(size.height);
  const planes = sizes.slice(0, 2).map((size) => take(3 * pixelsOf(size) + 64));
  const colors = sizes.slice(0, 2).map((size) => take(pixelsOf(size) / 4 + 64));
  const octaves = sizes.map((size, i): LevelLayout => {
    const pixels = pixelsOf(size);
    return {
      ...size,
      stride: strideOf(size.width),
      rows: rowsOf(size.height),
      fieldAt: take(2 * pixels),
      binsAt: take(pixels + 64),
      planesAt: planes[i % 2] ?? 0,
      colorsAt: colors[i % 2] ?? 0,
      edgesAt: take(pixels / 16 + 64),
      cells: [4, ...(i === 0 ? [2] : [])].map((step) => {
        const columns = strideOf(size.width) / step;
        const rows = rowsOf(size.height) / step;
        const planeBytes = columns * rows;
        return {
          step,
          columns,
          rows,
          planeBytes,
          at: take(8 * step * step * planeBytes + tailBytes),
          filledAt: take(pixels / 64),
          occupiedAt: take(planeBytes / 16),
          boundsAt: 0,
          boundColumns: Math.ceil((columns + maxTemplateSide / step) / 64) * 4,
        };
      }),
    };
  });
  const levels = octaves.map((level) => ({
    ...level,
    cells: level.cells.map((cells) => ({ ...cells, boundsAt: take(boundBytes(cells)) })),
  }));
  return { levels, scratchAt, scratchBytes: scratch, bytes: end + tailBytes };
}

/** Bytes of the bounds of a level: 32 planes for each row phase. */
function boundBytes({ step, rows, boundColumns }: CellLayout): number {
  return 32 * step * boundColumns * (rows + 16);
}

function rowsOf(height: number): number {
  return Math.ceil((height + 2 * padding) / 4) * 4;
}

function levelSizes(width: number, height: number): readonly { width: number; height: number }[] {
  const sizes = [{ width, height }];
  for (let l = 1; l < maxLevels; l++) {
    const size = { width: width >> l, height: height >> l };
    if (Math.min(size.width, size.height) < minLevelSide) break;
    sizes.push(size);
  }
  return sizes;
}
