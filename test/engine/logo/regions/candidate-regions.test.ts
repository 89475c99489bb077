import { describe, expect, test } from "vitest";
import type { Box, RgbPicture } from "../../../../src/engine/logo/decode/picture.ts";
import { fitBackground, flatPlane } from "../../../../src/engine/logo/regions/background.ts";
import { findCandidateRegions } from "../../../../src/engine/logo/regions/candidate-regions.ts";
import { findFlatAreas } from "../../../../src/engine/logo/regions/flat-areas.ts";
import { selectRegions } from "../../../../src/engine/logo/regions/select-regions.ts";

type Color = readonly [number, number, number];

/** A picture of boxes painted one over another. */
function picture(
  width: number,
  height: number,
  ground: Color,
  ...boxes: readonly (readonly [Box, Color])[]
): RgbPicture {
  const rgb = new Uint8Array(width * height * 3);
  const whole = { left: 0, top: 0, right: width, bottom: height };
  for (const [{ left, top, right, bottom }, color] of [[whole, ground] as const, ...boxes]) {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) rgb.set(color, (y * width + x) * 3);
  }
  return { width, height, rgb };
}

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });
const white: Color = [255, 255, 255];
const navy: Color = [30, 40, 70];
const red: Color = [200, 30, 30];

/** Whether a box is among the candidate regions, to a pixel. */
function finds(scene: RgbPicture, wanted: Box): boolean {
  return findCandidateRegions(scene).some(({ box: seen }) =>
    (["left", "top", "right", "bottom"] as const).every((side) => Math.abs(seen[side] - wanted[side]) <= 1),
  );
}

describe("the candidate regions include a logo", () => {
  const logo = box(40, 50, 80, 90);

  test("inside a margin", () => {
    expect(finds(picture(200, 150, white, [logo, red]), logo)).toBe(true);
  });

  test("beside other boxes", () => {
    expect(finds(picture(200, 150, white, [logo, red], [box(120, 20, 190, 140), navy]), logo)).toBe(true);
  });

  test("inside a frame, and inside two nested frames", () => {
    const framed = picture(200, 150, white, [box(20, 20, 180, 140), navy], [logo, red]);
    expect(finds(framed, logo)).toBe(true);
    const twice = picture(
      200,
      150,
      red,
      [box(10, 10, 190, 145), white],
      [box(20, 20, 180, 140), navy],
      [logo, red],
    );
    expect(finds(twice, logo)).toBe(true);
  });

  test("inside a bar that touches the border of the page", () => {
    const page = picture(
      300,
      200,
      white,
      [box(0, 0, 300, 40), navy],
      [box(10, 8, 34, 32), red],
      [box(60, 90, 250, 180), red],
    );
    expect(finds(page, box(10, 8, 34, 32))).toBe(true);
  });

  test("inside one of two panels of a card", () => {
    const card = picture(
      400,
      300,
      [120, 80, 240],
      [box(80, 40, 220, 260), white],
      [box(220, 40, 330, 260), navy],
      [box(100, 60, 140, 90), red],
    );
    expect(finds(card, box(100, 60, 140, 90))).toBe(true);
  });

  test("under a badge that extends beyond it", () => {
    const badged = picture(200, 150, white, [box(40, 30, 140, 110), navy], [box(120, 90, 160, 130), red]);
    expect(finds(badged, box(40, 30, 140, 110))).toBe(true);
    const green: Color = [0, 150, 60];
    const uneven = [box(40, 30, 100, 110), navy] as const;
    const parts = [[box(100, 50, 160, 90), red] as const, [box(100, 90, 160, 130), green] as const];
    expect(finds(picture(200, 150, white, uneven, ...parts), box(40, 30, 100, 110))).toBe(true);
    const few = [box(40, 30, 100, 105), navy] as const;
    expect(finds(picture(200, 150, white, few, ...parts), box(40, 30, 100, 105))).toBe(false);
  });
});

test("a picture of one color has no candidate regions", () => {
  expect(findCandidateRegions(picture(50, 50, white))).toEqual([]);
});

test("of a picture with many parts at most 35 regions are described, of one four times as tall at most 100", () => {
  const dots = Array.from({ length: 150 }, (_, i): readonly [Box, Color] => {
    const x = 10 + (i % 15) * 25;
    const y = 10 + Math.floor(i / 15) * 25;
    return [box(x, y, x + 12, y + 12), red];
  });
  const scene = picture(400, 300, white, ...dots);
  const regions = findCandidateRegions(scene);
  expect(regions.length).toBeGreaterThan(35);
  expect(selectRegions(regions, scene)).toEqual(regions.slice(0, 35));
  const many = Array.from({ length: 120 }, () => regions).flat();
  expect(selectRegions(many, picture(40, 160, white))).toHaveLength(100);
});

test("a card on a photograph is searched against its own color", () => {
  const noisy = picture(400, 300, white);
  for (let i = 0; i < noisy.rgb.length; i++) noisy.rgb[i] = (i * 7919 + ((i * i) % 251) * 31) % 256;
  const card = box(100, 60, 300, 240);
  const mark = box(140, 90, 190, 130);
  for (const [{ left, top, right, bottom }, color] of [
    [card, white],
    [mark, red],
  ] as const) {
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) noisy.rgb.set(color, (y * noisy.width + x) * 3);
  }
  const [area] = findFlatAreas(noisy);
  expect(area?.box).toEqual(card);
  expect(area?.pixels).toBe(200 * 180 - 50 * 40);
  const found = (areas: Parameters<typeof findCandidateRegions>[1]) =>
    findCandidateRegions(noisy, areas).some(({ box: each }) => JSON.stringify(each) === JSON.stringify(mark));
  expect(found(findFlatAreas(noisy))).toBe(true);
  expect(found([])).toBe(false);
});

test("a word is described after the regions that are not words", () => {
  const plane = flatPlane(255, 255, 255);
  const words = Array.from({ length: 40 }, (_, i) => ({ box: box(10, 20 * i, 60, 20 * i + 12), plane }));
  const mark = { box: box(100, 5, 116, 21), plane };
  expect(selectRegions([...words, mark], picture(400, 300, white))[0]).toBe(mark);
  expect(selectRegions([...words.slice(0, 30), mark], picture(400, 300, white)).at(-1)).toBe(mark);
});

test("the background is the color of most of the border, even when a logo touches it", () => {
  const scene = picture(100, 100, white, [box(0, 30, 60, 100), red]);
  const { red: r, green: g, blue: b, share } = fitBackground(scene, box(0, 0, 100, 100));
  const flat = { level: 255, slopeX: 0, slopeY: 0 };
  expect([r, g, b]).toEqual([flat, flat, flat]);
  expect(share).toBeGreaterThan(0.6);
});
