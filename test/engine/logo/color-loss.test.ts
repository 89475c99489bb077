/**
 * Logos whose edges are of color alone: what is found of them, and what is lost with the color. A JPEG of 4:2:0 keeps one
 * color of four pixels, and quantizes it more than lightness. Dark red and blue differ by 23 levels of lightness and by
 * 176 of color, so that a small mark has hardly any edge left.
 */
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";

type Color = readonly [red: number, green: number, blue: number];

const darkRed: Color = [0x8b, 0, 0];
const blue: Color = [0x1a, 0x3f, 0xb0];
const side = 128;

let file: Buffer;
let logo: CompiledLogo;

beforeAll(async () => {
  file = await readFile("docs/pictures/logo.png");
  const compiled = await compileLogo(file);
  if (!compiled.ok) throw new Error(compiled.problems[0].message);
  logo = compiled.value;
});

/** A white page with the logo's silhouette on a bar, as PNG. */
async function onBar(mark: Color, bar: Color, height: number): Promise<Buffer> {
  const { data } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const mask = Buffer.from(Array.from({ length: side * side }, (_, i) => 255 - (data[3 * i] ?? 255)));
  const alpha = sharp(mask, { raw: { width: side, height: side, channels: 1 } }).resize(height, height);
  const background = { r: mark[0], g: mark[1], b: mark[2] };
  const drawn = sharp({ create: { width: height, height, channels: 3, background } });
  const { data: levels, info } = await alpha.toColorspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const { width, channels } = info;
  const input = await drawn.joinChannel(levels, { raw: { width, height, channels } }).png().toBuffer();
  const ground = Buffer.alloc(720 * 90 * 3, Uint8Array.from(bar));
  return sharp({ create: { width: 720, height: 480, channels: 3, background: "#fff" } })
    .composite([
      { input: ground, raw: { width: 720, height: 90, channels: 3 }, left: 0, top: 0 },
      { input, left: 301, top: 17 },
    ])
    .png()
    .toBuffer();
}

async function scoreIn(page: Uint8Array): Promise<number> {
  const found = await findLogos(page, [logo]);
  if (!found.ok) throw new Error(found.problems[0].message);
  return found.value.findings[0]?.score ?? 0;
}

function jpeg(page: Uint8Array, quality: number, chromaSubsampling = "4:2:0"): Promise<Buffer> {
  return sharp(page).jpeg({ quality, chromaSubsampling }).toBuffer();
}

describe("a dark red logo on a blue bar", () => {
  test.each([20, 28, 40])("of %i pixels is found in a PNG", async (height) => {
    expect(await scoreIn(await onBar(darkRed, blue, height))).toBeGreaterThan(0.85);
  });

  test("is found where a JPEG keeps the color of each pixel", async () => {
    expect(await scoreIn(await jpeg(await onBar(darkRed, blue, 28), 80, "4:4:4"))).toBeGreaterThan(0.85);
  });

  test("of 40 pixels is found in a JPEG that keeps the color of each fourth pixel", async () => {
    expect(await scoreIn(await jpeg(await onBar(darkRed, blue, 40), 80))).toBeGreaterThan(0.85);
  });

  test.each([80, 50])("of 20 pixels is not found in such a JPEG of quality %i: a limit", async (quality) => {
    const score = await scoreIn(await jpeg(await onBar(darkRed, blue, 20), quality));
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThan(0.75);
  });
});

test("a light logo on a blue bar, which differs in lightness, is found in such a JPEG", async () => {
  expect(await scoreIn(await jpeg(await onBar([255, 255, 255], blue, 20), 80))).toBeGreaterThan(0.85);
});

test.each([60, 120, 180, 240, 300])(
  "a logo whose hue is rotated by %i degrees is found, also as JPEG 60",
  async (hue) => {
    const input = await sharp(file).resize({ height: 40 }).modulate({ hue }).png().toBuffer();
    const page = await sharp({ create: { width: 720, height: 480, channels: 3, background: "#fff" } })
      .composite([{ input, left: 100, top: 30 }])
      .png()
      .toBuffer();
    expect(await scoreIn(page)).toBeGreaterThan(0.85);
    expect(await scoreIn(await jpeg(page, 60))).toBeGreaterThan(0.85);
  },
);
