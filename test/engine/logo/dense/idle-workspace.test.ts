/** The workspace that a search leaves to the next one. */
import { beforeEach, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { detectorVersion } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import { compileDetector } from "../../../../src/engine/logo/dense/detector.ts";
import { keepWorkspace, takeWorkspace } from "../../../../src/engine/logo/dense/kernels/idle-workspace.ts";
import { allocate } from "../../../../src/engine/logo/dense/kernels/kernels.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { drawings, paint } from "../drawings.ts";
import { place, wordsPage } from "./scenes.ts";

const { stairs, hooks } = drawings as Record<"stairs" | "hooks", (typeof drawings)[string]>;
const calibration = {
  version: detectorVersion,
  full: 0.5,
  silhouette: 0.5,
  textFull: 0.5,
  textSilhouette: 0.5,
};
const detectors = [stairs, hooks].map((drawing) => compileDetector(paint(drawing), { calibration }));
const pages = [
  place(wordsPage(400, 320, 1), hooks, 120, 101, 40, [200, 30, 60]),
  place(wordsPage(400, 320, 2), stairs, 30, 60, 60, [20, 30, 160]),
  place(wordsPage(300, 420, 3), hooks, 200, 301, 50, [0, 90, 60]),
];

beforeEach(() => {
  takeWorkspace();
  takeWorkspace("plain");
});

test("a search uses the memory of the search before", () => {
  runSteps(searchSteps(pages[0]!, detectors));
  const first = takeWorkspace();
  expect(first).toBeDefined();
  keepWorkspace(first);
  runSteps(searchSteps(pages[1]!, detectors));
  expect(takeWorkspace()?.memory).toBe(first?.memory);
});

test("a workspace is taken once, for its own path only", () => {
  keepWorkspace(allocate(1000, "plain"));
  expect(takeWorkspace("simd")).toBeUndefined();
  expect(takeWorkspace("plain")?.path).toBe("plain");
  expect(takeWorkspace("plain")).toBeUndefined();
});

test("the larger workspace is kept, but none above 64 MiB", () => {
  const [small, large] = [allocate(100_000), allocate(900_000)];
  for (const each of [small, large, small, allocate(70 * 1024 * 1024)]) keepWorkspace(each);
  expect(takeWorkspace()).toBe(large);
});

test("searches in earlier memory, and at the same time, have the results of searches in new memory", () => {
  const alone = pages.map((page) => {
    takeWorkspace();
    return runSteps(searchSteps(page, detectors));
  });
  expect([...pages, pages[0]!].map((page) => runSteps(searchSteps(page, detectors)))).toEqual([
    ...alone,
    alone[0],
  ]);
  const running = pages.map((page) => searchSteps(page, detectors));
  const results: unknown[] = pages.map(() => undefined);
  while (results.includes(undefined)) {
    for (const [i, steps] of running.entries()) {
      const next = steps.next();
      if (next.done && next.value) results[i] = next.value;
    }
  }
  expect(results).toEqual(alone);
});

test("the workspace of an aborted search is not used again", () => {
  const steps = searchSteps(pages[0]!, detectors);
  steps.next();
  steps.return({ scale: 1, matches: [] });
  expect(takeWorkspace()).toBeUndefined();
});
