import fc from "fast-check";
import { expect, test } from "vitest";
import { flattenPixels } from "../../../../src/engine/logo/decode/flatten-pixels.ts";
import { halveRows, type RgbPicture } from "../../../../src/engine/logo/decode/halve-rows.ts";
import { pictureKernels } from "../../../../src/engine/logo/decode/kernels/picture-kernels.ts";
import { type Coverage, rowSums } from "../../../../src/engine/logo/decode/shrink-rows.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";

const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 90 }),
    height: fc.integer({ min: 1, max: 90 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
  })
  .map(
    ({ width, height, seed }): RgbPicture => ({
      width,
      height,
      rgb: seed % 2 === 0 ? randomBytes(seed, width * height * 3) : areas(width, height, seed),
    }),
  );

/** Areas of one color each, of three pixels on average, and some of which differ from another in one channel. */
function areas(width: number, height: number, seed: number): Uint8Array {
  const random = randomBytes(seed, width + height);
  const [columns, rows] = [random.subarray(0, width), random.subarray(width)];
  const rgb = new Uint8Array(width * height * 3);
  const marks = (bytes: Uint8Array, i: number) => bytes.subarray(0, i + 1).filter((byte) => byte < 85).length;
  const across = Array.from(columns, (_, x) => marks(columns, x));
  for (let y = 0, i = 0; y < height; y++) {
    const down = marks(rows, y);
    for (let x = 0; x < width; x++, i += 3) rgb[i + (down % 3)] = 20 * ((across[x]! + down) % 12);
  }
  return rgb;
}

test("this runtime has the kernels", () => {
  expect(pictureKernels(1)).toBeDefined();
});

test("the WebAssembly and the TypeScript average rows to equal pictures, with any alpha", () => {
  const sizes = fc.tuple(...[40, 30, 20, 20].map((max) => fc.integer({ min: 1, max })));
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1e6 }), fc.boolean(), ([w, h, tw, th], seed, isOpaque) => {
      const data = randomBytes(seed, w! * h! * 4);
      for (let i = 3; i < data.length; i += 4)
        if (isOpaque || data[i]! > 128) data[i] = data[i]! > 192 ? 0 : 255;
      const raster = { width: w!, height: h!, data };
      const [across, down] = [coverageOf(w!, Math.min(w!, tw!)), coverageOf(h!, Math.min(h!, th!))];
      const averaged = (path: "fast" | "plain") => {
        const [width, height] = [across.first.length, down.first.length];
        const small = { width, height, data: new Uint8Array(width * height * 4) };
        const sums = rowSums(raster, across, small, path);
        for (let y = 0; y < height; y++) {
          for (let k = down.start[y]!, at = down.first[y]!; k < down.start[y + 1]!; k++, at++) {
            sums.average(at, 0, width >> 1);
            sums.average(at, width >> 1, width);
            sums.add(down.weights[k]!);
          }
          sums.write(y);
        }
        return small.data;
      };
      expect(averaged("fast")).toEqual(averaged("plain"));
    }),
    { numRuns: runs(60) },
  );
});

test("the WebAssembly and the TypeScript composite equal pixels, of which some or none are transparent", () => {
  fc.assert(
    fc.property(
      fc.nat(300),
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat(255),
      fc.boolean(),
      (n, seed, matte, opaque) => {
        const data = randomBytes(seed, n * 4);
        for (let i = 3; i < data.length; i += 4) if (opaque || data[i]! > 4) data[i] = 255;
        const [from, to] = [n >> 2, n];
        const flattened = (path: "fast" | "plain") => {
          const rgb = new Uint8Array(n * 3);
          flattenPixels(data, matte, rgb, from, to, path);
          return rgb;
        };
        expect(flattened("fast")).toEqual(flattened("plain"));
      },
    ),
    { numRuns: runs(60) },
  );
});

test("the WebAssembly and the TypeScript halve equal pictures", () => {
  fc.assert(
    fc.property(picture, (source) => {
      const [width, height] = [Math.max(1, source.width >> 1), Math.max(1, source.height >> 1)];
      const halved = (path: "fast" | "plain") => {
        const half = { width, height, rgb: new Uint8Array(width * height * 3) };
        halveRows(source, half, 0, height >> 1, path);
        halveRows(source, half, height >> 1, height, path);
        return half.rgb;
      };
      expect(halved("fast")).toEqual(halved("plain"));
    }),
    { numRuns: runs(60) },
  );
});

/** Shares of target cells that divide source cells evenly. */
function coverageOf(cells: number, to: number): Coverage {
  const step = cells / to;
  const parts = Array.from({ length: to }, (_, i) => {
    const first = Math.floor(i * step);
    const last = Math.min(cells, Math.ceil((i + 1) * step));
    return { first, weights: Array.from({ length: last - first }, (_, k) => 1 / (k + 2)) };
  });
  const start = new Int32Array(to + 1);
  for (const [i, { weights }] of parts.entries()) start[i + 1] = start[i]! + weights.length;
  return {
    first: Int32Array.from(parts, ({ first }) => first),
    start,
    weights: Float32Array.from(parts.flatMap(({ weights }) => weights)),
  };
}
