import { describe, expect, test } from "vitest";
import { rasterPyramid } from "../../../../src/engine/logo/decode/picture.ts";
import { thumbnail } from "../../../../src/engine/logo/decode/shrink.ts";
import { randomBytes } from "../random.ts";
import { shrinkRaster } from "../whole-steps.ts";

/** The average over one target cell by definition: each source pixel weighted by the area that the cell covers. */
function cellOf(
  data: Uint8Array,
  width: number,
  height: number,
  box: readonly [number, number, number, number],
) {
  const [left, top, right, bottom] = box;
  const sum = [0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const across = Math.min(x + 1, right) - Math.max(x, left);
      const down = Math.min(y + 1, bottom) - Math.max(y, top);
      if (across <= 0 || down <= 0) continue;
      const at = (y * width + x) * 4;
      const weight = (across * down * data[at + 3]!) / ((right - left) * (bottom - top));
      for (let c = 0; c < 3; c++) sum[c]! += weight * data[at + c]!;
      sum[3]! += weight;
    }
  }
  return sum.map((v, c) => (c === 3 ? v : v / sum[3]!));
}

describe("shrinkRaster weights each source pixel by the share of it that is covered", () => {
  test.each([
    [23, 9],
    [9, 23],
    [40, 1],
    [1, 40],
    [16, 16],
  ])("%i x %i", (width, height) => {
    const data = randomBytes(width * 100 + height, width * height * 4);
    const small = shrinkRaster({ width, height, data }, 8);
    expect(Math.max(small.width, small.height)).toBe(8);
    const across = width / small.width;
    const down = height / small.height;
    for (let y = 0; y < small.height; y++) {
      for (let x = 0; x < small.width; x++) {
        const box = [x * across, y * down, (x + 1) * across, (y + 1) * down] as const;
        const expected = cellOf(data, width, height, box);
        const found = small.data.subarray((y * small.width + x) * 4, (y * small.width + x) * 4 + 4);
        for (let c = 0; c < 4; c++) expect(Math.abs(found[c]! - expected[c]!)).toBeLessThanOrEqual(0.51);
      }
    }
  });
});

test("shrinkRaster returns a picture that fits unchanged", () => {
  const raster = { width: 8, height: 5, data: randomBytes(1, 160) };
  expect(shrinkRaster(raster, 8)).toBe(raster);
});

/** Blocks of random colors, opaque. */
function blocks(width: number, height: number, side: number): Uint8Array {
  const levels = randomBytes(7, 4 * 64 * 64);
  return Uint8Array.from({ length: width * height * 4 }, (_, i) => {
    const [x, y] = [(i >> 2) % width, Math.floor((i >> 2) / width)];
    const block = (Math.floor(y / side) * 64 + Math.floor(x / side)) * 4;
    return i % 4 === 3 ? 255 : levels[block + (i % 4)]!;
  });
}

describe("each cell of a thumbnail is the average of its pixels", () => {
  test.each([
    [16, 16],
    [9, 23],
    [161, 122],
    [512, 256],
    [511, 259],
    [1023, 700],
  ])("%i x %i; the last cells may lack an eighth of a pixel row", (width, height) => {
    const data = blocks(width, height, 19);
    const raster = { width, height, data };
    const cells = thumbnail(rasterPyramid(raster, 255), raster);
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < 16; x++) {
        const [left, top] = [(x * width) / 16, (y * height) / 16];
        const expected = cellOf(data, width, height, [left, top, left + width / 16, top + height / 16]);
        const tolerance = x === 15 || y === 15 ? 255 / 8 : 4;
        for (let c = 0; c < 3; c++) {
          expect(Math.abs(cells[(y * 16 + x) * 3 + c]! - expected[c]!)).toBeLessThanOrEqual(tolerance);
        }
      }
    }
  });
});
