/** Boxes of regions: always inside of the picture, never empty, and exact at the borders of pixels. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { pixelBox } from "../../../src/engine/logo/box.ts";

const side = fc.integer({ min: 1, max: 20_000 });

test("a box is inside of its picture and has at least one pixel, for regions of any size and place", () => {
  const share = fc.double({ min: -2, max: 3, noNaN: true });
  const region = fc.record({ left: share, top: share, width: share, height: share });
  fc.assert(
    fc.property(region, side, side, (at, width, height) => {
      const box = pixelBox(at, { width, height });
      expect(Object.values(box).every(Number.isSafeInteger)).toBe(true);
      expect(Math.min(box.x, box.y, box.width - 1, box.height - 1)).toBeGreaterThanOrEqual(0);
      expect([box.x + box.width <= width, box.y + box.height <= height]).toEqual([true, true]);
    }),
  );
});

test("a region that was made from a box is that box again, also with the precision of a stored descriptor", () => {
  const unit = 65_535;
  const stored = (share: number) => Math.round(share * unit) / unit;
  const size = fc.integer({ min: 1, max: 8_000 });
  const picture = fc.tuple(size, size).chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      x: fc.integer({ min: 0, max: width - 1 }),
      y: fc.integer({ min: 0, max: height - 1 }),
      right: fc.integer({ min: 1, max: width }),
      bottom: fc.integer({ min: 1, max: height }),
    }),
  );
  fc.assert(
    fc.property(picture, ({ width, height, x, y, right, bottom }) => {
      fc.pre(right > x && bottom > y);
      const box = { x, y, width: right - x, height: bottom - y };
      const region = {
        left: stored(x / width),
        top: stored(y / height),
        width: stored(box.width / width),
        height: stored(box.height / height),
      };
      expect(pixelBox(region, { width, height })).toEqual(box);
    }),
  );
});
