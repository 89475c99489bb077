import { beforeAll, describe, expect, test } from "vitest";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import {
  type LogoDescriptor,
  type LogoRole,
  writeLogoDescriptor,
} from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos, scoreOf } from "../../../../src/engine/logo/features/compare.ts";
import type { View } from "../../../../src/engine/logo/regions/views.ts";
import { described, drawings, image, paint, png, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";

function score(query: Raster, scan: Raster): number {
  return compareLogos(describeRaster(query, "query"), describeRaster(scan, "scan")).score;
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
    expect(compareLogos(query, scan).score).toBe(1);
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
    const { solid: _, views: __, bytes, ...pale } = describeRaster(edges["stairs"]!, "scan");
    const lost = writeLogoDescriptor({ ...pale, digest: randomBytes(5, 32), solid: true, views: [] });
    expect(compareLogos(describeRaster(edges["stairs"]!, "query"), lost).score).toBeGreaterThan(0.9);
  });

  test("include gradients", () => {
    const data = Uint8Array.from({ length: 80 * 80 * 4 }, (_, i) =>
      i % 4 === 3 ? 255 : 60 + ((i >> 2) % 80),
    );
    expect(describeRaster({ width: 80, height: 80, data }).solid).toBe(true);
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
      expect(compareLogos(query, scan).score).toBeGreaterThanOrEqual(0.9);
    }
    const jpeg = await described(await image(raster).removeAlpha().jpeg({ quality: 90 }).toBuffer(), {
      role: "scan",
    });
    expect(compareLogos(query, jpeg).score).toBeGreaterThanOrEqual(0.9);
  });
});

test("a picture that differs in one bit scores above 0.98 and below 1", () => {
  const raster = edges["stairs"]!;
  const data = Uint8Array.from(raster.data);
  data[0]! ^= 1;
  expect(score(raster, { ...raster, data })).toBeGreaterThan(0.98);
  expect(score(raster, { ...raster, data })).toBeLessThan(1);
});

describe("a modified copy of a logo scores at least 0.85", () => {
  const drawing = drawings["hooks"]!;
  const logo = paint(drawing, { side: 160 });
  let query: LogoDescriptor;
  beforeAll(() => {
    query = describeRaster(logo, "query");
  });

  const copies: Readonly<Record<string, () => Promise<Buffer>>> = {
    inverted: () => image(logo).removeAlpha().negate().png().toBuffer(),
    "in other colors": () =>
      png(paint(drawing, { side: 160, foreground: [250, 210, 40], background: [60, 0, 80] })),
    "white on dark": () =>
      png(paint(drawing, { side: 160, foreground: [255, 255, 255], background: [25, 25, 25] })),
    "with a wide margin": () => png(paint(drawing, { side: 200, margin: 0.35 })),
    "without a margin": () => png(paint(drawing, { side: 120, margin: 0 })),
    mirrored: () => image(logo).flop().png().toBuffer(),
    "rotated by 5 degrees": () =>
      image(logo).removeAlpha().rotate(5, { background: "#fff" }).png().toBuffer(),
    blurred: () => image(logo).removeAlpha().blur(2).png().toBuffer(),
    "stretched by half": () => image(logo).resize(240, 160, { fit: "fill" }).png().toBuffer(),
    "as JPEG 30": () => image(logo).removeAlpha().jpeg({ quality: 30 }).toBuffer(),
  };

  test.each(Object.entries(copies))("%s", async (_name, make) => {
    const scan = await described(await make(), { role: "scan" });
    expect(compareLogos(query, scan).score).toBeGreaterThanOrEqual(0.85);
  });

  test("on a page; the result has its region", async () => {
    const page = image(solid(700, 400, [255, 255, 255])).composite([
      { input: await image(logo).resize(80).png().toBuffer(), left: 40, top: 30 },
      { input: await png(solid(300, 120, [0, 100, 0])), left: 300, top: 200 },
    ]);
    const { score: found, region } = compareLogos(
      query,
      await described(await page.png().toBuffer(), { role: "scan" }),
    );
    expect(found).toBeGreaterThanOrEqual(0.85);
    expect(region.left * 700).toBeCloseTo(48, -1);
    expect(region.top * 400).toBeCloseTo(38, -1);
  });

  test("another logo scores below 0.75", () => {
    for (const name of ["stairs", "wing"]) {
      expect(compareLogos(query, describeRaster(paint(drawings[name]!, { side: 160 }))).score).toBeLessThan(
        0.75,
      );
    }
  });
});

test("describing the same pixels twice produces equal bytes", () => {
  for (const role of ["query", "scan"] as const) {
    const raster = edges["stairs"]!;
    expect(describeRaster(raster, role).bytes).toEqual(describeRaster(raster, role).bytes);
  }
});

test("two discs of different colors score below 0.85, because plain shapes cost score", () => {
  const disc = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.5;
  expect(
    score(
      paint(disc, { foreground: [200, 0, 0] }),
      paint(disc, { side: 90, margin: 0.3, foreground: [0, 0, 200] }),
    ),
  ).toBeLessThan(0.85);
});

describe("each property that many pictures share lowers the raw similarity", () => {
  const scan = describeRaster(edges["stairs"]!, "scan");
  const plain = { ...scan.views[0]!, commonShapeSimilarity: 0, spread: 200, aspect: 0 };
  const only = (role: LogoRole, view: Partial<View>) =>
    writeLogoDescriptor({ ...scan, role, digest: randomBytes(3, 32), views: [{ ...plain, ...view }] });
  const raw = (q: Partial<View>, s: Partial<View>) => {
    const other = { ...only("scan", s), digest: randomBytes(4, 32) };
    return compareLogos(only("query", q), other).raw;
  };

  test.each<[string, Partial<View>, Partial<View>, number]>([
    ["no such property", {}, {}, 0],
    ["similarity of the query to a common shape", { commonShapeSimilarity: 0.95 }, {}, 0.17],
    [
      "similarity of the scan to a common shape",
      { commonShapeSimilarity: 0.5 },
      { commonShapeSimilarity: 0.95 },
      0.17,
    ],
    ["similarity to a common shape below that of a plain shape", { commonShapeSimilarity: 0.86 }, {}, 0.06],
    ["similarity to a common shape up to the floor", { commonShapeSimilarity: 0.7 }, {}, 0],
    ["few edges in the query", { spread: 64 }, {}, 0.06],
    ["few edges in the scan", { spread: 128 }, { spread: 32 }, 0.12],
    ["no edges", { spread: 0 }, {}, 0.42],
    ["different aspects", { aspect: 1.5 }, { aspect: 0.5 }, 0.03],
    ["all of them", { spread: 64, aspect: 1 }, { commonShapeSimilarity: 0.95 }, 0.26],
  ])("%s", (_name, q, s, cost) => {
    expect(raw(q, s)).toBeCloseTo(1 - cost, 2);
  });

  test("the spread of a plain shape is below 70, that of a drawing above 90", () => {
    const spread = (raster: Raster) => describeRaster(raster).views[0]!.spread;
    expect(spread(paint(() => true))).toBeLessThan(70);
    expect(spread(edges["stairs"]!)).toBeGreaterThan(90);
  });
});

test("scoreOf is 0 up to 0, rises strictly and stays below 1", () => {
  expect(scoreOf(-1)).toBe(0);
  expect(scoreOf(0)).toBe(0);
  expect(scoreOf(1)).toBeGreaterThan(0.99);
  expect(scoreOf(2)).toBe(scoreOf(1));
  expect(scoreOf(2)).toBeLessThan(1);
  for (let raw = 0; raw < 1; raw += 0.01) expect(scoreOf(raw + 0.01)).toBeGreaterThan(scoreOf(raw));
});

test("misuse throws an error that names the allowed input", () => {
  const scan = describeRaster(edges["white"]!, "scan");
  expect(() => compareLogos(scan, scan)).toThrow(/roles `query` and `scan`; found `scan` and `scan`/);
  expect(() => describeRaster({ width: 2, height: 2, data: new Uint8Array(3) })).toThrow(RangeError);
});
