/** The change of detail, against the plain formula. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detailOf } from "../../../../src/engine/images/compare/detail.ts";
import type { Pixels } from "../../../../src/engine/images/compare/pixels.ts";

/** Gray pixels, opaque. */
function gray(width: number, height: number, levelAt: (x: number, y: number) => number): Pixels {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const pixel = Math.floor(at / 4);
    return at % 4 === 3 ? 255 : levelAt(pixel % width, Math.floor(pixel / width));
  });
  return { data, width, height };
}

const whole = ({ width, height }: Pixels, top = 0) => ({ left: 0, top, right: width, bottom: height });

/** Median over regions of |log2((E' + 2) / (E + 2))|, E the mean absolute Laplacian of brightness. */
function plainDetail(a: Pixels, b: Pixels): number {
  const { width, height } = b;
  const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  const level = ({ data }: Pixels, x: number, y: number) =>
    data[(clamp(y, height - 1) * width + clamp(x, width - 1)) * 4] as number;
  const mean = (pixels: Pixels, left: number, top: number) => {
    let sum = 0;
    const [w, h] = [Math.min(64, width), Math.min(64, height)];
    for (let y = top; y < top + h; y++) {
      for (let x = left; x < left + w; x++) {
        const around = [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ].map(([dx = 0, dy = 0]) => level(pixels, x + dx, y + dy) - level(pixels, x, y));
        sum += Math.abs(around.reduce((total, difference) => total + difference, 0));
      }
    }
    return sum / (w * h);
  };
  const starts = (side: number) =>
    Array.from({ length: Math.ceil(side / 64) }, (_, n) => clamp(n * 64, Math.max(0, side - 64)));
  const values = starts(height)
    .flatMap((top) =>
      starts(width).map((left) => Math.abs(Math.log2((mean(a, left, top) + 2) / (mean(b, left, top) + 2)))),
    )
    .sort((x, y) => x - y);
  const n = values.length;
  return n % 2 === 1 ? values[(n - 1) / 2]! : (values[n / 2 - 1]! + values[n / 2]!) / 2;
}

describe("the change of detail", () => {
  test("is the median over regions, those at edges moved inside", () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 60, max: 150 }));
    const wave = fc.record({
      x: fc.integer({ min: 1, max: 97 }),
      y: fc.integer({ min: 1, max: 97 }),
      max: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(side, side, wave, wave, (width, height, first, second) => {
        const of = ({ x: byX, y: byY, max }: typeof first) =>
          gray(width, height, (x, y) => (x * x * byX + y * y * byY + x * y) % max);
        const [a, b] = [of(first), of(second)];
        expect(detailOf(a, b, whole(b), 255).median).toBeCloseTo(plainDetail(a, b), 3);
      }),
      { numRuns: 40 },
    );
  });

  test("is 0 for plain pictures of any two colors, and 1 where the detail beyond 2 levels doubles", () => {
    const [black, white] = [gray(70, 70, () => 0), gray(70, 70, () => 255)];
    expect(detailOf(black, white, whole(white), 255).median).toBe(0);
    // Stripes of one pixel at distance d have the Laplacian 2d, but d at the two edges.
    const stripes = (d: number) => gray(64, 64, (x) => (x % 2) * d);
    const energy = (d: number) => (2 * d * 62 + d * 2) / 64 + 2;
    const { median } = detailOf(stripes(41), stripes(20), whole(stripes(1)), 255);
    expect(median).toBeCloseTo(Math.log2(energy(41) / energy(20)), 6);
  });

  test("of a frame does not look at the frames above", () => {
    const above = (level: number) => gray(8, 16, (x, y) => (y < 8 ? level * (x % 2) : x * 20));
    expect(detailOf(above(0), above(255), whole(above(0), 8), 255).median).toBe(0);
  });

  test("looks at transparent pixels over the background", () => {
    const hidden = (level: number): Pixels => {
      const pixels = gray(8, 8, (x) => level * (x % 2));
      return { ...pixels, data: pixels.data.map((value, at) => (at % 4 === 3 ? 0 : value)) };
    };
    expect(detailOf(hidden(0), hidden(255), whole(hidden(0)), 0).median).toBe(0);
  });
});
