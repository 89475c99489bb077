import { describe, expect, test } from "vitest";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { compareWhole } from "../../../../src/engine/logo/features/compare.ts";
import { described, drawings, image, paint, png, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";

function score(query: Raster, scan: Raster): number {
  return compareWhole(describeRaster(query, "query"), describeRaster(scan, "scan"));
}

const edges: Readonly<Record<string, Raster>> = {
  "one pixel": solid(1, 1, [10, 20, 30]),
  "one invisible pixel": solid(1, 1, [10, 20, 30], 0),
  "one line": solid(200, 1, [10, 20, 30]),
  white: solid(40, 30, [255, 255, 255]),
  black: solid(30, 40, [0, 0, 0]),
  "two pixels": { width: 2, height: 1, data: Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255) },
  "half transparent": solid(20, 20, [0, 90, 0], 128),
  checkers: paint((x, y) => Math.floor(x * 16) % 2 === Math.floor(y * 16) % 2, { side: 64, margin: 0 }),
  stairs: paint(drawings["stairs"]!),
  "tile that touches the border": paint(drawings["hooks"]!, { margin: 0 }),
};

describe("pictures with equal pixels score exactly 1", () => {
  test.each(Object.entries(edges))("%s", (_, raster) => {
    const again = { ...raster, data: Uint8Array.from(raster.data) };
    expect(score(raster, again)).toBe(1);
  });

  test("a PNG and a lossless WebP of the same pixels", async () => {
    const raster = edges["stairs"]!;
    const query = await described(await png(raster), { role: "query" });
    const scan = await described(await image(raster).webp({ lossless: true }).toBuffer(), { role: "scan" });
    expect(compareWhole(query, scan)).toBe(1);
  });
});

describe("pictures without a foreground", () => {
  test("are compared by color", () => {
    expect(score(solid(9, 9, [255, 255, 255]), solid(50, 20, [0, 0, 0]))).toBe(0);
    expect(score(solid(9, 9, [100, 100, 100]), solid(5, 5, [100, 100, 100]))).toBe(1);
    expect(score(solid(9, 9, [100, 100, 100]), solid(5, 5, [151, 151, 151]))).toBeCloseTo(0.8, 10);
  });

  test("score 0 against pictures with a foreground", () => {
    const blank = solid(64, 64, [255, 255, 255]);
    expect(score(blank, edges["stairs"]!)).toBe(0);
    expect(score(edges["stairs"]!, blank)).toBe(0);
  });

  test("match a picture with a foreground when they are a copy of it", () => {
    const lost = { ...describeRaster(edges["stairs"]!), digest: randomBytes(5, 32), solid: true };
    expect(compareWhole(describeRaster(edges["stairs"]!, "query"), lost)).toBeGreaterThan(0.9);
  });

  test("do not include gradients, but noise of compression", () => {
    const gray = (levelOf: (i: number) => number) => {
      const data = Uint8Array.from({ length: 80 * 80 * 4 }, (_, i) => (i % 4 === 3 ? 255 : levelOf(i >> 2)));
      return describeRaster({ width: 80, height: 80, data });
    };
    expect(gray((i) => 60 + (i % 80)).solid).toBe(false);
    expect(gray((i) => 60 + (i % 9)).solid).toBe(true);
  });
});

describe("a rescaled or compressed copy of a picture scores at least 0.9", () => {
  const pictures = {
    ...Object.fromEntries(
      Object.entries(drawings).map(([name, drawing]) => [name, paint(drawing, { side: 160 })]),
    ),
    disc: paint((x, y) => Math.hypot(x - 0.5, y - 0.5) < 0.5, { side: 160 }),
    square: paint(() => true, { side: 160 }),
  };

  test.each(Object.entries(pictures))("%s", async (_, raster) => {
    const query = describeRaster(raster, "query");
    for (const factor of [0.5, 0.75, 1.4, 2]) {
      const scan = await described(
        await image(raster)
          .resize(Math.round(160 * factor))
          .png()
          .toBuffer(),
        { role: "scan" },
      );
      expect(compareWhole(query, scan)).toBeGreaterThanOrEqual(0.9);
    }
    const jpeg = await described(await image(raster).removeAlpha().jpeg({ quality: 90 }).toBuffer(), {
      role: "scan",
    });
    expect(compareWhole(query, jpeg)).toBeGreaterThanOrEqual(0.9);
  });
});

test("a picture that differs in one bit scores above 0.98 and below 1", () => {
  const raster = edges["stairs"]!;
  const data = Uint8Array.from(raster.data);
  data[0]! ^= 1;
  expect(score(raster, { ...raster, data })).toBeGreaterThan(0.98);
  expect(score(raster, { ...raster, data })).toBeLessThan(1);
});

test("describing the same pixels twice produces equal bytes", () => {
  for (const role of ["query", "scan"] as const) {
    const raster = edges["stairs"]!;
    expect(describeRaster(raster, role).bytes).toEqual(describeRaster(raster, role).bytes);
  }
});

test("a raster whose data does not fit its size throws an error", () => {
  expect(() => describeRaster({ width: 2, height: 2, data: new Uint8Array(3) })).toThrow(RangeError);
});
