/** The law of resampling: each pixel is the mean of the source under a triangle, first across, then down. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { resample, resampleSteps, type SizedCutout } from "../../../../src/engine/logo/dense/resample.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";

/** The weights of the source pixels of target pixel `i`, by the definition. */
function weightsOf(i: number, from: number, to: number): number[] {
  const scale = from / to;
  const reach = Math.max(1, scale);
  const center = (i + 0.5) * scale;
  const raw = Array.from({ length: from }, (_, k) => Math.max(0, 1 - Math.abs(k + 0.5 - center) / reach));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((weight) => weight / sum);
}

function byDefinition({ width, height, data }: SizedCutout, toWidth: number, toHeight: number): number[] {
  const [across, down] = [
    Array.from({ length: toWidth }, (_, x) => weightsOf(x, width, toWidth)),
    Array.from({ length: toHeight }, (_, y) => weightsOf(y, height, toHeight)),
  ];
  const out: number[] = [];
  for (const rows of down) {
    for (const columns of across) {
      for (let c = 0; c < 4; c++) {
        let sum = 0;
        for (const [y, weight] of rows.entries())
          for (const [x, share] of columns.entries()) sum += weight * share * data[(y * width + x) * 4 + c]!;
        out.push(sum);
      }
    }
  }
  return out;
}

const side = fc.integer({ min: 1, max: 24 });

test("resampling to any size averages under triangles, from a cutout that is read and from one in memory", () => {
  fc.assert(
    fc.property(side, side, side, side, fc.integer({ min: 1, max: 1e6 }), (width, height, w, h, seed) => {
      const data = Float32Array.from(randomBytes(seed, width * height * 4));
      const read = (x: number, y: number, out: Float32Array, at: number) => {
        for (let c = 0; c < 4; c++) out[at + c] = data[(y * width + x) * 4 + c]!;
      };
      const found = resample({ width, height, data }, w, h);
      expect([found.width, found.height]).toEqual([w, h]);
      const expected = byDefinition({ width, height, data }, w, h);
      expect(Math.max(...expected.map((value, i) => Math.abs(value - found.data[i]!)))).toBeLessThan(0.001);
      expect(runSteps(resampleSteps({ width, height, read }, w, h))).toEqual(found);
    }),
    { numRuns: runs(60) },
  );
});
