/** Transformations of images: sizes of the specification's examples, and where pixels go. */
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { imageLimits } from "../../../../src/engine/images/limits.ts";
import { cropAround, planBox } from "../../../../src/engine/images/render/geometry.ts";
import { parseTransformation } from "../../../../src/engine/images/request/parse-transformation.ts";
import type { OverlayPlacement } from "../../../../src/engine/images/transform/overlays.ts";
import type { Operation } from "../../../../src/engine/images/transform/plan.ts";
import { readOptionObject } from "../../../../src/engine/images/transform/read-options.ts";
import { toneOf, toneTable } from "../../../../src/engine/images/transform/tones.ts";
import { runs } from "../../../support/runs.ts";
import { transformImage } from "../../../support/transform-image.ts";
import { animation, pixelAt, plain, quarters } from "../pictures.ts";

const picture = await quarters(40, 20);
const [red, green, blue, white] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];

function optionsOf(list: string) {
  const read = parseTransformation(list);
  if (!read.ok) throw new Error(read.problems[0].message);
  return read.value.options;
}

async function transform(list: string, bytes: Uint8Array = picture, accept?: string) {
  const options = optionsOf(list);
  const result = await transformImage(bytes, [{ transform: options }], options, { accept });
  if (!result.ok) throw new Error(`${result.problems[0].code} ${result.problems[0].message}`);
  return result.value;
}

/** The colors of the four corners: left top, right top, left bottom, right bottom. */
async function corners(bytes: Uint8Array, width: number, height: number) {
  const at = [
    [0, 0],
    [width - 1, 0],
    [0, height - 1],
    [width - 1, height - 1],
  ] as const;
  return Promise.all(at.map(([x, y]) => pixelAt(bytes, x, y)));
}

describe("sizes of examples of the specification", () => {
  const box = (fit: "aspect-crop" | "squeeze" | "scale-up", width: number, height: number) => ({
    fit,
    width,
    height,
  });
  test("aspect-crop never enlarges: 612 x 613 to 1920 x 1120 is 612 x 357", () => {
    expect(planBox({ width: 612, height: 613 }, box("aspect-crop", 1920, 1120)).output).toEqual({
      width: 612,
      height: 357,
    });
    expect(planBox({ width: 4000, height: 2000 }, box("aspect-crop", 100, 100)).output).toEqual({
      width: 100,
      height: 100,
    });
  });
  test("squeeze is exactly the box, scale-up never reduces", () => {
    const resized = (width?: number, height?: number) =>
      planBox({ width: 50, height: 20 }, { fit: "scale-up", width, height }).output;
    // A side that the image exceeds alone leaves it unchanged too.
    expect([resized(30), resized(undefined, 10), resized(100), resized(undefined, 40)]).toEqual([
      { width: 50, height: 20 },
      { width: 50, height: 20 },
      { width: 100, height: 40 },
      { width: 100, height: 40 },
    ]);
    expect(planBox({ width: 9, height: 50 }, box("squeeze", 30, 20)).output).toEqual({
      width: 30,
      height: 20,
    });
    expect(planBox({ width: 10, height: 5 }, box("scale-up", 30, 30)).output).toEqual({
      width: 30,
      height: 15,
    });
    expect(planBox({ width: 50, height: 5 }, box("scale-up", 30, 30)).output).toEqual({
      width: 50,
      height: 5,
    });
  });
  test("a crop of 300 of 900 pixels at 0.33 begins at 198, with the box centered at 147", () => {
    const plan = planBox({ width: 900, height: 300 }, { fit: "cover", width: 300, height: 300 });
    const leftOf = (mode: "remainder" | "box-center") =>
      cropAround({ width: 900, height: 300 }, plan, { x: 0.33, y: 0.5, mode }).part.left;
    expect([leftOf("remainder"), leftOf("box-center")]).toEqual([198, 147]);
  });
  test("a factor above 3 counts as 3, with a warning", async () => {
    expect(await transform("w=10,dpr=4,f=png-force")).toMatchObject({
      width: 30,
      height: 15,
      warnings: ["dpr > 3 should never be used"],
    });
  });
});

describe("pixels", () => {
  test.each([
    ["flip=h", [green, red, white, blue]],
    ["flip=v", [blue, white, red, green]],
    ["flip=hv", [white, blue, green, red]],
    ["rotate=90", [blue, red, white, green]],
    ["rotate=180", [white, blue, green, red]],
    ["rotate=270", [green, white, red, blue]],
    // Flipped, then rotated.
    ["flip=h,rotate=90", [white, green, blue, red]],
    ["trim=0;20;0;0", [red, red, blue, blue]],
    ["trim.left=0.5,trim.top=0.5,trim.width=5,trim.height=5", [white, white, white, white]],
    ["w=10,h=20,fit=cover,g=left", [red, red, blue, blue]],
    ["w=10,h=20,fit=cover,g=1x0.5", [green, green, white, white]],
    ["w=40,h=5,fit=aspect-crop,g=bottom", [blue, white, blue, white]],
  ])("%s", async (list, expected) => {
    const { bytes, width, height } = await transform(`${list},f=png-force`);
    expect(await corners(bytes, width, height)).toEqual(expected);
  });

  test("saturation 0 is the luminance of BT.709, brightness multiplies", async () => {
    const grey = await transform("saturation=0,f=png-force");
    expect(await pixelAt(grey.bytes, 0, 0)).toEqual([54, 54, 54]);
    expect(toneTable({ brightness: 2 })[200]).toBe(255);
    expect(toneTable({ contrast: 2 })[128]).toBe(128);
    expect(toneTable({ contrast: 2 })[100]).toBe(72);
    expect(toneTable({ gamma: 0.5 })[64]).toBe(128);
    expect(toneOf({ gamma: 0, brightness: 0, contrast: 1 })).toBe(undefined);
  });

  test("tones are those of the table, whether the library computes them or not", async () => {
    const all = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i % 4 === 3 ? 255 - (i >> 2) : i >> 2));
    const source = await sharp(all, { raw: { width: 256, height: 1, channels: 4 } })
      .png()
      .toBuffer();
    const factor = fc.constantFrom(0, 0.1, 0.5, 0.9, 1, 1.5, 2, 3.3, 20, 255);
    const seen = { line: 0, table: 0 };
    await fc.assert(
      fc.asyncProperty(
        factor,
        factor,
        fc.constantFrom(1, 1, 0.4, 2.2),
        async (brightness, contrast, gamma) => {
          const options = { brightness, contrast, gamma };
          const tone = toneOf(options);
          if (tone) seen["line" in tone ? "line" : "table"]++;
          const result = await transformImage(source, [{ transform: options }], { format: "rgba" });
          if (!result.ok) throw new Error(result.problems[0].message);
          const table = toneTable(options);
          for (const [i, value] of result.value.bytes.entries()) {
            const wanted = i % 4 === 3 ? all[i]! : table[all[i]!]!;
            expect([i, Math.abs(value - wanted) <= (tone && "line" in tone ? 1 : 0)]).toEqual([i, true]);
          }
        },
      ),
      { numRuns: runs(500, 150) },
    );
    expect(Math.min(seen.line, seen.table)).toBeGreaterThanOrEqual(20);
  });

  test("a large blur keeps the size and the mean", async () => {
    const { bytes, width, height } = await transform(
      "blur=250,f=png-force",
      await plain(50, 30).png().toBuffer(),
    );
    expect([width, height, await pixelAt(bytes, 25, 15)]).toEqual([50, 30, [130, 40, 70]]);
  });

  test("a searched border is cut off, and some of it kept", async () => {
    const bordered = await sharp(picture)
      .extend({ top: 7, left: 9, right: 3, bottom: 1, background: "#123456" })
      .png()
      .toBuffer();
    expect(await transform("trim=border,f=png-force", bordered)).toMatchObject({ width: 40, height: 20 });
    expect(await transform("trim=border,w=20,f=png-force", bordered)).toMatchObject({
      width: 20,
      height: 10,
    });
  });

  test("a transparent background stays transparent around a padded image, another one is under its pixels", async () => {
    const channels = async (list: string) => (await sharp((await transform(list)).bytes).metadata()).channels;
    expect(await channels("w=8,h=8,fit=pad,background=transparent,f=png-force")).toBe(4);
    expect(await channels("w=8,h=8,fit=pad,background=red,f=png-force")).toBe(3);
  });
});

describe("formats", () => {
  test.each([
    ["w=4", "image/png", []],
    ["f=webp", "image/webp", []],
    ["f=png", "image/jpeg", ["JPEG vs PNG selection is automatic"]],
    ["f=png-force", "image/png", []],
    ["f=auto", "image/webp", []],
    ["w=2000,fit=contain,f=avif", "image/webp", ["image too large for AVIF"]],
    ["w=1600,fit=contain,f=avif", "image/avif", []],
    ["compression=fast", "image/jpeg", []],
  ])("%s is %s", async (list, contentType, warnings) => {
    expect(await transform(list, picture, "image/webp")).toMatchObject({ contentType, warnings });
  });

  test("a JPEG is progressive from 2,500 pixels, and never as baseline-jpeg", async () => {
    const isProgressive = async (list: string) =>
      (await sharp((await transform(list)).bytes).metadata()).isProgressive === true;
    expect(
      await Promise.all(
        ["f=jpeg", "w=200,fit=contain,f=jpeg", "w=200,fit=contain,f=baseline-jpeg"].map(isProgressive),
      ),
    ).toEqual([false, true, false]);
  });

  test("json describes the output and the original", async () => {
    const { bytes, contentType } = await transform("w=10,f=json");
    expect([contentType, JSON.parse(Buffer.from(bytes).toString())]).toEqual([
      "application/json",
      {
        width: 10,
        height: 5,
        original: { file_size: picture.length, width: 40, height: 20, format: "image/png" },
      },
    ]);
  });

  test("an animation keeps its frames in every step, and has one with anim=false", async () => {
    const film = await animation(3, 20, 10, "gif");
    expect(await transform("rotate=90,w=5,brightness=2", film)).toMatchObject({
      width: 5,
      height: 10,
      frames: 3,
    });
    expect(await transform("w=5,anim=false", film)).toMatchObject({ frames: 1 });
    const { bytes } = await transform("flip=v,f=webp", film);
    const frame = await sharp(bytes, { page: 2 }).removeAlpha().raw().toBuffer();
    expect(frame[0]).toBeGreaterThan(60);
  });
});

describe("what is not simulated is said", () => {
  test.each([
    ["face-zoom=0.5", "zoom is not simulated"],
    ["gravity=face", "gravity=face is not simulated"],
    ["segment=foreground", "segment is not simulated"],
    ["upscale=generate", "upscale=generate is not simulated"],
    ["w=5,fit=cover", "cover fit mode needs both width and height"],
  ])("%s", async (list, warning) => {
    expect((await transform(list)).warnings).toEqual([warning]);
  });
});

describe("what is too large is rejected before a pixel is decoded", () => {
  test.each([
    ["w=12000,h=12000,fit=squeeze", 9413],
    // The size that a searched border leaves is known late: the bound holds then too.
    ["trim=border,w=2000,fit=contain", 9413],
    ["trim=20;0;0;0", 9401],
  ])("%s", async (list, code) => {
    const options = optionsOf(list);
    const wide = await sharp(await plain(2, 30).png().toBuffer())
      .extend({ left: 99, right: 99, background: "red" })
      .png()
      .toBuffer();
    const source = code === 9401 ? picture : wide;
    const result = await transformImage(source, [{ transform: options }], options);
    expect(result.ok ? undefined : result.problems[0].code).toBe(code);
  });

  test("an animation counts all frames", async () => {
    const options = optionsOf("w=3000,h=3000,fit=squeeze");
    const film = await animation(6, 20, 10, "gif");
    const result = await transformImage(film, [{ transform: options }], options, { limits: imageLimits });
    expect(result.ok ? undefined : result.problems[0].code).toBe(9413);
  });
});

/** Written from the definitions: colors and opacities of 0 to 1, premultiplied. */
const expected = (mode: string, a: readonly number[], b: readonly number[]): number[] => {
  const [as, ab] = [a[3]!, b[3]!];
  const shares: Record<string, [number, number]> = {
    over: [1, 1 - as],
    atop: [ab, 1 - as],
    in: [ab, 0],
    out: [1 - ab, 0],
    xor: [1 - ab, 1 - as],
    lighter: [1, 1],
  };
  const [fa, fb] = shares[mode]!;
  const alpha = Math.min(1, as * fa + ab * fb);
  const premultiplied = [0, 1, 2].map((i) => Math.min(1, a[i]! * as * fa + b[i]! * ab * fb));
  return [...premultiplied.map((value) => (alpha === 0 ? 0 : Math.min(1, value / alpha))), alpha];
};

/** Whether a pixel is another one: the library computes in single precision, and cuts fractions off. */
function differs(found: readonly number[], wanted: readonly number[]): boolean {
  const seen = wanted[3]! < 1e-9 ? [3] : [0, 1, 2, 3];
  return seen.some((i) => Math.abs(found[i]! - wanted[i]!) >= 1.001);
}

describe("overlays", () => {
  const spot = plain(2, 2, [1, 2, 3]).png().toBuffer();
  async function draw(placement: OverlayPlacement, operations: readonly Operation[] = []) {
    const overlay = { bytes: await spot, operations, placement };
    const result = await transformImage(await plain(7, 5).png().toBuffer(), [{ draw: overlay }], {});
    if (!result.ok) throw new Error(result.problems[0].message);
    const { data, info } = await sharp(result.value.bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rows = Array.from({ length: info.height }, (_, y) =>
      Array.from({ length: info.width }, (_, x) => {
        const at = (y * info.width + x) * 4;
        return data[at + 3] === 0 ? " " : data[at] === 1 ? "x" : data[at] === 130 ? "." : "+";
      }).join(""),
    );
    return rows;
  }

  test.each<[string, OverlayPlacement, string[]]>([
    ["is centered", {}, [".......", "..xx...", "..xx...", ".......", "......."]],
    [
      "has distances from sides",
      { right: 1, bottom: 0 },
      [".......", ".......", ".......", "....xx.", "....xx."],
    ],
    [
      "is repeated along an axis",
      { top: 1, repeat: "x" },
      [".......", "xxxxxxx", "xxxxxxx", ".......", "......."],
    ],
    ["is cut off at the sides", { top: 4, left: 6 }, [".......", ".......", ".......", ".......", "......x"]],
    [
      "is mixed by its opacity",
      { top: 0, left: 0, opacity: 0.5 },
      ["++.....", "++.....", ".......", ".......", "......."],
    ],
    // Only the box of the overlay changes.
    [
      "clears only its box",
      { top: 0, left: 0, composite: "xor" },
      ["  .....", "  .....", ".......", ".......", "......."],
    ],
  ])("%s", async (_, placement, rows) => {
    expect(await draw(placement)).toEqual(rows);
  });

  test("covers the image when repeated along both axes, and has operations of its own", async () => {
    const grown = { transform: optionsOf("w=3,fit=contain") };
    expect(await draw({ repeat: true }, [grown])).toEqual(Array(5).fill("xxxxxxx"));
    expect((await draw({ top: 0, left: 0 }, [grown]))[2]).toBe("xxx....");
  });

  test("is repeated from its own place, in every mode, and nothing else changes", async () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) });
    const placement = fc.record(
      {
        repeat: fc.constantFrom(true, "x", "y"),
        top: fc.nat(12),
        left: fc.nat(12),
        opacity: fc.constantFrom(0.3, 1),
        composite: fc.constantFrom("over", "atop", "in", "out", "xor", "lighter"),
      },
      { requiredKeys: ["composite"] },
    ) as fc.Arbitrary<OverlayPlacement>;
    const png = (values: Uint8Array, { width, height }: { width: number; height: number }) =>
      sharp(values, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer();
    const random = (length: number, seed: number) =>
      Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed, 2_654_435_761) >>> 13) & 255);
    await fc.assert(
      fc.asyncProperty(size, size, placement, fc.nat(), async (whole, part, given, seed) => {
        const below = random(whole.width * whole.height * 4, seed);
        const above = random(part.width * part.height * 4, seed + 99);
        const { left, top, opacity = 1 } = given;
        const draw = { bytes: await png(above, part), operations: [], placement: given };
        const result = await transformImage(await png(below, whole), [{ draw }], { format: "rgba" });
        if (!result.ok) throw new Error(result.problems[0].message);
        const start = {
          x: left ?? Math.floor((whole.width - part.width) / 2),
          y: top ?? Math.floor((whole.height - part.height) / 2),
        };
        for (let y = 0; y < whole.height; y++)
          for (let x = 0; x < whole.width; x++) {
            const [dx, dy] = [x - start.x, y - start.y];
            const isIn = (d: number, length: number, axis: string) =>
              given.repeat === true || given.repeat === axis || (d >= 0 && d < length);
            const at = (y * whole.width + x) * 4;
            const found = [...result.value.bytes.subarray(at, at + 4)];
            const under = [...below.subarray(at, at + 4)];
            if (!isIn(dx, part.width, "x") || !isIn(dy, part.height, "y")) {
              expect(found).toEqual(under);
              continue;
            }
            const wrap = (d: number, length: number) => ((d % length) + length) % length;
            const from = (wrap(dy, part.height) * part.width + wrap(dx, part.width)) * 4;
            const over = [...above.subarray(from, from + 3), Math.round(above[from + 3]! * opacity)];
            const share = (values: readonly number[]) => values.map((value) => value / 255);
            const wanted = expected(given.composite!, share(over), share(under)).map((value) => value * 255);
            expect([given, found, differs(found, wanted)]).toEqual([given, found, false]);
          }
      }),
      { numRuns: runs(500, 100) },
    );
  });

  test("an SVG is rejected as an overlay", async () => {
    const overlay = {
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      operations: [],
      placement: {},
    };
    const result = await transformImage(picture, [{ draw: overlay }], {});
    expect(result.ok ? undefined : result.problems[0].code).toBe(9412);
  });
});

describe("trim", () => {
  const trimmed = async (trim: object) => {
    const read = readOptionObject({ trim }, "binding");
    if (!read.ok) return read.problems[0].code;
    const [transform] = [read.value.options];
    const result = await transformImage(picture, [{ transform }], { format: "png-force" });
    if (!result.ok) return result.problems[0].message;
    const { bytes, width, height } = result.value;
    return [width, height, (await corners(bytes, width, height)).map((color) => colors.get(String(color)))];
  };
  const colors = new Map([red, green, blue, white].map((color, i) => [String(color), "rgbw"[i]]));

  test.each([
    [
      "all six that agree",
      { top: 0, right: 10, bottom: 5, left: 5, width: 25, height: 15 },
      [25, 15, ["r", "g", "b", "w"]],
    ],
    ["a width from the left", { left: 20, width: 8 }, [8, 20, ["g", "g", "w", "w"]]],
    ["a width from the right", { right: 20, width: 8 }, [8, 20, ["r", "r", "b", "b"]]],
    ["a width alone", { width: 8 }, [8, 20, ["r", "r", "b", "b"]]],
    ["a height from the bottom", { bottom: 0, height: 0.25 }, [40, 5, ["b", "w", "b", "w"]]],
    ["an edge alone", { top: 10 }, [40, 10, ["b", "w", "b", "w"]]],
    ["no border", { border: false }, [40, 20, ["r", "g", "b", "w"]]],
    ["no border and an edge", { border: false, left: 20 }, [20, 20, ["g", "g", "w", "w"]]],
    ["a width of more than there is", { left: 30, width: 99 }, [10, 20, ["g", "g", "w", "w"]]],
  ])("%s", async (_, trim, expected) => {
    expect(await trimmed(trim)).toEqual(expected);
  });

  test("a width that contradicts the edges is rejected with their message", async () => {
    expect(await trimmed({ left: 5, right: 5, width: 10 })).toMatch(
      /width and a height that its edges leave/,
    );
    expect(await trimmed({ top: 5, bottom: 5, height: 0.9 })).toMatch(
      /width and a height that its edges leave/,
    );
    expect(await trimmed({ left: 40 })).toMatch(/must leave a part/);
    expect(await trimmed({})).toBe(9401);
    expect(await trimmed({ border: true, left: 1 })).toBe(9401);
    expect(await transform("trim.border=false,trim.left=20,f=png-force")).toMatchObject({ width: 20 });
  });
});

describe("metadata in JPEG", () => {
  test.each(["png", "webp", "avif"] as const)(
    "is that of a %s by `keep`, `copyright` and `none`",
    async (type) => {
      const exif = { IFD0: { Copyright: "Ada", Artist: "Grace" } };
      const source = await plain(20, 10).toFormat(type).withExif(exif).toBuffer();
      const kept = async (metadata: string) => {
        const text = Buffer.from((await transform(`f=jpeg,metadata=${metadata}`, source)).bytes).toString(
          "latin1",
        );
        return [text.includes("Ada"), text.includes("Grace")];
      };
      expect(await Promise.all(["keep", "copyright", "none"].map(kept))).toEqual([
        [true, true],
        [true, false],
        [false, false],
      ]);
    },
  );
});

describe("compositions are those of Porter and Duff", () => {
  const level = fc.integer({ min: 0, max: 255 });
  const pixel = fc.tuple(level, level, level, level);

  test("of any two pixels, in every mode", async () => {
    const mode = fc.constantFrom("over", "atop", "in", "out", "xor", "lighter" as const);
    await fc.assert(
      fc.asyncProperty(mode, pixel, pixel, async (composite, above, below) => {
        const of = (values: readonly number[]) =>
          sharp(Buffer.from(values), { raw: { width: 1, height: 1, channels: 4 } })
            .png()
            .toBuffer();
        const draw = {
          bytes: await of(above),
          operations: [],
          placement: { composite: composite as "over" },
        };
        const result = await transformImage(await of(below), [{ draw }], { format: "rgba" });
        if (!result.ok) throw new Error(result.problems[0].message);
        const share = (values: readonly number[]) => values.map((value) => value / 255);
        const wanted = expected(composite, share(above), share(below)).map((value) => value * 255);
        const found = [...result.value.bytes];
        expect([composite, found, differs(found, wanted)]).toEqual([composite, found, false]);
      }),
      { numRuns: 300 },
    );
  });
});
