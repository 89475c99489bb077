/** The law of resampling: each pixel is the mean of the source under a triangle, first across, then down; by both paths. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import {
  resample,
  resampleSteps,
  type SizedCutout,
} from "../../../../src/engine/logo/dense/cutout/resample.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";
import { cutOut } from "../whole-steps.ts";

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

const wide = fc.integer({ min: 1, max: 90 });

test("WebAssembly and TypeScript resample to the same numbers, also rows that are read as runs", () => {
  fc.assert(
    fc.property(wide, wide, wide, wide, fc.integer({ min: 1, max: 1e6 }), (width, height, w, h, seed) => {
      const data = Float32Array.from(randomBytes(seed, width * height * 4), (byte) => byte / 3);
      const sized = { width, height, data };
      const plain = resample(sized, w, h, "plain");
      expect(resample(sized, w, h)).toEqual(plain);
      const read = (x: number, y: number, out: Float32Array, at: number) =>
        out.set(data.subarray((y * width + x) * 4, (y * width + x + 1) * 4), at);
      const readRun = (x: number, y: number, count: number, out: Float32Array) =>
        out.set(data.subarray((y * width + x) * 4, (y * width + x + count) * 4));
      for (const cutout of [
        { width, height, read },
        { width, height, read, readRun },
      ]) {
        expect(runSteps(resampleSteps(cutout, w, h))).toEqual(plain);
        expect(runSteps(resampleSteps(cutout, w, h, "plain"))).toEqual(plain);
      }
    }),
    { numRuns: runs(60) },
  );
});

test("a run of a cutout has the numbers of its pixels", () => {
  const [width, height] = [40, 30];
  const cutout = cutOut({ width, height, data: randomBytes(5, width * height * 4) })!;
  const run = new Float32Array(4 * cutout.width);
  const pixel = new Float32Array(4);
  for (let y = 0; y < cutout.height; y++) {
    cutout.readRun!(0, y, cutout.width, run);
    for (let x = 0; x < cutout.width; x++) {
      cutout.read(x, y, pixel, 0);
      expect(run.subarray(4 * x, 4 * x + 4)).toEqual(pixel);
    }
  }
});
