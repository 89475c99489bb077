/** The mean quantization step of JPEGs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readMeanStep } from "../../../src/engine/picture/header-jpeg.ts";
import { noisy } from "../images/pictures.ts";

/** The luminance table of annex K of ITU-T T.81, in the order of its rows. */
const annexK = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

test("the mean step of an encoder is that of the scaled table of annex K, in color and in gray", async () => {
  for (const quality of [95, 85, 60, 50, 40]) {
    const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
    const steps = annexK.map((step) => Math.max(1, Math.min(255, Math.floor((step * percent + 50) / 100))));
    const mean = steps.reduce((sum, step) => sum + step, 0) / 64;
    const color = await noisy(20, 20).jpeg({ quality, progressive: true }).toBuffer();
    expect([quality, readMeanStep(color)]).toEqual([quality, mean]);
    expect(readMeanStep(await noisy(20, 20).grayscale().jpeg({ quality }).toBuffer())).toBe(mean);
  }
});

test("the table of the first component counts, with steps of 8 or 16 bits; several may share a segment", () => {
  const segment = (marker: number, ...payload: number[]) => {
    const length = payload.length + 2;
    return [0xff, marker, length >> 8, length & 255, ...payload];
  };
  const wide = [0x11, ...Array.from({ length: 64 }, () => [1, 4]).flat()];
  const narrow = [0x00, ...Array<number>(64).fill(7)];
  const frame = (table: number) => segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, table);
  const file = (table: number) =>
    Uint8Array.from([0xff, 0xd8, ...segment(0xdb, ...narrow, ...wide), ...frame(table)]);
  expect([readMeanStep(file(0)), readMeanStep(file(1)), readMeanStep(file(2))]).toEqual([7, 260, undefined]);
});

test("a file that is cut off or damaged has a step or none, and is never an error", async () => {
  const jpeg = await noisy(20, 20).jpeg().toBuffer();
  const damaged = fc.tuple(fc.nat(jpeg.length - 1), fc.nat(255), fc.nat(jpeg.length));
  fc.assert(
    fc.property(damaged, ([at, value, length]) => {
      const bytes = Uint8Array.from(jpeg);
      bytes[at] = value;
      const step = readMeanStep(bytes.subarray(0, length));
      expect(step === undefined || (step >= 0 && step <= 65_535)).toBe(true);
    }),
  );
});
