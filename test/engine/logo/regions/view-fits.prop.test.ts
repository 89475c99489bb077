/** Fits of backgrounds, patches and common shapes: the paths in WebAssembly equal those in TypeScript. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RgbPicture } from "../../../../src/engine/logo/decode/picture.ts";
import { commonShapeSimilarity, commonShapes } from "../../../../src/engine/logo/features/common-shapes.ts";
import { featuresOf, lowFrequencies } from "../../../../src/engine/logo/features/features.ts";
import { fillPatch, innerSide, resample } from "../../../../src/engine/logo/features/patch.ts";
import { fitBackground, flatPlane } from "../../../../src/engine/logo/regions/background.ts";
import { fitRing } from "../../../../src/engine/logo/regions/ring-fit.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";

const side = fc.integer({ min: 3, max: 140 });
const seeds = fc.integer({ min: 1, max: 1e6 });

/** Noise, or a gradient or one color with some of it. */
const picture = fc
  .record({ width: side, height: side, seed: seeds })
  .map(({ width, height, seed }): RgbPicture => {
    const random = randomBytes(seed, width * height * 3);
    const kind = seed % 3;
    const rgb = random.map((byte, i) => {
      const pixel = Math.floor(i / 3);
      // A third of the pixels do not fit.
      if (kind === 0 || random[pixel]! > 170) return byte;
      const slope = kind === 1 ? (pixel % width) + Math.floor(pixel / width) / 2 : 0;
      return 40 + slope + (byte % 5);
    });
    return { width, height, rgb };
  });
const cuts = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());

function boxIn({ width, height }: RgbPicture, [a, b, c, d]: readonly [number, number, number, number]) {
  const [left, top] = [a % (width - 2), b % (height - 2)];
  return {
    left,
    top,
    right: left + 3 + (c % (width - left - 2)),
    bottom: top + 3 + (d % (height - top - 2)),
  };
}

test("the WebAssembly and the TypeScript fit equal backgrounds to any box", () => {
  fc.assert(
    fc.property(picture, cuts, (source, numbers) => {
      const box = boxIn(source, numbers);
      expect(fitBackground(source, box)).toEqual(fitBackground(source, box, "plain"));
    }),
    { numRuns: runs(150) },
  );
});

test("each step of a fit accepts the same pixels, and has the same plane", () => {
  fc.assert(
    fc.property(
      seeds,
      fc.integer({ min: 1, max: 300 }),
      fc.double({ min: 0, max: 90, noNaN: true }),
      (seed, count, limit) => {
        const ring = Float64Array.from(randomBytes(seed, 5 * count));
        const plane = fitRing(ring, "plain").leastSquares();
        const steps = (path: "fast" | "plain") => {
          const fit = fitRing(ring, path);
          fit.acceptAll();
          const found: unknown[] = [fit.mean(), fit.leastSquares()];
          found.push(fit.acceptNear(plane, limit), [...fit.accepted], fit.mean(), fit.leastSquares());
          fit.acceptHalf(plane, limit);
          found.push([...fit.accepted], fit.leastSquares());
          return found;
        };
        expect(steps("fast")).toEqual(steps("plain"));
      },
    ),
    { numRuns: runs(100) },
  );
});

test("the WebAssembly and the TypeScript resample any box of a picture to equal colors", () => {
  fc.assert(
    fc.property(picture, cuts, (source, numbers) => {
      const pixels = {
        width: source.width,
        height: source.height,
        bytes: source.rgb,
        step: 3,
        matte: 0,
      } as const;
      const box = boxIn(source, numbers);
      const plain = resample(pixels, box, "plain").slice();
      expect(resample(pixels, box)).toEqual(plain);
    }),
    { numRuns: runs(60) },
  );
});

const level = fc.double({ min: 0, max: 255, noNaN: true });

test("a patch on one color is filled as one on a gradient without slopes", () => {
  fc.assert(
    fc.property(level, level, level, level, seeds, (red, green, blue, noise, seed) => {
      const colors = Float32Array.from(randomBytes(seed, innerSide * innerSide * 3), (byte) => byte / 1.7);
      const plane = { ...flatPlane(red, green, blue), noise: noise / 20 };
      const box = { left: 3, top: 5, right: 90, bottom: 71 };
      expect(fillPatch(colors, box, plane)).toEqual(fillPatch(colors, box, plane, "plain"));
    }),
    { numRuns: runs(40) },
  );
});

test("the WebAssembly and the TypeScript find the same similarity to common shapes", () => {
  fc.assert(
    fc.property(
      fc.nat(commonShapes().length - 1),
      fc.integer({ min: 0, max: 60 }),
      seeds,
      (n, share, seed) => {
        const shape = commonShapes()[n]!;
        const random = randomBytes(seed, shape.mapHistogram.length);
        const mapHistogram = shape.mapHistogram.map((value, i) => (random[i]! < share ? random[i]! : value));
        const view = { ...shape, mapHistogram };
        expect(commonShapeSimilarity(view)).toBe(commonShapeSimilarity(view, "plain"));
        const map = Float32Array.from(randomBytes(seed, 64 * 64), (byte, i) =>
          (i >> 4) % 3 === 0 ? byte : 0,
        );
        const other = featuresOf({ map, rgb: new Float32Array(64 * 64 * 3) }, lowFrequencies(map));
        expect(commonShapeSimilarity(other)).toBe(commonShapeSimilarity(other, "plain"));
      },
    ),
    { numRuns: runs(60) },
  );
});
