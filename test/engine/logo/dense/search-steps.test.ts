/** A search for many logos returns to the event loop; counted as in `describe-steps.test.ts`, and by what the kernels do. */

import { expect, test } from "vitest";
import { type Steps, stepWork } from "../../../../src/core/work/steps.ts";
import {
  correlationWork,
  detectorVersion,
  placeWork,
  sumWork,
} from "../../../../src/engine/logo/dense/dense-tuning.ts";
import type { DenseKernels } from "../../../../src/engine/logo/dense/kernels/kernel-functions.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { batchSize, searchPositions } from "../../../../src/engine/logo/dense/search-positions.ts";
import { colorGridOf } from "../../../../src/engine/logo/features/color-agreement.ts";
import { drawings, paint } from "../drawings.ts";
import { cutOut, preparePage, templatesOf } from "../whole-steps.ts";
import { place, wordsPage } from "./scenes.ts";

const cutouts = Object.values(drawings).map((drawing) => cutOut(paint(drawing))!);
const logos = cutouts.map(templatesOf);

function thousandOf<T>(items: readonly T[]): readonly T[] {
  return Array.from({ length: 1000 }, (_, i) => items[i % items.length]!);
}

const page = place(wordsPage(700, 400), drawings["wing"]!, 120, 101, 40, [200, 30, 60]);

/** Runs steps like `runStepsAsync`, and calls `turn` when the event loop would run, and at the end. */
function runTurns<T>(steps: Steps<T>, turn: () => void): T {
  let work = 0;
  for (;;) {
    const next = steps.next();
    if (next.done) {
      turn();
      return next.value;
    }
    work += next.value ?? stepWork;
    if (work < stepWork) continue;
    work = 0;
    turn();
  }
}

/** Kernels that count the work of searching positions, in pixels. */
function counting(kernels: DenseKernels): { readonly kernels: DenseKernels; take: () => number } {
  let work = 0;
  const counted: DenseKernels = {
    ...kernels,
    sumGroups: (groups, count, at, templates, ...rest) => {
      work += count * templates * sumWork;
      kernels.sumGroups(groups, count, at, templates, ...rest);
    },
    sumBounded: (runs, count, first, columns, masks, at, templates, ...rest) => {
      work += count * templates * sumWork;
      kernels.sumBounded(runs, count, first, columns, masks, at, templates, ...rest);
    },
    correlate: (...numbers) => {
      work += correlationWork;
      kernels.correlate(...numbers);
    },
  };
  const take = () => {
    const taken = work;
    work = 0;
    return taken;
  };
  return { kernels: counted, take };
}

test("a turn of a search for 1,000 logos has a bounded number of sums and correlations", () => {
  const prepared = preparePage(page);
  const { kernels, take } = counting(prepared.kernels);
  const turns: number[] = [];
  const templates = thousandOf(logos).flat();
  runTurns(searchPositions({ ...prepared, kernels }, templates), () => turns.push(take()));
  const batch = batchSize(prepared.layout.scratchBytes);
  // The event loop runs after the step that fills one; its last call of a kernel has up to 64 groups for a batch.
  expect(Math.max(...turns)).toBeLessThanOrEqual(2 * stepWork + batch * 64 * sumWork);
  const sum = turns.reduce((a, b) => a + b, 0);
  expect(sum).toBeGreaterThan(20 * stepWork);
  expect(turns.length).toBeGreaterThanOrEqual(sum / (2 * stepWork));
});

test("the places of 1,000 logos are calibrated in turns", () => {
  const calibration = {
    version: detectorVersion,
    full: 0.5,
    silhouette: 0.5,
    textFull: 0.5,
    textSilhouette: 0.5,
  };
  // A detector is asked for its colors once, before its places are calibrated.
  let calibrated = 0;
  const detectors = thousandOf(cutouts.map((cutout, i) => ({ cutout, templates: logos[i]! }))).map(
    ({ cutout, templates }) => ({
      templates,
      calibration,
      get colors() {
        calibrated++;
        return colorGridOf(cutout);
      },
    }),
  );
  const turns: number[] = [];
  const { matches } = runTurns(searchSteps(page, detectors), () => {
    turns.push(calibrated);
    calibrated = 0;
  });
  expect(matches).toHaveLength(1000);
  expect(turns.reduce((a, b) => a + b, 0)).toBe(1000);
  expect(Math.max(...turns)).toBeLessThanOrEqual(stepWork / placeWork);
});
