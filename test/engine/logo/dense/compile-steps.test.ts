/** Compiling a logo returns to the event loop, however large its picture is; counted as in `describe-steps.test.ts`. */
import { describe, expect, test } from "vitest";
import { stepWork } from "../../../../src/core/work/steps.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { detectorVersion } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import { compileSteps } from "../../../../src/engine/logo/dense/detector.ts";
import { drawings, paint, solid } from "../drawings.ts";
import { noise, rectangle } from "./scenes.ts";

const calibration = {
  version: detectorVersion,
  full: 0.5,
  silhouette: 0.5,
  textFull: 0.5,
  textSilhouette: 0.5,
};

function countSteps(logo: Raster, rotations = false) {
  const steps = compileSteps(logo, { calibration, rotations });
  const counted = { max: 0, sum: 0, count: 0 };
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) return { ...counted, templates: next.value.templates.length };
    const pixels = next.value ?? stepWork;
    counted.max = Math.max(counted.max, pixels);
    counted.sum += pixels;
    counted.count++;
  }
}

/** A logo on white that fills its picture but for the border. */
function large(width: number, height: number): Raster {
  const logo = solid(width, height, [255, 255, 255]);
  rectangle(logo, 1, 1, Math.ceil(width / 2), height - 2, [180, 20, 20]);
  rectangle(logo, 1, 1, width - 2, Math.ceil(height / 3), [20, 20, 180]);
  return logo;
}

describe("a step of compiling reads a bounded number of pixels", () => {
  // Whether it is opaque, its alpha, its box, and its pixels for the templates.
  test.each([
    ["a logo of 4 million pixels", () => large(2000, 2000), 4 * 4e6, true],
    ["noise of a million pixels", () => noise(1000, 1000, 3), 3 * 1e6, true],
    ["rows of 400,000 pixels", () => large(400_000, 5), 4 * 2e6, false],
    ["columns of 400,000 pixels", () => large(5, 400_000), 4 * 2e6, false],
  ])(
    "of %s",
    (_, make, min, hasTemplates) => {
      const { max, sum, count, templates } = countSteps(make());
      // The pixel that fills a step may belong to a column of several.
      expect(max).toBeLessThanOrEqual(1.2 * stepWork);
      expect(sum).toBeGreaterThanOrEqual(min);
      expect(count).toBeGreaterThanOrEqual(min / stepWork / 1.2);
      expect(templates > 0).toBe(hasTemplates);
    },
    120_000,
  );

  test("of a rotated logo, which is read once more for each direction", () => {
    const logo = large(1500, 1000);
    expect(countSteps(logo, true).sum).toBeGreaterThan(countSteps(logo).sum + 2 * 1500 * 1000);
  });

  test("of a small logo, of which each size is a step", () => {
    const { count, templates } = countSteps(paint(drawings["wing"]!));
    expect(templates).toBeGreaterThan(5);
    expect(count).toBeGreaterThan(templates);
  });
});
