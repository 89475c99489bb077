/** Laws of transformations: random lists of options, also invalid ones, over every format. */
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { imageLimits } from "../../../../src/engine/images/limits.ts";
import { parseTransformation } from "../../../../src/engine/images/request/parse-transformation.ts";
import { transformOptionNames, transformOptions } from "../../../../src/engine/images/transform/options.ts";
import { type Operation, planOperations } from "../../../../src/engine/images/transform/plan.ts";
import { runs } from "../../../support/runs.ts";
import { transformImage } from "../../../support/transform-image.ts";
import { animation, noisy } from "../pictures.ts";

const size = { width: 23, height: 14 };
const files = [
  await noisy(23, 14).png().toBuffer(),
  await noisy(23, 14).ensureAlpha(0.5).png().toBuffer(),
  await noisy(23, 14).jpeg().toBuffer(),
  await noisy(23, 14).webp().toBuffer(),
  await noisy(23, 14).greyscale().png().toBuffer(),
  await animation(2, 23, 14, "gif"),
  await animation(2, 23, 14, "webp"),
];

const side = fc.integer({ min: 1, max: 60 }).map(String);
const amount = fc.oneof(
  fc.constantFrom("0", "1", "0.3", "2.5", "9"),
  fc.double({ min: 0, max: 12, noNaN: true }).map((n) => n.toFixed(2)),
);
const share = fc.constantFrom("0", "0.5", "1", "0.33");
const words = (...values: string[]) => fc.constantFrom(...values);

/** Texts of each option, written from the specification and not from the table. */
const texts: { readonly [name: string]: fc.Arbitrary<string> } = {
  width: fc.oneof(side, words("auto")),
  w: side,
  height: side,
  h: side,
  dpr: words("1", "2", "0.5", "4"),
  fit: words("scale-down", "contain", "cover", "crop", "pad", "squeeze", "scale-up", "aspect-crop"),
  gravity: fc.oneof(
    words("left", "auto", "face", "entropy", "center"),
    fc.tuple(share, share).map((xy) => xy.join("x")),
  ),
  zoom: share,
  trim: fc.oneof(
    words("border"),
    fc.tuple(side, side, side, side).map((all) => all.join(";")),
  ),
  "trim.width": side,
  "trim.height": side,
  "trim.left": side,
  flip: words("h", "v", "hv"),
  rotate: words("0", "90", "180", "270", "360"),
  background: words("red", "%23fff8", "rgb(1%2C2%2C3)", "transparent"),
  blur: fc.oneof(amount, words("250")),
  sharpen: words("0", "1", "10"),
  brightness: amount,
  contrast: amount,
  gamma: amount,
  saturation: amount,
  quality: words("1", "50", "100", "low", "high"),
  "slow-connection-quality": words("30"),
  format: words("auto", "webp", "jpeg", "baseline-jpeg", "png", "png-force", "json", "svg"),
  metadata: words("copyright", "keep", "none"),
  anim: words("true", "false"),
  compression: words("fast"),
  onerror: words("redirect"),
  wbreakpoints: words("320;768"),
  wmobile: side,
  wdesktop: side,
  segment: words("foreground"),
  upscale: words("interpolate", "generate"),
};

const pair = fc
  .constantFrom(...Object.keys(texts))
  .chain((name) => texts[name]!.map((text) => `${name}=${text}`));
const list = fc.array(pair, { minLength: 1, maxLength: 6 }).map((pairs) => pairs.join(","));

test("the texts cover every option of addresses", () => {
  const names = transformOptionNames.filter((name) =>
    (transformOptions[name].places as readonly string[]).includes("address"),
  );
  expect(names.filter((name) => !(name in texts))).toEqual([]);
});

test("a transformation has the planned size and the promised type, or one of the codes, and never throws", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), list, async (n, text) => {
      const read = parseTransformation(text);
      if (!read.ok) {
        expect(read.problems[0].code).toBe(9401);
        return;
      }
      const { options } = read.value;
      const result = await transformImage(files[n]!, [{ transform: options }], options, {
        accept: "image/webp",
      });
      const planned = planOperations({ ...size, frames: 1 }, [{ transform: options }], imageLimits);
      if ("code" in planned) {
        expect(result).toMatchObject({ ok: false, problems: [{ code: planned.code }] });
        return;
      }
      if (!result.ok) {
        // Frames of an animation may have different borders.
        expect([text, result.problems[0].code]).toEqual([expect.stringContaining("trim=border"), 9401]);
        return;
      }
      expect(result.value.contentType).toMatch(/^(image\/(png|jpeg|webp|gif)|application\/json)$/);
      if (options.trim === undefined || "box" in options.trim) {
        const { width, height } = planned.size;
        expect(result.value).toMatchObject({ width, height });
      }
    }),
    { numRuns: runs(1_000) },
  );
});

/** Files whose pixels are converted before they are written: other channels, depths, profiles, orientations, densities. */
const originals = [
  ...files,
  await noisy(23, 14).jpeg().withMetadata({ orientation: 6, density: 300 }).toBuffer(),
  await noisy(23, 14).greyscale().jpeg().toBuffer(),
  await noisy(23, 14).toColourspace("cmyk").jpeg().toBuffer(),
  await noisy(23, 14).withIccProfile("p3").jpeg().toBuffer(),
  await noisy(23, 14).toColourspace("rgb16").ensureAlpha(0.3).png().toBuffer(),
  await noisy(23, 14).toColourspace("grey16").png().toBuffer(),
  await noisy(23, 14).ensureAlpha(0.5).png({ palette: true }).toBuffer(),
  await noisy(23, 14).ensureAlpha(0.5).webp().toBuffer(),
  await noisy(23, 14).avif().toBuffer(),
];

test("the last operation and the encoding in one pipeline give the pixels of separate ones", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(originals.length - 1), list, async (n, text) => {
      const read = parseTransformation(text);
      fc.pre(read.ok);
      const { options } = read.value;
      const transform = async (...operations: Operation[]) => {
        const result = await transformImage(originals[n]!, operations, options, { accept: "image/webp" });
        if (!result.ok) return result.problems[0].code;
        const { bytes, ...facts } = result.value;
        if (facts.contentType === "application/json") return [facts, Buffer.from(bytes).toString()];
        return [facts, await sharp(bytes, { animated: true }).raw().toBuffer({ resolveWithObject: true })];
      };
      const once = await transform({ transform: options });
      // A second operation begins with the pixels of the first.
      expect(once).toEqual(await transform({ transform: options }, { transform: {} }));
    }),
    { numRuns: runs(500) },
  );
});

test("any text is read or rejected with 9401", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        list.chain((text) => fc.nat(text.length).map((at) => text.slice(at))),
      ),
      (text) => {
        const read = parseTransformation(text);
        expect(read.ok || read.problems[0].code === 9401).toBe(true);
        if (read.ok) for (const warning of read.value.warnings) expect(warning).toMatch(/^[ -~]*$/);
      },
    ),
    { numRuns: runs(4_000) },
  );
});
