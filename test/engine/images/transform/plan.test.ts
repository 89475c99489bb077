/** One plan bounds the source, each step and the output; a twin that runs one step a pipeline has the same pixels. */
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { imageLimits } from "../../../../src/engine/images/limits.ts";
import { parseTransformation } from "../../../../src/engine/images/request/parse-transformation.ts";
import {
  type Operation,
  openOperations,
  planOperations,
} from "../../../../src/engine/images/transform/plan.ts";
import { planImage } from "../../../../src/engine/images/transform/transform-image.ts";
import { runs } from "../../../support/runs.ts";
import { transformImage } from "../../../support/transform-image.ts";
import { animation, blackLines, pixelAt, plain, pngOf, quarters } from "../pictures.ts";

function transform(list: string): Operation {
  const read = parseTransformation(list);
  if (!read.ok) throw new Error(read.problems[0].message);
  return { transform: read.value.options };
}

/** 30 megapixels: more than an output may have, less than a source may have. */
const large = pngOf(6_000, 5_000, blackLines(6_000, 5_000));

async function outcome(bytes: Uint8Array, operations: readonly Operation[]) {
  const result = await transformImage(bytes, operations, { format: "png-force" });
  return result.ok ? `${result.value.width}x${result.value.height}` : result.problems[0].code;
}

describe("the output is bounded, the steps before it only as a source is", () => {
  test.each([
    ["rotate=90,w=400", "400x480"],
    ["flip=h,w=400", "400x333"],
    ["trim=10;10;10;10,w=400", "400x333"],
    ["trim=1;0;1000;1000,h=400", "500x400"],
    ["rotate=90", 9413],
    ["w=6000", 9413],
  ])("of 30 megapixels %s is %s", async (list, expected) => {
    expect(await outcome(large, [transform(list)])).toBe(expected);
  });

  test("a border is searched in more pixels than an output may have", async () => {
    const bordered = await sharp({ create: { width: 6_000, height: 5_000, channels: 3, background: "red" } })
      .composite([{ input: await plain(100, 50, [0, 0, 0]).png().toBuffer(), left: 70, top: 60 }])
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(await outcome(bordered, [transform("trim=border")])).toBe("100x50");
  });

  test.each([
    [
      "of a still image",
      1,
      "w=12000,h=12000,fit=squeeze",
      "at most 100000000 pixels in each step; found 12000 x 12000",
    ],
    ["of all frames", 30, "w=2000,h=2000,fit=squeeze", "found 2000 x 2000 in 30 frames"],
  ])(
    "a step %s has at most the pixels of a source, also when the output is small",
    (_, frames, list, message) => {
      const operations = [transform(list), transform("w=10,h=10")] as { transform: object }[];
      const plan = planOperations({ width: 20, height: 20, frames }, operations, imageLimits);
      expect(plan).toMatchObject({ code: 9413, message: expect.stringContaining(message) });
    },
  );
});

describe("overlays", () => {
  const drawn = (bytes: Uint8Array, ...operations: Operation[]): Operation => ({
    draw: { bytes, operations, placement: {} },
  });
  test("an overlay has at most the pixels of an output when it is drawn, and those of a source before", async () => {
    const base = await plain(20, 10).png().toBuffer();
    expect(await outcome(base, [drawn(large)])).toBe(9413);
    expect(await outcome(base, [drawn(large, transform("w=6"))])).toBe("20x10");
    const small = { inputPixels: 1_000_000 };
    const result = await transformImage(base, [drawn(large)], {}, { limits: small });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 9413 }] });
  });

  test("several overlays need the memory of the largest, because one is decoded at a time", async () => {
    const base = await plain(20, 10).png().toBuffer();
    const three = Array.from({ length: 3 }, () => drawn(large, transform("w=6")));
    const planned = await planImage(base, three, {});
    expect(planned).toMatchObject({ ok: true, value: { pixels: 200 + 30_000_000 } });
    const result = await planImage(base, three.slice(1), {});
    expect(result).toMatchObject({ ok: true, value: { pixels: 200 + 30_000_000 } });
  });

  test("an overlay of any file has the codes of the binding", async () => {
    const base = await plain(20, 10).png().toBuffer();
    expect(await outcome(base, [drawn(Buffer.from("<html>"))])).toBe(9412);
    expect(await outcome(base, [drawn(Buffer.from([0x49, 0x49, 0x2a, 0, 1, 2, 3, 4]))])).toBe(9412);
    expect(await outcome(base, [drawn((await plain(9, 9).jpeg().toBuffer()).subarray(0, 20))])).toBe(9516);
  });
});

test("the memory of a plan is that of its largest size, over all frames", async () => {
  const film = await animation(3, 20, 10, "gif");
  const pixelsOf = async (bytes: Uint8Array, ...lists: string[]) => {
    const planned = await planImage(bytes, lists.map(transform), {});
    return planned.ok && planned.value.pixels;
  };
  expect(await pixelsOf(film, "w=10")).toBe(600);
  expect(await pixelsOf(film, "w=40,fit=contain", "w=10")).toBe(40 * 20 * 3);
  expect(await pixelsOf(await plain(20, 10).png().toBuffer(), "w=5")).toBe(200);
});

test("a blur of an animation does not mix its frames", async () => {
  const film = await animation(2, 20, 20, "webp");
  const result = await transformImage(film, [{ transform: { blur: 9 } }], {});
  if (!result.ok) throw new Error(result.problems[0].message);
  const still = await sharp(film, { page: 0 }).removeAlpha().raw().toBuffer();
  expect(await pixelAt(result.value.bytes, 10, 19)).toEqual([...still.subarray(0, 3)]);
});

test("a large blur keeps the colors of translucent pixels", async () => {
  const translucent = await plain(60, 40, [200, 100, 50]).ensureAlpha(0.5).png().toBuffer();
  const result = await transformImage(translucent, [{ transform: { width: 30, blur: 100 } }], {});
  if (!result.ok) throw new Error(result.problems[0].message);
  const color = await pixelAt(result.value.bytes, 15, 10);
  expect(color.map((value, i) => Math.abs(value - [200, 100, 50][i]!) <= 10)).toEqual([true, true, true]);
});

const geometry = fc
  .record(
    {
      trim: fc.constantFrom("0;0;0;0", "4;0;0;12", "0;20;10;0"),
      flip: fc.constantFrom("h", "v", "hv"),
      rotate: fc.constantFrom("90", "180", "270"),
      w: fc.constantFrom("10", "20", "30"),
      h: fc.constantFrom("10", "20"),
      fit: fc.constantFrom("cover", "squeeze", "pad", "crop", "contain", "aspect-crop"),
      gravity: fc.constantFrom("left", "bottom", "center", "0x1"),
      background: fc.constantFrom("blue", "white"),
    },
    { requiredKeys: [] },
  )
  .map((record) => Object.entries(record));

test("trim, flip, rotation and resize in one pipeline have the pixels of one pipeline each", async () => {
  const picture = await quarters(80, 40);
  await fc.assert(
    fc.asyncProperty(geometry, async (entries) => {
      const textOf = (...names: string[]) =>
        entries
          .filter(([name]) => names.includes(name))
          .map((pair) => pair.join("="))
          .join(",");
      const groups = [["trim"], ["flip"], ["rotate"], ["w", "h", "fit", "gravity", "background"]];
      const separate = groups.map((names) => textOf(...names)).filter((text) => text !== "");
      fc.pre(separate.length > 0);
      // A step that changes a color and the next one back forces pixels between the others.
      const barrier = { transform: { contrast: 1.000001 } };
      const [once, twin] = await Promise.all([
        transformImage(picture, [transform(separate.join(","))], { format: "png-force" }),
        transformImage(
          picture,
          separate.flatMap((text) => [transform(text), barrier]),
          { format: "png-force" },
        ),
      ]);
      if (!once.ok || !twin.ok) throw new Error("rejected");
      const [a, b] = await Promise.all(
        [once, twin].map(({ value }) =>
          sharp(value.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
        ),
      );
      expect([a!.info.width, a!.info.height]).toEqual([b!.info.width, b!.info.height]);
      // The library's reduction is not symmetric: edges between the quarters move by less than a pixel.
      const wrong = a!.data.filter((value, i) => Math.abs(value - b!.data[i]!) > 140).length;
      expect(wrong / a!.data.length).toBeLessThan(0.12);
    }),
    { numRuns: runs(300) },
  );
});

test("overlays are nested at most 8 levels deep", async () => {
  const bytes = await plain(4, 4).png().toBuffer();
  const nested = (depth: number): Operation[] =>
    depth === 0 ? [] : [{ draw: { bytes, operations: nested(depth - 1), placement: {} } }];
  expect(await openOperations(nested(8), imageLimits)).toHaveLength(1);
  expect(await openOperations(nested(9), imageLimits)).toMatchObject({ code: 9401 });
});
