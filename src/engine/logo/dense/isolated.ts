/**
 * Small pictures are often a logo alone: mirrored, rotated or stretched by more than a fitted box follows. So what is not found in
 * such a picture is searched in changed pictures, too.
 */

import { inRows, type Steps } from "../../../core/work/steps.ts";
import { over } from "../decode/flatten-pixels.ts";
import { matteOf, type Raster } from "../decode/picture.ts";
import { isolatedDegrees, isolatedStretches } from "./dense-tuning.ts";
import type { LogoBox } from "./verify-box.ts";

/** A place of a changed picture, about its center, in the picture: x' = a x + b y, y' = c x + d y. */
type Change = readonly [a: number, b: number, c: number, d: number];

/** A changed picture. */
export interface ChangedPicture {
  readonly raster: Raster;
  /** Moves a box to the picture. */
  readonly move: (box: LogoBox) => LogoBox;
}

function rotation(degrees: number): Change {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, sin, -sin, cos];
}

/** The changes of a picture: mirrored, rotated both ways, narrower and wider. */
export const isolatedChanges: readonly Change[] = [
  [-1, 0, 0, 1],
  ...[isolatedDegrees, -isolatedDegrees].map(rotation),
  ...isolatedStretches.map((stretch): Change => [1 / stretch, 0, 0, 1]),
];

/** Changes a picture; beyond its border its outer pixels are repeated, so that the border is no edge. */
export function* changeSteps(raster: Raster, [a, b, c, d]: Change): Steps<ChangedPicture> {
  const { data } = raster;
  const matte = matteOf(raster);
  // Only a stretch changes the size.
  const width = b === 0 ? Math.max(1, Math.round(raster.width / Math.abs(a))) : raster.width;
  const height = raster.height;
  const out = new Uint8Array(width * height * 4).fill(255);
  const inside = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
  const placeOf = (x: number, y: number): readonly [x: number, y: number] => {
    const [u, v] = [x - width / 2, y - height / 2];
    return [a * u + b * v + raster.width / 2, c * u + d * v + raster.height / 2];
  };
  yield* inRows(0, height, width, (from, to) => {
    for (let y = from, o = from * width * 4; y < to; y++) {
      for (let x = 0; x < width; x++, o += 4) {
        const place = placeOf(x + 0.5, y + 0.5);
        const left = inside(place[0] - 0.5, raster.width);
        const top = inside(place[1] - 0.5, raster.height);
        const [column, row] = [Math.floor(left), Math.floor(top)];
        const [right, below] = [inside(column + 1, raster.width), inside(row + 1, raster.height)];
        const corners = [
          [column, row, (1 - left + column) * (1 - top + row)],
          [right, row, (left - column) * (1 - top + row)],
          [column, below, (1 - left + column) * (top - row)],
          [right, below, (left - column) * (top - row)],
        ] as const;
        for (let channel = 0; channel < 3; channel++) {
          let sum = 0;
          for (const [i, j, share] of corners) {
            const at = 4 * (j * raster.width + i);
            sum += share * over(data[at + channel] ?? 0, data[at + 3] ?? 0, matte);
          }
          out[o + channel] = Math.round(sum);
        }
      }
    }
  });
  const move = ([left, top, right, bottom]: LogoBox): LogoBox => {
    const [x, y] = placeOf((left + right) / 2, (top + bottom) / 2);
    const halfWide = ((right - left) * (b === 0 ? Math.abs(a) : 1)) / 2;
    const halfTall = (bottom - top) / 2;
    return [x - halfWide, y - halfTall, x + halfWide, y + halfTall];
  };
  return { raster: { width, height, data: out }, move };
}
