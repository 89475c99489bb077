/** Laws of flat areas and of the main color: each equals its definition, pixel by pixel. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import type { RgbPicture } from "../../../../src/engine/logo/decode/picture.ts";
import { flatPlane } from "../../../../src/engine/logo/regions/background.ts";
import { mainColorBox } from "../../../../src/engine/logo/regions/color-layers.ts";
import { findFlatAreas } from "../../../../src/engine/logo/regions/flat-areas.ts";
import { findForeground, trimForeground } from "../../../../src/engine/logo/regions/foreground.ts";
import { runs } from "../../../support/runs.ts";

/** Cells of few levels, some of which are near enough to be joined; some pixels are noise. */
const picture = fc
  .record({
    columns: fc.integer({ min: 1, max: 9 }),
    cells: fc.array(fc.constantFrom(0, 3, 8, 100, 104, 250), { minLength: 1, maxLength: 63 }),
    side: fc.integer({ min: 1, max: 24 }),
    noise: fc.array(fc.nat(), { maxLength: 30 }),
  })
  .map(({ columns, cells, side, noise }): RgbPicture => {
    const [width, height] = [columns * side, Math.ceil(cells.length / columns) * side];
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i += 3)
        rgb.fill(cells[Math.floor(y / side) * columns + Math.floor(x / side)] ?? 60, i, i + 3);
    for (const at of noise) rgb[at % rgb.length] = at % 256;
    return { width, height, rgb };
  });

/** The areas by flood fill: the box and the number of pixels of each that is large enough, largest first. */
function filledAreas({ width, height, rgb }: RgbPicture) {
  const seen = new Uint8Array(width * height);
  const near = (p: number, q: number) =>
    [0, 1, 2].every((c) => Math.abs(rgb[3 * p + c]! - rgb[3 * q + c]!) <= 4);
  const areas = [];
  for (let from = 0; from < seen.length; from++) {
    if (seen[from]) continue;
    const pixels = [from];
    seen[from] = 1;
    for (const p of pixels) {
      const x = p % width;
      for (const q of [x > 0 ? p - 1 : -1, x + 1 < width ? p + 1 : -1, p - width, p + width]) {
        if (q < 0 || q >= seen.length || seen[q] || !near(p, q)) continue;
        seen[q] = 1;
        pixels.push(q);
      }
    }
    const [xs, ys] = [pixels.map((p) => p % width), pixels.map((p) => Math.floor(p / width))];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const box = { left, top, right: Math.max(...xs) + 1, bottom: Math.max(...ys) + 1 };
    const [w, h] = [box.right - left, box.bottom - top];
    if (pixels.length >= 400 && w >= 40 && h >= 14 && pixels.length >= 0.35 * w * h)
      areas.push({ box, pixels: pixels.length });
  }
  return areas.sort((a, b) => b.pixels - a.pixels).slice(0, 12);
}

test("flat areas are the largest sets of neighbors of nearly one color", () => {
  fc.assert(
    fc.property(picture, (source) => {
      const found = findFlatAreas(source).map(({ box, pixels }) => ({ box, pixels }));
      expect(found).toEqual(filledAreas(source));
    }),
    { numRuns: runs(60) },
  );
});

test("the main color box holds the foreground near the middle of the most frequent color", () => {
  fc.assert(
    fc.property(picture, fc.constantFrom(0, 100, 250), (source, ground) => {
      const { width, height, rgb } = source;
      const box = { left: 0, top: 0, right: width, bottom: height };
      const foreground = findForeground(source, box, flatPlane(ground, ground, ground));
      const trimmed = foreground && trimForeground(foreground);
      if (!trimmed) return;
      const keys = Array.from(foreground.bits, (bit, p) =>
        bit === 0 ? "" : [0, 1, 2].map((c) => rgb[3 * p + c]! >> 4).join(),
      );
      const counts = new Map<string, number>();
      let best = "";
      for (const key of keys) {
        if (key === "") continue;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if (counts.get(key)! > (counts.get(best) ?? 0)) best = key;
      }
      const color = best.split(",").map((level) => Number(level) * 16 + 8);
      const marks = Array.from(foreground.bits, (bit, p) =>
        bit === 1 && color.every((level, c) => Math.abs(rgb[3 * p + c]! - level) <= 40) ? 1 : 0,
      );
      const found = runSteps(mainColorBox(source, foreground, trimmed));
      const marked = marks.filter((mark) => mark === 1).length;
      if (marked < 0.5 * keys.filter((key) => key !== "").length) expect(found).toBeUndefined();
      if (!found) return;
      const rows = Array.from(found.rows, (_, y) =>
        marks
          .slice((found.box.top + y) * width + found.box.left, (found.box.top + y) * width + found.box.right)
          .reduce((sum: number, mark) => sum + mark, 0),
      );
      const inside = rows.reduce((sum, row) => sum + row, 0);
      // Single pixels on long lines may be left out.
      if (width < 200 && height < 200) expect(inside).toBe(marked);
      expect(found.rows.length).toBe(found.box.bottom - found.box.top);
    }),
    { numRuns: runs(60) },
  );
});
