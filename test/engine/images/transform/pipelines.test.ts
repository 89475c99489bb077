/** How often a transformation computes pixels: once, unless a later step or the format needs those of an earlier one. */
import { createRequire } from "node:module";
import type sharpModule from "sharp";
import { afterEach, expect, test, vi } from "vitest";
import type { TransformOptions } from "../../../../src/engine/images/transform/options.ts";
import { transformImage } from "../../../support/transform-image.ts";
import { noisy } from "../pictures.ts";

/** The same module as the sources load: `import` would load another one. */
const sharp: typeof sharpModule = createRequire(import.meta.url)("sharp");

const jpeg = await noisy(40, 20).jpeg().toBuffer();
const png = await noisy(40, 20).ensureAlpha(0.5).png().toBuffer();
const red = { r: 255, g: 0, b: 0, alpha: 1 };
const lightRed = { ...red, alpha: 0.5 };
const box = { width: 20, height: 20 };

/** A border of 2 pixels. */
function border(color: typeof red): TransformOptions {
  return { border: { color, top: 2, right: 2, bottom: 2, left: 2 } };
}

const cases: readonly (readonly [string, number, Uint8Array, TransformOptions])[] = [
  ["the format alone", 1, jpeg, { format: "webp" }],
  ["a resized JPEG, as JPEG", 1, jpeg, { ...box, fit: "cover", format: "jpeg" }],
  ["a resized JPEG, as WebP", 1, jpeg, { width: 20, format: "webp" }],
  ["a resized JPEG, as PNG if it had transparency", 1, jpeg, { width: 20, format: "png" }],
  ["a resized PNG, as PNG", 1, png, { width: 20 }],
  ["a resized PNG, as WebP", 1, png, { width: 20, format: "webp" }],
  ["a turned JPEG", 1, jpeg, { rotate: 90, format: "webp" }],
  ["an opaque border", 1, jpeg, { ...border(red), format: "jpeg" }],
  ["a transparent border that JPEG loses", 2, jpeg, { ...border(lightRed), format: "jpeg" }],
  ["transparent padding that JPEG loses", 2, jpeg, { ...box, fit: "pad", background: lightRed }],
  ["transparency that JPEG loses", 2, png, { width: 20, format: "jpeg" }],
  ["a format that transparency decides", 2, png, { width: 20, format: "png" }],
  [
    "a size that only the pixels tell",
    2,
    jpeg,
    { trim: { border: { tolerance: 10, keep: 0 } }, format: "webp" },
  ],
  ["a quarter turn with a resize", 1, jpeg, { rotate: 90, width: 10, format: "webp" }],
];

afterEach(() => {
  vi.restoreAllMocks();
});

test.for(cases)("%s: pixels are computed %i times", async ([, times, bytes, options]) => {
  const toBuffer = vi.spyOn(sharp.prototype, "toBuffer");
  const result = await transformImage(bytes, [{ transform: options }], options);
  expect(result).toMatchObject({ ok: true, value: { transformed: true } });
  expect(toBuffer).toHaveBeenCalledTimes(times);
});
