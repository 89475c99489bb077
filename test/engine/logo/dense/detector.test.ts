import { describe, expect, test } from "vitest";
import { runSteps, runStepsAsync } from "../../../../src/core/work/steps.ts";
import { decodeLogo } from "../../../../src/engine/logo/decode/decode.ts";
import { detectorVersion, foundValue } from "../../../../src/engine/logo/dense/dense-tuning.ts";
import {
  compileDetector,
  compileSteps,
  searchedTemplates,
} from "../../../../src/engine/logo/dense/detector.ts";
import { layoutPage } from "../../../../src/engine/logo/dense/page-layout.ts";
import { searchSteps, stripsOf } from "../../../../src/engine/logo/dense/search-picture.ts";
import { drawings, image, paint, solid } from "../drawings.ts";
import { noise, place, rectangle, wordsPage } from "./scenes.ts";

const { stairs, hooks, wing } = drawings as Record<"stairs" | "hooks" | "wing", (typeof drawings)[string]>;
const calibration = {
  version: detectorVersion,
  full: 0.5,
  silhouette: 0.5,
  textFull: 0.5,
  textSilhouette: 0.5,
};
const detectors = [stairs, hooks, wing].map((drawing) => compileDetector(paint(drawing), { calibration }));

const search = (page: Parameters<typeof searchSteps>[0]) => runSteps(searchSteps(page, detectors));

describe("a logo on a page", () => {
  for (const side of [16, 22, 30, 47, 75, 150]) {
    test(`of ${side} pixels is found where it is, before other logos`, () => {
      const page = place(wordsPage(400, 320), hooks, 120, 101, side, [200, 30, 60]);
      const { scale, matches } = search(page);
      expect(scale).toBe(1);
      const [other, hit, another] = matches;
      expect(hit!.value).toBeGreaterThan(Math.max(other?.value ?? 0, another?.value ?? 0) + 0.1);
      const expected = [120, 101, 120 + side, 101 + side];
      for (const [i, edge] of hit!.box.entries())
        expect(Math.abs(edge - expected[i]!)).toBeLessThan(2 + side / 20);
    });
  }

  test("is found white on a dark bar", () => {
    const page = place(wordsPage(400, 300), wing, 30, 8, 36, [255, 255, 255]);
    const { matches } = search(page);
    expect(matches[2]!.value).toBeGreaterThan(Math.max(matches[0]?.value ?? 0, matches[1]?.value ?? 0) + 0.1);
  });

  test("is found when the picture cuts a fifth of it off", () => {
    const whole = place(solid(300, 300, [255, 255, 255]), hooks, 40, 50, 200, [30, 90, 40]);
    const cut = solid(220, 200, [255, 255, 255]);
    for (let y = 0; y < 200; y++)
      cut.data.set(whole.data.subarray(((y + 50) * 300 + 80) * 4, ((y + 50) * 300 + 300) * 4), y * 220 * 4);
    expect(search(cut).matches[1]!.value).toBeGreaterThan(0.25);
  });
});

test("a page of one color has no places", () => {
  expect(search(solid(300, 200, [7, 7, 7])).matches).toEqual([undefined, undefined, undefined]);
  expect(search(solid(1, 1, [7, 7, 7])).matches).toEqual([undefined, undefined, undefined]);
});

test("a rotated logo is found with rotations only", () => {
  const turned = (x: number, y: number) => {
    const [dx, dy] = [(x - 0.5) * 1.3, (y - 0.5) * 1.3];
    const angle = (-16 * Math.PI) / 180;
    const u = Math.cos(angle) * dx - Math.sin(angle) * dy + 0.5;
    const v = Math.sin(angle) * dx + Math.cos(angle) * dy + 0.5;
    return u >= 0 && v >= 0 && u <= 1 && v <= 1 && hooks(u, v);
  };
  const page = place(wordsPage(300, 240), turned, 60, 90, 80, [0, 0, 160]);
  const upright = detectors[1]!;
  const rotated = compileDetector(paint(hooks), { calibration, rotations: true });
  const [a, b] = runSteps(searchSteps(page, [upright, rotated])).matches;
  expect(b!.value).toBeGreaterThan((a?.value ?? 0) + 0.1);
});

test("a picture without edges compiles to a detector that finds nothing", () => {
  const blank = compileDetector(solid(40, 40, [0, 0, 0], 0));
  expect(blank.templates).toEqual([]);
  expect(runSteps(searchSteps(wordsPage(200, 150), [blank])).matches).toEqual([undefined]);
});

describe("calibration", () => {
  test("is computed without numbers and for those of another version, always the same", () => {
    const first = compileDetector(paint(stairs)).calibration;
    expect(first.version).toBe(detectorVersion);
    expect(first.full).toBeGreaterThan(0.1);
    expect(first.full).toBeLessThan(1);
    const old = { version: detectorVersion - 1, full: 0, silhouette: 0, textFull: 0, textSilhouette: 0 };
    expect(compileDetector(paint(stairs), { calibration: old }).calibration).toEqual(first);
  }, 60_000);

  test("uses stored numbers of this version", () => {
    expect(compileDetector(paint(stairs), { calibration }).calibration).toBe(calibration);
  });
});

test("a silhouette that is a disc or a tile is not searched, and the result is the same", () => {
  // A tile with a mark, on transparent ground: its silhouette is a tile.
  const tile = place(solid(80, 80, [20, 60, 160]), hooks, 20, 20, 40, [255, 255, 255]);
  const logo = solid(100, 100, [0, 0, 0], 0);
  for (let y = 0; y < 80; y++)
    logo.data.set(tile.data.subarray(y * 320, y * 320 + 320), ((y + 10) * 100 + 10) * 4);
  const { templates } = compileDetector(logo, { calibration });
  const kindsOf = (silhouette: number) =>
    new Set(
      searchedTemplates({ templates, calibration: { ...calibration, silhouette } }).map(({ kind }) => kind),
    );
  expect(kindsOf(0.84)).toEqual(new Set(["full", "silhouette"]));
  expect(kindsOf(0.85)).toEqual(new Set(["full"]));

  const page = place(wordsPage(300, 240), hooks, 60, 90, 80, [0, 0, 160]);
  const plain = { templates, calibration: { ...calibration, silhouette: 0.85 } };
  const full = { templates: templates.filter(({ kind }) => kind === "full"), calibration };
  const [a, b] = runSteps(searchSteps(page, [plain, full])).matches;
  expect(a).toEqual(b);
});

describe("a large picture", () => {
  test("is reduced to 2,000 pixels, and says so", () => {
    const page = place(solid(4100, 120, [255, 255, 255]), stairs, 2000, 16, 96, [0, 0, 0]);
    const { scale, matches } = search(page);
    expect(scale).toBe(2000 / 4100);
    expect(matches[0]!.box[0]).toBeGreaterThan(1980);
    expect(matches[0]!.box[2]).toBeLessThan(2120);
  });

  test("is searched in strips that overlap and have at most the working pixels", () => {
    const strips = stripsOf({ width: 1280, height: 19_000 });
    expect(strips.length).toBeGreaterThan(4);
    expect(strips[0]!.top).toBe(0);
    expect(strips.at(-1)!.bottom).toBe(19_000);
    for (const [i, { top, bottom }] of strips.entries()) {
      expect((bottom - top + 32) * 1344).toBeLessThanOrEqual(4_000_000);
      if (i > 0) expect(strips[i - 1]!.bottom - top).toBe(512);
    }
  });

  test("a logo in a later strip has its box in the whole picture", () => {
    const page = place(solid(200, 2600, [255, 255, 255]), wing, 60, 2300, 60, [0, 90, 0]);
    const { matches } = runSteps(searchSteps(page, detectors, { workingPixels: 300_000 }));
    expect(Math.abs(matches[2]!.box[1] - 2300)).toBeLessThan(6);
  });
});

describe("a small picture with a logo alone is searched in changed forms, too", () => {
  const logo = paint(hooks, { side: 160 });
  const drawn = () => image(logo).removeAlpha();
  test.each<[string, () => Promise<Buffer>, readonly number[]]>([
    ["mirrored", () => drawn().flop().png().toBuffer(), [160, 160]],
    ["rotated", () => drawn().rotate(9, { background: "#fff" }).png().toBuffer(), [184, 184]],
    ["narrower", () => drawn().resize(110, 160, { fit: "fill" }).png().toBuffer(), [110, 160]],
    ["wider", () => drawn().resize(230, 160, { fit: "fill" }).png().toBuffer(), [230, 160]],
  ])("%s", async (_, make, [width = 0, height = 0]) => {
    const decoded = await decodeLogo(await make(), "scan");
    if (!decoded.ok) throw new Error(decoded.problems[0].message);
    const match = search(decoded.value).matches[1]!;
    expect(match.value).toBeGreaterThan(foundValue);
    const [left, top, right, bottom] = match.box;
    expect(Math.abs((left + right - width) / 2)).toBeLessThan(width / 8);
    expect(Math.abs((top + bottom - height) / 2)).toBeLessThan(height / 8);
  });
});

test("the steps return to the event loop, end when aborted, and have the result of a run at once", async () => {
  const page = place(wordsPage(700, 600), hooks, 120, 101, 50, [200, 30, 60]);
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const found = await runStepsAsync(searchSteps(page, detectors));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(5);
  expect(found).toEqual(search(page));
  await expect(
    runStepsAsync(searchSteps(page, detectors), AbortSignal.abort(new Error("stop"))),
  ).rejects.toThrow("stop");
  const compiled = await runStepsAsync(compileSteps(paint(hooks), { calibration }));
  expect(compiled.templates.length).toBe(detectors[1]!.templates.length);
});

/** The layouts of the strips in which a picture of this size is searched. */
function layoutsOf(width: number, height: number) {
  let [w, h] = [width, height];
  while (w > 2000) [w, h] = [w >> 1, h >> 1];
  return stripsOf({ width: w, height: h }).map(({ top, bottom }) => ({
    pixels: w * (bottom - top),
    bytes: layoutPage(w, bottom - top).bytes,
  }));
}

test.each([
  [5000, 5000],
  [1280, 19_000],
  [10_000, 10_000],
])("a picture of %i x %i is prepared with at most 60 bytes for each of at most 4,000,000 pixels", (w, h) => {
  for (const { pixels, bytes } of layoutsOf(w, h)) {
    expect(pixels).toBeLessThanOrEqual(4_000_000);
    expect(bytes).toBeLessThanOrEqual(60 * pixels + 2 ** 19);
  }
});

test("the rows of a picture of 5,000 x 5,000 are reduced in many steps, and prepared in more", () => {
  const page = place(solid(5000, 5000, [255, 255, 255]), stairs, 3000, 3500, 200, [0, 0, 0]);
  const steps = searchSteps(page, detectors.slice(0, 1));
  let count = 0;
  while (!steps.next().done) count++;
  // Halving twice reads 25 and 6.25 million pixels, and preparation 1.6 million, at most 262,144 in a step.
  expect(count).toBeGreaterThanOrEqual((25e6 + 6.25e6) / 2 / 2 ** 18 + (1.6e6 * 3) / 2 ** 18);
});

test("no step of noise or of ten thousand icons has more than a bounded number of records", () => {
  const icons = solid(1600, 1000, [255, 255, 255]);
  for (let y = 0; y < 100; y++)
    for (let x = 0; x < 100; x++) rectangle(icons, x * 16, y * 10, 9, 7, [0, 0, x]);
  for (const page of [noise(700, 500, 3), icons]) {
    const { matches } = search(page);
    expect(matches).toHaveLength(3);
    for (const match of matches) expect(match?.value ?? 0).toBeLessThan(0.6);
  }
});
