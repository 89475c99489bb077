import fc from "fast-check";
import { expect, test } from "vitest";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { findPlaces } from "../../../../src/engine/logo/dense/find-best.ts";
import { allocate, type DensePath, densePath } from "../../../../src/engine/logo/dense/kernels/kernels.ts";
import type { PreparedPage } from "../../../../src/engine/logo/dense/prepare-page.ts";
import { runs } from "../../../support/runs.ts";
import { drawings, paint, solid } from "../drawings.ts";
import { randomBytes } from "../random.ts";
import { cutOut, preparePage, templatesOf } from "../whole-steps.ts";
import { noise, place, rectangle, withoutColumns, wordsPage } from "./scenes.ts";

/** Everything that a search reads, with a name for each part. */
function contentsOf(page: PreparedPage) {
  const bytes = Buffer.from(page.memory.buffer);
  return page.layout.levels.flatMap((level, l) => {
    const pixels = level.stride * level.rows;
    const parts = [
      [`field ${l}`, level.fieldAt, 2 * pixels],
      [`bins ${l}`, level.binsAt, pixels],
      ...level.cells.map(({ step, planeBytes, at }) => [
        `cells ${l}/${step}`,
        at,
        8 * step * step * planeBytes + 4096,
      ]),
    ] as const;
    return parts.map(([name, at, length]) => {
      const part = bytes.subarray(Number(at), Number(at) + Number(length));
      return { name, part: part.toString("latin1") };
    });
  });
}

function expectEqual(a: PreparedPage, b: PreparedPage): void {
  const [ours, theirs] = [contentsOf(a), contentsOf(b)];
  expect(ours.map(({ name }) => name)).toEqual(theirs.map(({ name }) => name));
  expect(ours.filter(({ part }, i) => part !== theirs[i]?.part).map(({ name }) => name)).toEqual([]);
  expect(a.active).toEqual(b.active);
}

const size = fc.record({ width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 120 }) });

/** Noise, and pages with areas of one color and of gray, which are prepared otherwise. */
function pictureOf({ width, height }: { width: number; height: number }): fc.Arbitrary<Raster> {
  const seed = fc.integer({ min: 1, max: 1e6 });
  const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
  const box = fc.tuple(
    fc.integer({ min: -20, max: width }),
    fc.integer({ min: -20, max: height }),
    fc.nat(60),
    fc.nat(60),
    fc.oneof(
      color,
      fc.nat(255).map((level) => [level, level, level] as const),
    ),
  );
  return fc.oneof(
    seed.map((n) => noise(width, height, n)),
    fc.tuple(color, fc.array(box, { maxLength: 6 })).map(([ground, boxes]) => {
      const page = solid(width, height, ground);
      for (const [left, top, wide, tall, fill] of boxes) rectangle(page, left, top, wide, tall, fill);
      return page;
    }),
  );
}

const picture = size.chain(pictureOf);

const templates = Object.values(drawings).map((drawing) => templatesOf(cutOut(paint(drawing))!));

/** Places without the templates, which are long. */
function placesOf(page: PreparedPage) {
  return findPlaces(page, templates).map((kinds) =>
    Object.values(kinds).flatMap((places) =>
      places.map(({ fit: { template, ...fit }, ...place }) => ({ ...place, ...fit, width: template.width })),
    ),
  );
}

test("this runtime takes the SIMD path", () => {
  expect(densePath()).toBe("simd");
  expect(preparePage(noise(30, 30, 1)).path).toBe("simd");
  expect(preparePage(noise(30, 30, 1), { path: "plain" }).path).toBe("plain");
});

test("the WebAssembly and the TypeScript prepare equal pages", () => {
  fc.assert(
    fc.property(picture, (raster: Raster) => {
      expectEqual(preparePage(raster), preparePage(raster, { path: "plain" }));
    }),
    { numRuns: runs(60) },
  );
});

test("a page in the memory of an earlier page equals a page in new memory", () => {
  fc.assert(
    fc.property(picture, picture, (before: Raster, raster: Raster) => {
      const reuse = preparePage(before);
      expectEqual(preparePage(raster, { reuse }), preparePage(raster));
    }),
    { numRuns: runs(30) },
  );
});

test("a page in the memory of an earlier page of its size equals a page in new memory", () => {
  const pair = size.chain((each) => fc.tuple(pictureOf(each), pictureOf(each), pictureOf(each)));
  fc.assert(
    fc.property(pair, ([first, second, third]) => {
      const reuse = preparePage(second, { reuse: preparePage(first) });
      expectEqual(reuse, preparePage(second));
      expectEqual(preparePage(third, { reuse }), preparePage(third));
    }),
    { numRuns: runs(60) },
  );
});

test("nothing is written where neither the page nor an earlier page of its size has edges", () => {
  const page = solid(300, 200, [20, 90, 160]);
  rectangle(page, 20, 20, 30, 30, [200, 200, 0]);
  const reuse = preparePage(page);
  const [level] = reuse.layout.levels;
  const places = level!.cells.map(({ at, columns }) => at + 20 * columns + (3 * columns) / 4);
  places.push(level!.fieldAt + 2 * (150 * level!.stride + 250), level!.binsAt + 150 * level!.stride + 250);
  const bytes = new Uint8Array(reuse.memory.buffer);
  expect(places.map((at) => bytes[at])).toEqual([0, 0, 0, 0]);
  for (const at of places) bytes[at] = 9;
  preparePage(page, { reuse });
  expect(places.map((at) => bytes[at])).toEqual([9, 9, 9, 9]);
});

test("the WebAssembly and the TypeScript find the same places with the same numbers", () => {
  let cutOff = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...Object.values(drawings)),
      fc.integer({ min: 14, max: 90 }),
      fc.integer({ min: 0, max: 100 }),
      fc.boolean(),
      (seed, drawing, side, left, cut) => {
        const whole = place(wordsPage(260, 200, seed), drawing, left, 90, side, [200, 40, 40]);
        const page = cut ? withoutColumns(whole, left + Math.floor(side / 8)) : whole;
        const found = placesOf(preparePage(page));
        expect(found.flat(2).length).toBeGreaterThan(0);
        const plain = preparePage(page, { path: "plain" });
        expect(placesOf(plain)).toEqual(found);
        cutOff += found.flat(2).filter(({ visible }) => visible < 1).length;
      },
    ),
    { numRuns: runs(12, 12) },
  );
  expect(cutOff).toBeGreaterThan(0);
});

/** A picture of 64 x 48 pixels of noise with a padding of 16, and a box of 24 x 20 pixels with 72 points. */
const [width, height, around, columns, rows, pointCount] = [64, 48, 16, 24, 20, 72];
const [fitAt, pointsAt, fieldAt] = [64, 128, 4096];

/** The fitted box and its cosine, when it is first placed at (x, y). */
function fitted(path: DensePath, seed: number, x: number, y: number): readonly number[] {
  const stride = width + 2 * around;
  const pixels = stride * (height + 2 * around);
  const { kernels, memory } = allocate(fieldAt + 2 * pixels + 4096, path);
  new Int8Array(memory.buffer, fieldAt).set(randomBytes(seed, 2 * pixels).map((byte) => byte % 100));
  const numbers = randomBytes(seed + 1, 4 * pointCount);
  const points = Array.from({ length: pointCount }, (_, i) => {
    const [across = 0, down = 0, u = 0, v = 0] = numbers.subarray(4 * i);
    return [(across % columns) + 0.5, (down % rows) + 0.5, (u % 200) - 100, (v % 200) - 100];
  });
  new Float64Array(memory.buffer, pointsAt).set(points.flat());
  const energy = points.reduce((sum, [, , u = 0, v = 0]) => sum + u * u + v * v, 0);
  kernels.placeOn(fieldAt, stride, width, height, around);
  kernels.fitBox(pointsAt, pointCount, energy, x, y, columns, rows, 0.82, 1.22, fitAt);
  return [...new Float64Array(memory.buffer, fitAt, 5)];
}

test("the WebAssembly and the TypeScript fit the same box, inside of a picture and beyond each of its sides", () => {
  const sides = { left: 0, top: 0, right: 0, bottom: 0, none: 0 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: around - 10, max: around + width - columns + 10 }),
      fc.integer({ min: around - 10, max: around + height - rows + 10 }),
      (seed, x, y) => {
        const [left = 0, top = 0, across = 0, down = 0, cosine = 0] = fitted("simd", seed, x, y);
        expect(fitted("plain", seed, x, y)).toEqual([left, top, across, down, cosine]);
        const beyond = {
          left: left < around,
          top: top < around,
          right: left + columns * across > around + width,
          bottom: top + rows * down > around + height,
        };
        for (const side of ["left", "top", "right", "bottom"] as const) if (beyond[side]) sides[side]++;
        if (!Object.values(beyond).includes(true)) sides.none++;
      },
    ),
    { numRuns: runs(200, 200) },
  );
  expect(Math.min(...Object.values(sides))).toBeGreaterThan(0);
});
