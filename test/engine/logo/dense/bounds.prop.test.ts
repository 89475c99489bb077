/** Searches of many logos, which leave out groups by bounds that all templates share. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { computeBounds } from "../../../../src/engine/logo/dense/bounds.ts";
import { minBoundedTemplates } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import { findPlaces } from "../../../../src/engine/logo/dense/find-best.ts";
import type { DensePath } from "../../../../src/engine/logo/dense/kernels/kernels.ts";
import type { PreparedPage } from "../../../../src/engine/logo/dense/prepare-page.ts";
import { searchPositions } from "../../../../src/engine/logo/dense/search-positions.ts";
import { runs } from "../../../support/runs.ts";
import { drawings, paint, solid } from "../drawings.ts";
import { cutOut, preparePage, templatesOf } from "../whole-steps.ts";
import { noise, place, rectangle, wordsPage } from "./scenes.ts";

/** Enough logos for bounds at every level, wide and tall ones among them, some twice. */
const logos = [1, 0.4, 2.5, 1, 0.25, 4, 1].flatMap((aspect) =>
  Object.values(drawings).map((drawing) =>
    templatesOf(cutOut(paint((x, y) => drawing(x, Math.min(1, y * aspect))))!),
  ),
);

/** A page of words with a logo, or of noise; of many sizes, so that logos leave it on every side. */
const page = fc.record({
  width: fc.integer({ min: 20, max: 420 }),
  height: fc.integer({ min: 20, max: 330 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  words: fc.boolean(),
});

function rasterOf({
  width,
  height,
  seed,
  words,
}: {
  width: number;
  height: number;
  seed: number;
  words: boolean;
}) {
  if (!words) return noise(width, height, seed);
  const side = Math.min(width, height, 20 + (seed % 60));
  const drawing = Object.values(drawings)[seed % Object.keys(drawings).length]!;
  return place(wordsPage(width, height, seed), drawing, 0, height - side, side, [200, 40, 40]);
}

function positionsOf(prepared: PreparedPage, some: typeof logos) {
  return runSteps(searchPositions(prepared, some.flat()));
}

test("the positions of many logos together are those of each alone", () => {
  fc.assert(
    fc.property(page, (arbitrary) => {
      const prepared = preparePage(rasterOf(arbitrary));
      const together = positionsOf(prepared, logos);
      expect(together).toEqual(logos.flatMap((logo) => positionsOf(prepared, [logo])));
    }),
    { numRuns: runs(25) },
  );
});

test("the places of many logos together are those of each alone", () => {
  const prepared = preparePage(rasterOf({ width: 400, height: 300, seed: 9, words: true }));
  const together = findPlaces(prepared, logos);
  expect(together.flatMap(({ full }) => full).length).toBeGreaterThan(0);
  expect(together).toEqual(logos.flatMap((logo) => findPlaces(prepared, [logo])));
});

test("the WebAssembly and the TypeScript find the same positions with bounds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const raster = rasterOf({ width: 120, height: 90, seed, words: true });
      // Positions without the templates, which are long.
      const numbers = (path: DensePath) =>
        positionsOf(preparePage(raster, { path }), logos).map((found) =>
          found.map(({ level, x, y, cosine }) => [level, x, y, cosine]),
        );
      expect(numbers("plain")).toEqual(numbers("simd"));
    }),
    { numRuns: runs(4) },
  );
});

test("a logo whose strongest features are cut off has the same positions with and without bounds", () => {
  // The strongest features are in the first rows: groups without a response of theirs may still be found.
  for (const drawing of Object.values(drawings)) {
    const raster = place(solid(160, 120, [255, 255, 255]), drawing, 40, 40, 40, [200, 40, 40]);
    rectangle(raster, 0, 0, 160, 52, [255, 255, 255]);
    const together = positionsOf(preparePage(raster), logos);
    const plain = preparePage(raster, { path: "plain" });
    expect(together).toEqual(logos.flatMap((logo) => positionsOf(plain, [logo])));
  }
});

/** The names of the kernels that a search calls. */
function callsOf(some: typeof logos): ReadonlySet<string> {
  const prepared = preparePage(rasterOf({ width: 400, height: 300, seed: 9, words: true }));
  const called = new Set<string>();
  const kernels = new Proxy(prepared.kernels, {
    get: (target, name) => {
      called.add(String(name));
      return Reflect.get(target, name);
    },
  });
  runSteps(searchPositions({ ...prepared, kernels }, some.flat()));
  return called;
}

test("many logos are searched with bounds, few without", () => {
  const regular = logos.flat().filter(({ small }) => !small).length;
  expect(Math.min(regular, logos.flat().length - regular)).toBeGreaterThanOrEqual(minBoundedTemplates);
  expect([...callsOf(logos)].sort()).toEqual(["boundCells", "correlate", "sumBounded"]);
  expect([...callsOf(logos.slice(0, 2))].sort()).toEqual(["correlate", "sumGroups"]);
});

/** The bounds of every level. */
function boundsOf(arbitrary: Parameters<typeof rasterOf>[0], path: DensePath) {
  const prepared = preparePage(rasterOf(arbitrary), { path });
  const bytes = new Uint8Array(prepared.memory.buffer);
  return prepared.layout.levels.flatMap(({ cells }) =>
    cells.map((layout) => {
      computeBounds(prepared, layout);
      const { step, rows, boundColumns, boundsAt } = layout;
      return {
        layout,
        bytes,
        bounds: bytes.subarray(boundsAt, boundsAt + 32 * step * boundColumns * (rows + 16)),
      };
    }),
  );
}

test("the WebAssembly and the TypeScript compute the same bounds", () => {
  fc.assert(
    fc.property(page, (arbitrary) => {
      const plain = boundsOf(arbitrary, "plain");
      for (const [i, { bounds }] of boundsOf(arbitrary, "simd").entries()) {
        expect(Buffer.compare(bounds, plain[i]!.bounds)).toBe(0);
      }
    }),
    { numRuns: runs(8) },
  );
});

test("no response exceeds its bound, and bounds exclude most groups of a page of words", () => {
  const [level] = boundsOf({ width: 420, height: 330, seed: 5, words: true }, "simd");
  const { layout, bytes, bounds } = level!;
  const { step, columns, rows, planeBytes, boundColumns, at } = layout;
  for (let plane = 0; plane < 8 * step * step; plane++) {
    for (let cell = 0; cell < planeBytes; cell++) {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const phase = Math.floor(plane / step);
      // The group that begins at the cell's quad.
      const [q, group] = [(column >> 2) & 3, column >> 4];
      const bound = bounds[((phase * 4 + q) * boundColumns + group) * (rows + 16) + row]!;
      if (bytes[at + plane * planeBytes + cell]! > bound) expect.fail(`${plane} ${cell}`);
    }
  }
  expect(bounds.filter((bound) => bound === 0).length).toBeGreaterThan(bounds.length / 4);
});
