import { type Fit, planGeometry } from "edgeproof/images";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Size } from "../../../../src/engine/images/render/geometry.ts";
import { runs } from "../../../support/runs.ts";

const side = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 12_000 }));
const size = fc.record({ width: side, height: side });

function law(name: string, check: (source: Size, box: Size) => void): void {
  test(name, () => {
    expect(() => fc.assert(fc.property(size, size, check), { numRuns: runs(1_000) })).not.toThrow();
  });
}

function output(source: Size, fit: Fit, box: Partial<Size>): Size {
  return planGeometry(source, { fit, ...box }).output;
}

/** Whether `b` has the aspect ratio of `a`: a side is within half a pixel of the exact one, or one pixel. */
function hasAspectRatio(a: Size, b: Size): boolean {
  const height = (b.width * a.height) / a.width;
  const width = (b.height * a.width) / a.height;
  const near = (wanted: number, found: number) =>
    Math.abs(wanted - found) <= 0.5 || (found === 1 && wanted < 1);
  return near(height, b.height) || near(width, b.width);
}

describe("geometry", () => {
  law("cover and pad are exactly the box", (source, box) => {
    expect(output(source, "cover", box)).toEqual(box);
    expect(output(source, "pad", box)).toEqual(box);
  });

  law("every output is inside the box and has at least one whole pixel on each side", (source, box) => {
    for (const fit of ["scale-down", "contain", "cover", "crop", "pad"] as const) {
      const { width, height } = output(source, fit, box);
      expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true);
      expect(width >= 1 && width <= box.width && height >= 1 && height <= box.height).toBe(true);
    }
  });

  law("scale-down and crop never enlarge", (source, box) => {
    for (const fit of ["scale-down", "crop"] as const) {
      for (const asked of [box, { width: box.width }, { height: box.height }]) {
        const { width, height } = output(source, fit, asked);
        expect(width <= source.width && height <= source.height).toBe(true);
      }
    }
  });

  law("contain touches the box and keeps the aspect ratio", (source, box) => {
    const found = output(source, "contain", box);
    expect(found.width === box.width || found.height === box.height).toBe(true);
    expect(hasAspectRatio(source, found)).toBe(true);
  });

  law("scale-down equals contain where the box is smaller, else the source", (source, box) => {
    const fits = source.width <= box.width && source.height <= box.height;
    expect(output(source, "scale-down", box)).toEqual(fits ? source : output(source, "contain", box));
  });

  law("each side of crop is the smaller of the source's and the box's", (source, box) => {
    expect(output(source, "crop", box)).toEqual({
      width: Math.min(source.width, box.width),
      height: Math.min(source.height, box.height),
    });
  });

  law("pad centers the image in the output to the pixel", (source, box) => {
    const { inner, output, left, top } = planGeometry(source, { fit: "pad", ...box });
    expect(inner).toEqual(planGeometry(source, { fit: "contain", ...box }).output);
    expect([0, 1]).toContain(output.width - inner.width - 2 * left);
    expect([0, 1]).toContain(output.height - inner.height - 2 * top);
  });

  law("a single side is exact unless enlarging is ruled out, and the aspect ratio is kept", (source, box) => {
    expect(output(source, "contain", { width: box.width }).width).toBe(box.width);
    expect(output(source, "cover", { height: box.height }).height).toBe(box.height);
    expect(hasAspectRatio(source, output(source, "contain", { width: box.width }))).toBe(true);
  });
});
