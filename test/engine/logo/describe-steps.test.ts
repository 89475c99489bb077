/** Describing returns to the event loop: the work between is counted in pixels, because time depends on the machine. */
import { describe, expect, test } from "vitest";
import { runStepsAsync, stepWork } from "../../../src/core/work/steps.ts";
import type { Raster } from "../../../src/engine/logo/decode/picture.ts";
import { describeRaster, describeSteps } from "../../../src/engine/logo/describe.ts";
import { noise, rectangle, wordsPage } from "./dense/scenes.ts";
import { solid } from "./drawings.ts";

/** Maximum pixels of a step, those of all steps, and how many steps there are. */
function countSteps(raster: Raster, role: "query" | "scan") {
  const steps = describeSteps(raster, role);
  const counted = { max: 0, sum: 0, count: 0 };
  for (let next = steps.next(); !next.done; next = steps.next()) {
    const pixels = next.value ?? stepWork;
    counted.max = Math.max(counted.max, pixels);
    counted.sum += pixels;
    counted.count++;
  }
  return counted;
}

function tenThousandIcons(): Raster {
  const icons = solid(1600, 1000, [255, 255, 255]);
  for (let y = 0; y < 100; y++)
    for (let x = 0; x < 100; x++) rectangle(icons, x * 16, y * 10, 9, 7, [0, 0, x]);
  return icons;
}

describe("a step of describing reads a bounded number of pixels", () => {
  // The digest reads every pixel, averaging to the working size too.
  test.each([
    ["9 million pixels", () => noise(3000, 3000, 2), 2 * 9e6],
    ["36 million pixels", () => transparent(6000, 6000), 2 * 36e6],
    ["a tall page", () => wordsPage(1440, 5600), 2 * 1440 * 5600],
    ["ten thousand icons", tenThousandIcons, 2 * 1440 * 900],
    ["rows of five million pixels", () => transparent(5_000_000, 2), 2 * 10e6],
  ])(
    "of %s",
    (_, make, min) => {
      const { max, sum, count } = countSteps(make(), "scan");
      expect(max).toBeLessThanOrEqual(stepWork);
      expect(sum).toBeGreaterThanOrEqual(min);
      expect(count).toBeGreaterThanOrEqual(min / stepWork);
    },
    120_000,
  );
});

/** A transparent picture: its memory is not touched until it is read. */
function transparent(width: number, height: number): Raster {
  return { width, height, data: new Uint8Array(width * height * 4) };
}

test.each(["query", "scan"] as const)("the steps of a %s have the result of a run at once", async (role) => {
  const page = wordsPage(1800, 1400);
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const described = await runStepsAsync(describeSteps(page, role));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(5);
  expect(described).toEqual(describeRaster(page, role));
});

test("steps end when aborted", async () => {
  const steps = describeSteps(wordsPage(900, 700), "scan");
  await expect(runStepsAsync(steps, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
});

test("small steps share a turn of the event loop", async () => {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  function* small() {
    for (let i = 0; i < 1000; i++) yield stepWork / 500;
  }
  await runStepsAsync(small());
  clearImmediate(timer);
  expect(turns).toBeLessThan(6);
});
