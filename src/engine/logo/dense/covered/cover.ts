/** The cover of a logo, by the cells whose color differs there. */

import { blocksPerSide, coloredCellWeight, colorTolerance, maxCoveredBlocks } from "../dense-tuning.ts";

/** A grid over a logo. */
interface Grid {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of blocks of a logo: those of column `x` to before `right`, and of row `y` to before `bottom`. */
export interface Cover {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** The block of a cell, or of a point, along a side of so many. */
function blockOf(at: number, length: number): number {
  return Math.floor((at * blocksPerSide) / length);
}

/** Whether something holds at a place of a grid over a logo. */
export type GridTest = (x: number, y: number, width: number, height: number) => boolean;

/** The blocks that are away from the sides. */
export const innerBlocks: Cover = { x: 1, y: 1, right: blocksPerSide - 1, bottom: blocksPerSide - 1 };

/** Whether a place of a grid is behind a cover. */
export function isCovered(cover: Cover, x: number, y: number, width: number, height: number): boolean {
  const [column, row] = [blockOf(x, width), blockOf(y, height)];
  return column >= cover.x && column < cover.right && row >= cover.y && row < cover.bottom;
}

/** Whether a cover reaches a side of the logo's box. */
export function reachesSide({ x, y, right, bottom }: Cover): boolean {
  return x === 0 || y === 0 || right === blocksPerSide || bottom === blocksPerSide;
}

/** The rectangle of blocks that has the highest share of cells of other colors, and few others; undefined when none is likely. */
export function coverOf({ width, height }: Grid, deviations: Float32Array): Cover | undefined {
  // Sums of what the cells from the left upper corner say for a cover.
  const side = blocksPerSide + 1;
  const sums = new Float64Array(side * side);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = (blockOf(y, height) + 1) * side + blockOf(x, width) + 1;
      sums[at] = (sums[at] ?? 0) + ((deviations[i] ?? 0) > colorTolerance ? 1 : -coloredCellWeight);
    }
  }
  for (let at = side; at < side * side; at++) {
    if (at % side === 0) continue;
    sums[at] = (sums[at] ?? 0) + (sums[at - 1] ?? 0) + (sums[at - side] ?? 0) - (sums[at - side - 1] ?? 0);
  }
  let best: Cover | undefined;
  let highest = 0;
  for (let y = 0; y < blocksPerSide; y++) {
    for (let x = 0; x < blocksPerSide; x++) {
      for (let bottom = y + 1; bottom < side; bottom++) {
        for (let right = x + 1; right < side && (right - x) * (bottom - y) <= maxCoveredBlocks; right++) {
          const upper = (sums[y * side + right] ?? 0) - (sums[y * side + x] ?? 0);
          const value = (sums[bottom * side + right] ?? 0) - (sums[bottom * side + x] ?? 0) - upper;
          if (value <= highest) continue;
          highest = value;
          best = { x, y, right, bottom };
        }
      }
    }
  }
  return best;
}
