import { expect, test } from "vitest";
import { enlarge } from "../../../../src/engine/logo/decode/enlarge.ts";

/** A picture of 12 x 10 pixels by its red level; green is 255 less red, and blue is 7. */
function picture(redAt: (x: number, y: number) => number, alpha = 255) {
  const [width, height] = [12, 10];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4) data.set([redAt(x, y), 255 - redAt(x, y), 7, alpha], i);
  return { width, height, data };
}

test("enlarges the region around a box, within the picture, and says where it is", () => {
  const { raster, left, top } = enlarge(
    picture(() => 90),
    [1, 4, 5, 7],
    2,
  );
  expect([left, top, raster.width, raster.height]).toEqual([0, 2, 14, 14]);
  for (let i = 0; i < raster.data.length; i += 4)
    expect([...raster.data.subarray(i, i + 4)]).toEqual([90, 165, 7, 255]);
});

test("a ramp stays a ramp with half the steps, along both axes", () => {
  const { raster } = enlarge(
    picture((x, y) => 12 * x + 4 * y),
    [0, 0, 12, 10],
    0,
  );
  for (let y = 4; y < 16; y++)
    for (let x = 4; x < 20; x++)
      expect(Math.abs((raster.data[4 * (y * 24 + x)] ?? 0) - (6 * x - 3 + 2 * y - 1))).toBeLessThanOrEqual(
        0.5,
      );
});

test("transparent pixels are composited, as where the whole picture is searched", () => {
  const { raster } = enlarge(
    picture(() => 0, 0),
    [0, 0, 12, 10],
    0,
  );
  expect([...raster.data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
});

test("a box outside of the picture has an empty region", () => {
  expect(
    enlarge(
      picture(() => 0),
      [40, 2, 44, 6],
      1,
    ).raster.width,
  ).toBe(0);
});
