import fc from "fast-check";
import { expect, test } from "vitest";
import type { RgbPicture } from "../../../../src/engine/logo/decode/picture.ts";
import { flatPlane } from "../../../../src/engine/logo/regions/background.ts";
import { measureDistances } from "../../../../src/engine/logo/regions/foreground.ts";
import { viewKernels } from "../../../../src/engine/logo/regions/kernels/view-kernels.ts";
import { rotate } from "../../../../src/engine/logo/regions/rotate.ts";
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

/** Levels of whole bytes and between them. */
const level = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.double({ min: 0, max: 255, noNaN: true }));
const plane = fc.tuple(level, level, level).map(([r, g, b]) => flatPlane(r, g, b));

test("this runtime has the kernels", () => {
  expect(viewKernels(1)).toBeDefined();
});

test("the WebAssembly and the TypeScript rotate to equal pictures", () => {
  fc.assert(
    fc.property(picture, plane, fc.integer({ min: -9, max: 9 }), (source, background, degrees) => {
      expect(rotate(source, background, degrees)).toEqual(rotate(source, background, degrees, "plain"));
    }),
    { numRuns: runs(40) },
  );
});

test("the WebAssembly and the TypeScript measure equal distances in any box", () => {
  fc.assert(
    fc.property(picture, plane, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (source, color, cuts) => {
      const [a = 0, b = 0, c = 0, d = 0] = cuts;
      const left = a % source.width;
      const top = b % source.height;
      const box = {
        left,
        top,
        right: left + 1 + (c % (source.width - left)),
        bottom: top + 1 + (d % (source.height - top)),
      };
      expect(measureDistances(source, box, color)).toEqual(measureDistances(source, box, color, "plain"));
    }),
    { numRuns: runs(80) },
  );
});
