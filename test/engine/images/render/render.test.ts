import { deflateSync } from "node:zlib";
import {
  type Fit,
  type RenderContext,
  renderBase,
  renderVariant,
  type VariantOptions,
} from "edgeproof/images";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import {
  animation,
  blackLines,
  colorProfile,
  deepPng,
  exifBlock,
  isNear,
  jpegWithExif,
  noisy,
  orientationEntry,
  pixelAt,
  plain,
  pngChunk,
  pngOf,
  quarterColors,
  quarters,
  textEntry,
} from "../pictures.ts";

/** A rendering that must succeed, checked against what sharp reads of its bytes. */
async function render(bytes: Uint8Array, options: VariantOptions, context?: RenderContext) {
  const result = await renderVariant(bytes, options, context);
  if (!result.ok) throw new Error(`${result.problems[0].code} ${result.problems[0].message}`);
  const rendering = result.value;
  const read = await sharp(rendering.bytes, { animated: rendering.frames > 1 }).metadata();
  expect({ width: read.width, height: read.pageHeight ?? read.height }).toEqual({
    width: rendering.width,
    height: rendering.height,
  });
  return { ...rendering, format: rendering.contentType.slice("image/".length) };
}

async function codeOf(bytes: Uint8Array, options: VariantOptions, context?: RenderContext) {
  const rendering = await renderVariant(bytes, options, context);
  return rendering.ok ? undefined : rendering.problems[0].code;
}

const photo = await plain(1080, 720).jpeg().toBuffer();
const small = { width: 8, height: 8 };

describe("renderVariant produces the size", () => {
  const figures: [Fit, number, number, string][] = [
    ["scale-down", 500, 500, "500x333"],
    ["cover", 500, 500, "500x500"],
    ["scale-down", 2000, 2000, "1080x720"],
    ["contain", 2000, 2000, "2000x1333"],
    ["crop", 1296, 1296, "1080x720"],
    ["crop", 1296, 500, "1080x500"],
    ["crop", 300, 1000, "300x720"],
    ["pad", 500, 600, "500x600"],
    ["pad", 1, 12_000, "1x12000"],
    ["cover", 12_000, 1, "12000x1"],
  ];
  test.each(figures)("%s to %ix%i", async (fit, width, height, size) => {
    const rendering = await render(photo, { fit, width, height, metadata: "none" });
    expect(`${rendering.width}x${rendering.height}`).toBe(size);
  });

  test("of a single side, with half a pixel rounded up", async () => {
    const png = await plain(100, 50).png().toBuffer();
    expect(await render(png, { width: 33 })).toMatchObject({ width: 33, height: 17, transformed: true });
  });

  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)("of odd sizes from %s", async (format) => {
    const bytes = await noisy(101, 67)
      .toFormat(format, { effort: format === "avif" ? 0 : 1 })
      .toBuffer();
    for (const fit of ["scale-down", "contain", "cover", "crop", "pad"] as const) {
      for (const [width, height] of [
        [13, 50],
        [50, 13],
        [101, 67],
        [7, 200],
        [203, 5],
      ] as const) {
        await render(bytes, { fit, width, height });
      }
    }
  });
});

describe("renderVariant positions the pixels", () => {
  const [red, green, blue, white] = quarterColors;

  test("cover crops both ends evenly", async () => {
    const { bytes } = await render(await quarters(200, 100), { fit: "cover", width: 50, height: 50 });
    expect(await pixelAt(bytes, 10, 10)).toEqual(red);
    expect(await pixelAt(bytes, 40, 10)).toEqual(green);
    expect(await pixelAt(bytes, 10, 40)).toEqual(blue);
    expect(await pixelAt(bytes, 40, 40)).toEqual(white);
  });

  test("pad centers on white", async () => {
    const { bytes } = await render(await plain(100, 50).png().toBuffer(), {
      fit: "pad",
      width: 40,
      height: 40,
    });
    const rows = await Promise.all([0, 9, 10, 29, 30, 39].map((y) => pixelAt(bytes, 20, y)));
    const picture = [130, 40, 70];
    const paper = [255, 255, 255];
    expect(rows).toEqual([paper, paper, picture, picture, paper, paper]);
  });

  test.each([1, 2])("a GIF of %i frames gets colors that its palette does not have", async (frames) => {
    const stripes = await sharp(Buffer.from([255, 0, 0, 0, 0, 255]), {
      raw: { width: 2, height: 1, channels: 3 },
    })
      .resize(64, 1, { fit: "fill", kernel: "nearest" })
      .resize(64, 64, { fit: "fill" })
      .png()
      .toBuffer();
    const other = await plain(64, 64, [255, 0, 0]).png().toBuffer();
    const source = frames === 1 ? sharp(stripes) : sharp([stripes, other], { join: { animated: true } });
    const gif = await source.gif({ colours: 2, dither: 0 }).toBuffer();
    const { bytes } = await render(gif, { fit: "pad", width: 21, height: 31 });
    expect(await pixelAt(bytes, 10, 1)).toEqual([255, 255, 255]);
    expect(isNear(await pixelAt(bytes, 10, 15), [128, 0, 128])).toBe(true);
  });

  test("pad is white also for an image with transparency", async () => {
    const glass = await sharp({ create: { width: 50, height: 20, channels: 4, background: "#0000" } })
      .png()
      .toBuffer();
    const { bytes } = await render(glass, { fit: "pad", width: 20, height: 20 });
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect(data[(10 * 20 + 10) * 4 + 3]).toBe(0);
  });

  /** Stored pixels that each orientation displays with red top left, green top right, blue bottom left. */
  const stored: Record<number, (picture: Sharp) => Sharp> = {
    1: (picture) => picture,
    2: (picture) => picture.flop(),
    3: (picture) => picture.rotate(180),
    4: (picture) => picture.flip(),
    5: (picture) => picture.rotate(90).flop(),
    6: (picture) => picture.rotate(270),
    7: (picture) => picture.rotate(270).flop(),
    8: (picture) => picture.rotate(90),
  };

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "orientation %i is applied in every metadata mode",
    async (orientation) => {
      // Rotated in one step and encoded in another: sharp mirrors before it rotates.
      const upright = await quarters(80, 40);
      const png = await turned(upright, orientation);
      const jpeg = await sharp(png).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer();
      const tagged = jpegWithExif(jpeg, exifBlock([orientationEntry(orientation)]));
      for (const metadata of ["keep", "copyright", "none"] as const) {
        const { bytes, width, height } = await render(tagged, { width: 40, height: 400, metadata });
        expect([width, height]).toEqual([40, 20]);
        const corners = [
          await pixelAt(bytes, 5, 5),
          await pixelAt(bytes, 34, 5),
          await pixelAt(bytes, 5, 14),
        ];
        expect(isNear(corners[0]!, red!) && isNear(corners[1]!, green!) && isNear(corners[2]!, blue!)).toBe(
          true,
        );
        expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
      }
    },
  );

  async function turned(upright: Buffer, orientation: number): Promise<Buffer> {
    if (orientation !== 5 && orientation !== 7) return stored[orientation]!(sharp(upright)).png().toBuffer();
    const quarter = await sharp(upright)
      .rotate(orientation === 5 ? 90 : 270)
      .png()
      .toBuffer();
    return sharp(quarter).flop().png().toBuffer();
  }

  test("colors of another space become sRGB, and the profile is removed", async () => {
    const wide = await plain(20, 20, [10, 250, 20]).withIccProfile("p3").jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(wide).metadata()).hasProfile).toBe(true);
    const { bytes } = await render(wide, { ...small, metadata: "keep" });
    const { hasProfile, space } = await sharp(bytes).metadata();
    expect({ hasProfile, space }).toEqual({ hasProfile: false, space: "srgb" });
    expect(isNear(await pixelAt(bytes, 4, 4), [10, 250, 20])).toBe(true);
    const cmyk = await plain(20, 20, [10, 250, 20]).toColourspace("cmyk").jpeg().toBuffer();
    expect((await sharp((await render(cmyk, small)).bytes).metadata()).space).toBe("srgb");
  });
});

describe("renderVariant converts deep colors to sRGB", () => {
  const color = [255, 64, 0] as const;
  const cases = [
    ["without a profile", undefined, [255, 64, 0]],
    ["of sRGB", "srgb", [255, 64, 0]],
    ["of a wider space", "p3", [255, 28, 0]],
  ] as const;

  test.each(cases)("of a 16-bit PNG %s", async (_, profile, expected) => {
    const png = deepPng(16, 16, color, profile && (await colorProfile(profile)));
    for (const accept of [undefined, "image/webp", "image/avif"]) {
      const { bytes } = await render(png, small, { accept });
      expect(isNear(await pixelAt(bytes, 4, 4), expected, accept ? 6 : 0), accept).toBe(true);
      expect((await sharp(bytes).metadata()).hasProfile).toBe(false);
    }
    const base = await renderBase(png, { baseBytes: 1 });
    expect(base.ok && isNear(await pixelAt(base.value.bytes, 4, 4), expected, 6)).toBe(true);
  });

  test("of a 10-bit AVIF with a profile", async () => {
    const deep = sharp(deepPng(16, 16, color))
      .toColourspace("rgb16")
      .withIccProfile("p3");
    const avif = await deep.avif({ bitdepth: 10, quality: 100, effort: 0 }).toBuffer();
    const { bytes } = await render(avif, small, { accept: "image/webp" });
    expect(isNear(await pixelAt(bytes, 4, 4), [255, 28, 0], 8)).toBe(true);
  });

  test("of a grayscale PNG without a conversion", async () => {
    const grey = await plain(16, 16, [90, 90, 90]).toColourspace("grey16").png().toBuffer();
    const header = grey.subarray(0, 33);
    const chunk = pngChunk(
      "iCCP",
      Buffer.concat([Buffer.from("x\0\0"), deflateSync(await colorProfile("p3"))]),
    );
    const { bytes } = await render(Buffer.concat([header, chunk, grey.subarray(33)]), small);
    expect(await pixelAt(bytes, 4, 4)).toEqual([90, 90, 90]);
  });
});

describe("renderVariant keeps metadata", () => {
  const notice = "© 2026 Zoë Müller, 写真";
  const block = exifBlock([textEntry(0x010f, "Maker"), orientationEntry(6), textEntry(0x8298, notice)]);
  const tagged = jpegWithExif(photo, block);

  async function exifOf(options: VariantOptions, accept?: string): Promise<Buffer | undefined> {
    const { bytes } = await render(tagged, options, { accept });
    const read = await sharp(bytes).metadata();
    expect(read.xmp ?? read.iptc ?? read.icc).toBeUndefined();
    return read.exif;
  }

  test("all of it with `keep`, except the orientation", async () => {
    const upright = exifBlock([textEntry(0x010f, "Maker"), orientationEntry(1), textEntry(0x8298, notice)]);
    expect(await exifOf({ ...small, metadata: "keep" })).toEqual(
      Buffer.concat([Buffer.from("Exif\0\0"), upright]),
    );
  });

  test("only the copyright by default, its bytes unchanged", async () => {
    const exif = await exifOf(small);
    expect(exif!.includes(Buffer.from(`${notice}\0`))).toBe(true);
    expect(exif!.includes("Maker")).toBe(false);
    expect(exif).toEqual(await exifOf({ ...small, metadata: "copyright" }));
  });

  test("nothing with `none`", async () => {
    expect(await exifOf({ ...small, metadata: "none" })).toBeUndefined();
  });

  test("only in JPEG", async () => {
    expect(await exifOf({ ...small, metadata: "keep" }, "image/webp")).toBeUndefined();
    expect(await exifOf({ ...small, metadata: "keep" }, "image/avif")).toBeUndefined();
  });

  test("not if the EXIF is malformed, which does not affect the image", async () => {
    const broken = jpegWithExif(photo, block.subarray(0, 20));
    expect(
      (await sharp((await render(broken, { ...small, metadata: "keep" })).bytes).metadata()).exif,
    ).toBeUndefined();
  });
});

describe("renderVariant chooses the format", () => {
  test("by the Accept header, without one the original's", async () => {
    const png = await plain(30, 20).png().toBuffer();
    expect((await render(png, small)).format).toBe("png");
    expect((await render(png, small, { accept: "*/*" })).format).toBe("png");
    expect((await render(png, small, { accept: "image/webp" })).format).toBe("webp");
    expect((await render(png, small, { accept: "image/avif,image/webp" })).format).toBe("avif");
    expect(
      (await sharp((await render(png, small, { accept: "image/avif" })).bytes).metadata()).compression,
    ).toBe("av1");
  });

  test("PNG stays lossless with more colors than a palette has", async () => {
    const picture = noisy(64, 64);
    const { bytes } = await render(await picture.clone().png().toBuffer(), { width: 64 });
    const colors = new Set((await sharp(bytes).raw().toBuffer()).toString("hex").match(/.{6}/g));
    expect(colors.size).toBeGreaterThan(1_000);
    expect((await sharp(bytes).metadata()).isPalette).toBe(false);
  });

  test("an output with a side over the limit is WebP, not AVIF", async () => {
    const accept = "image/avif,image/webp";
    const png = await plain(200, 100).png().toBuffer();
    expect((await render(png, { width: 200 }, { accept, limits: { avifSide: 199 } })).format).toBe("webp");
    expect((await render(png, { width: 200 }, { accept, limits: { avifSide: 200 } })).format).toBe("avif");
  });
});

describe("renderVariant keeps animation", () => {
  test.each(["gif", "webp"] as const)(
    "of %s, with all frames and their durations, in every fit",
    async (format) => {
      const bytes = await animation(4, 40, 20, format);
      for (const fit of ["scale-down", "cover", "crop", "pad", "contain"] as const) {
        const rendering = await render(bytes, { fit, width: 30, height: 30 }, { accept: "image/avif" });
        expect(rendering).toMatchObject({ format, frames: 4, transformed: true });
        const [before, after] = [
          await sharp(bytes, { animated: true }).metadata(),
          await sharp(rendering.bytes, { animated: true }).metadata(),
        ];
        expect({ pages: after.pages, delay: after.delay, loop: after.loop }).toEqual({
          pages: 4,
          delay: before.delay,
          loop: before.loop,
        });
      }
    },
  );

  test("from GIF to WebP, never to AVIF", async () => {
    const gif = await animation(3, 40, 20, "gif");
    expect(await render(gif, { width: 20 }, { accept: "image/avif,image/webp" })).toMatchObject({
      format: "webp",
      frames: 3,
    });
  });

  test("with equal frames: GIF keeps each, WebP merges some, and `frames` is their number", async () => {
    const still = await plain(20, 10).png().toBuffer();
    const other = await plain(20, 10, [0, 0, 255]).png().toBuffer();
    const gif = await sharp([still, still, other, other], { join: { animated: true } })
      .gif({ keepDuplicateFrames: true, delay: [50, 60, 70, 80] })
      .toBuffer();
    const same = await render(gif, { width: 10 });
    const read = await sharp(same.bytes, { animated: true }).metadata();
    expect({ frames: same.frames, delay: read.delay }).toEqual({ frames: 4, delay: [50, 60, 70, 80] });
    const webp = await render(gif, { width: 10 }, { accept: "image/webp" });
    const merged = await sharp(webp.bytes, { animated: true }).metadata();
    expect(webp.frames).toBeLessThan(4);
    expect(webp.frames).toBe(merged.pages);
    const base = await renderBase(gif, { baseBytes: 1 });
    expect(base.ok && base.value.frames).toBeLessThan(4);
    expect(base.ok && base.value.frames).toBe(base.ok && (await sharp(base.value.bytes).metadata()).pages);
  });

  test("untransformed above the first limit, and rejects it above the second", async () => {
    const gif = await animation(3, 40, 20, "gif");
    const context = { accept: "image/webp", limits: { transformedAnimationPixels: 2_399 } };
    const rendering = await render(gif, { width: 20 }, context);
    expect(rendering).toMatchObject({
      width: 40,
      height: 20,
      frames: 3,
      transformed: false,
      contentType: "image/gif",
    });
    expect(Buffer.from(rendering.bytes)).toEqual(gif);
    expect(await codeOf(gif, { width: 20 }, { limits: { inputPixels: 2_399 } })).toBe(9413);
  });

  test("but rejects more frames than the limit", async () => {
    const webp = await animation(3, 40, 20, "webp");
    expect(await codeOf(webp, { width: 20 }, { limits: { inputFrames: 2 } })).toBe(9413);
    expect(await codeOf(webp, { width: 20 }, { limits: { inputFrames: 3 } })).toBeUndefined();
  });

  test("and counts one frame of the output", async () => {
    const gif = await animation(3, 40, 20, "gif");
    expect(await codeOf(gif, { width: 20 }, { limits: { outputPixels: 199 } })).toBe(9413);
    expect(await codeOf(gif, { width: 20 }, { limits: { outputPixels: 200 } })).toBeUndefined();
  });
});

describe("renderVariant cleans an SVG and keeps its size", () => {
  test("for every variant and Accept header", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><script>x</script><path d="M0 0"/></svg>';
    const rendering = await renderVariant(
      Buffer.from(svg),
      { fit: "cover", ...small },
      { accept: "image/avif" },
    );
    expect(rendering).toMatchObject({
      ok: true,
      value: { contentType: "image/svg+xml", width: 90, height: 60, transformed: false },
    });
    expect(rendering.ok && Buffer.from(rendering.value.bytes).toString()).toBe(
      svg.replace("<script>x</script>", ""),
    );
  });

  test("or rejects it", async () => {
    expect(await codeOf(Buffer.from("<svg><g></svg>"), small)).toBe(9422);
  });
});

describe("renderVariant rejects", () => {
  test("wrong options, with a pointer", async () => {
    const rendering = await renderVariant(photo, { width: 0 });
    expect(rendering).toMatchObject({ ok: false, problems: [{ code: 5400, pointer: "/width" }] });
  });

  test("a file that is not an image, or not an accepted one", async () => {
    expect(await codeOf(Buffer.from("text"), small)).toBe(9412);
    expect(await codeOf(Buffer.alloc(0), small)).toBe(9412);
    expect(await codeOf(await plain(9, 9).tiff().toBuffer(), small)).toBe(9412);
  });

  test("too large an output, before a pixel is decoded", async () => {
    // These files contain no pixels: decoding them would fail with 9422.
    const hollow = pngOf(6_000, 6_000, Buffer.from([0]));
    expect(await codeOf(hollow, { fit: "cover", width: 5_001, height: 5_000 })).toBe(9413);
    expect(await codeOf(hollow, { fit: "cover", width: 5_000, height: 5_000 })).toBe(9422);
    expect(await codeOf(pngOf(12_000, 12_000, Buffer.from([0])), small)).toBe(9413);
  });

  test("a truncated or malformed file", async () => {
    expect(await codeOf(photo.subarray(0, photo.length >> 1), small)).toBe(9422);
    expect(await codeOf(photo.subarray(0, 10), small)).toBe(9422);
    expect(await codeOf(Buffer.from("GIF89a nothing"), small)).toBe(9422);
  });

  test("a damaged file, even if a thumbnail of it could be rendered", async () => {
    const jpeg = await noisy(900, 700).jpeg().toBuffer();
    const cut = Buffer.concat([jpeg.subarray(0, -300), Buffer.of(0xff, 0xd9)]);
    expect(await codeOf(cut, { width: 850, height: 650 })).toBe(9422);
  });

  test("an aspect ratio that cannot be enlarged into the box", async () => {
    const line = pngOf(12_000, 1, blackLines(12_000, 1));
    expect(await codeOf(line, { fit: "cover", width: 4_000, height: 4_000 })).toBe(9413);
  });
});

describe("renderBase", () => {
  test("returns the original's bytes up to the limit, and near-lossless WebP above it", async () => {
    expect(await renderBase(photo)).toMatchObject({
      ok: true,
      value: { bytes: photo, contentType: "image/jpeg", transformed: false },
    });
    const png = await noisy(50, 40).png().toBuffer();
    const base = await renderBase(png, { baseBytes: png.length - 1 });
    expect(base).toMatchObject({
      ok: true,
      value: { contentType: "image/webp", width: 50, height: 40, transformed: true },
    });
    if (!base.ok) return;
    const [before, after] = [
      await sharp(png).raw().toBuffer(),
      await sharp(base.value.bytes).raw().toBuffer(),
    ];
    const largest = before.reduce((max, value, at) => Math.max(max, Math.abs(value - after[at]!)), 0);
    expect(largest).toBeLessThan(16);
  });

  test("returns the original's bytes where WebP would be too wide or have too many pixels", async () => {
    const original = async (bytes: Buffer, limits = {}) => {
      const base = await renderBase(bytes, { baseBytes: 1, ...limits });
      return base.ok && !base.value.transformed && Buffer.from(base.value.bytes).equals(bytes);
    };
    expect(await original(await plain(16_384, 1).png().toBuffer())).toBe(true);
    expect(await original(await plain(16_383, 1).png().toBuffer())).toBe(false);
    const png = await noisy(50, 40).png().toBuffer();
    expect(await original(png, { outputPixels: 1_999 })).toBe(true);
    expect(await original(png, { outputPixels: 2_000 })).toBe(false);
    expect(await original(pngOf(5_001, 5_000, blackLines(5_001, 5_000)))).toBe(true);
  });

  test("keeps animation, applies the orientation, does not change an SVG", async () => {
    const gif = await animation(3, 400, 200, "gif");
    expect(await renderBase(gif, { baseBytes: 1 })).toMatchObject({
      value: { frames: 3, contentType: "image/webp" },
    });
    const turned = jpegWithExif(photo, exifBlock([orientationEntry(6)]));
    expect(await renderBase(turned, { baseBytes: 1 })).toMatchObject({ value: { width: 720, height: 1080 } });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>');
    expect(await renderBase(svg, { baseBytes: 1 })).toMatchObject({
      value: { bytes: svg, contentType: "image/svg+xml" },
    });
  });

  test("rejects the files that renderVariant rejects", async () => {
    expect(await renderBase(Buffer.from("text"))).toMatchObject({ ok: false, problems: [{ code: 9412 }] });
    expect(await renderBase(photo.subarray(0, 10))).toMatchObject({ ok: false, problems: [{ code: 9422 }] });
    expect(await renderBase(photo.subarray(0, -9), { baseBytes: 1 })).toMatchObject({
      problems: [{ code: 9422 }],
    });
  });
});

describe("renderVariant blurs", () => {
  /** A black left half and a white right half. */
  const halves = async () => {
    const white = await plain(100, 80, [255, 255, 255]).png().toBuffer();
    return plain(200, 80, [0, 0, 0])
      .composite([{ input: white, left: 100, top: 0 }])
      .png()
      .toBuffer();
  };
  const grayAt = async (bytes: Uint8Array, x: number) => (await pixelAt(bytes, x, 40))[0];

  test("an edge, more with a larger radius, on a smaller picture from sigma 32 on, and keeps the size", async () => {
    const source = await halves();
    const widths: number[] = [];
    for (const blur of [0, 0.5, 10, 63, 66, 250]) {
      const { bytes, width, height } = await render(source, { width: 200, blur });
      expect([width, height]).toEqual([200, 80]);
      expect((await sharp(bytes).metadata()).width).toBe(200);
      widths.push(await grayAt(bytes, 90));
    }
    expect(widths.slice(0, 2)).toEqual([0, 0]);
    for (const [n, value] of widths.slice(1).entries()) expect(value).toBeGreaterThanOrEqual(widths[n]! - 2);
    expect(Math.abs(widths[3]! - widths[4]!)).toBeLessThan(8);
  });
});
