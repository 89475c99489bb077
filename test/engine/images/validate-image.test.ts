import { deflateSync } from "node:zlib";
import { type ImageLimits, validateImage } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import {
  animation,
  blackLines,
  blackLinesInPieces,
  exifBlock,
  jpegWithExif,
  noisy,
  orientationEntry,
  plain,
  pngChunk,
  pngOf,
} from "./pictures.ts";

/** The outcome of a validation: type and size, or a code. */
async function validate(bytes: Uint8Array, limits?: Partial<ImageLimits>): Promise<string | number> {
  const validated = await validateImage(bytes, limits);
  if (!validated.ok) return validated.problems[0].code;
  const { type, width, height, frames } = validated.value;
  return `${type} ${width}x${height}${frames > 1 ? ` x${frames}` : ""}`;
}

const files = {
  png: await noisy(60, 40).png().toBuffer(),
  "interlaced png": await noisy(60, 40).png({ progressive: true }).toBuffer(),
  jpeg: await noisy(60, 40).jpeg().toBuffer(),
  "progressive jpeg": await noisy(60, 40).jpeg({ progressive: true }).toBuffer(),
  gif: await noisy(60, 40).gif().toBuffer(),
  webp: await noisy(60, 40).webp().toBuffer(),
  "lossless webp": await noisy(60, 40).webp({ lossless: true }).toBuffer(),
  avif: await noisy(60, 40).avif({ effort: 0 }).toBuffer(),
  "animated gif": await animation(4, 60, 40, "gif"),
  "animated webp": await animation(4, 60, 40, "webp"),
};

/** A file without its last bytes, but with an end marker. */
function withEndMarker(jpeg: Buffer, missing: number): Buffer {
  return Buffer.concat([jpeg.subarray(0, -missing), Buffer.of(0xff, 0xd9)]);
}

describe("validateImage accepts", () => {
  test.each(Object.entries(files))("%s", async (name, bytes) => {
    const type = name.split(" ").at(-1);
    expect(await validate(bytes)).toBe(`${type} 60x40${name.startsWith("animated") ? " x4" : ""}`);
  });

  test("an SVG, with the size that it asks for", async () => {
    expect(await validate(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"/>'))).toBe(
      "svg 60x40",
    );
  });

  test("a rotated image, with its size as displayed", async () => {
    expect(await validate(jpegWithExif(files.jpeg, exifBlock([orientationEntry(6)])))).toBe("jpeg 40x60");
    const webp = await noisy(60, 40).withMetadata({ orientation: 8 }).webp().toBuffer();
    expect(await validate(webp)).toBe("webp 40x60");
  });

  test("a GIF whose frames do not fill the screen, with the rendered size", async () => {
    for (const [width, height] of [
      [640, 480],
      [500, 400],
    ] as const) {
      const gif = Buffer.from(files.gif);
      gif.writeUInt16LE(width, 6);
      gif.writeUInt16LE(height, 8);
      const seen = await sharp(gif).metadata();
      expect(await validate(gif)).toBe(`gif ${seen.width}x${seen.height}`);
    }
  });

  test("a WebP with frames after its end or in a still image, with the number of rendered frames", async () => {
    const frames = Buffer.from("ANMF\0\0\0\0", "latin1");
    for (const name of ["webp", "animated webp"] as const) {
      const behind = Buffer.concat([files[name], frames]);
      expect(await validate(behind)).toBe(await validate(files[name]));
      const inside = Buffer.from(behind);
      inside.writeUInt32LE(inside.length - 8, 4);
      const validated = await validate(inside);
      expect(validated === 9422 || validated === (await validate(files[name]))).toBe(true);
    }
  });

  test("a file with bytes after its end", async () => {
    expect(await validate(Buffer.concat([files.jpeg, Buffer.from("<script>")]))).toBe("jpeg 60x40");
    expect(await validate(Buffer.concat([files.png, Buffer.from("PK\x03\x04")]))).toBe("png 60x40");
  });
});

describe("validateImage rejects", () => {
  test("an empty file, a file that is not an image, and a format that is not accepted, by its name", async () => {
    expect(await validate(Buffer.alloc(0))).toBe(5400);
    expect(await validate(Buffer.from("<html><body>GIF89a</body></html>"))).toBe(5415);
    expect(await validate(Buffer.alloc(1000))).toBe(5415);
    const tiff = await validateImage(await plain(9, 9).tiff().toBuffer());
    expect(tiff).toMatchObject({ ok: false, problems: [{ code: 5455 }] });
    expect(tiff.ok || tiff.problems[0].message).toContain("TIFF");
  });

  test("one byte more than the maximum, but not the maximum", async () => {
    const padded = Buffer.concat([files.jpeg, Buffer.alloc(10_485_760 - files.jpeg.length)]);
    expect(await validate(padded)).toBe("jpeg 60x40");
    expect(await validate(Buffer.concat([padded, Buffer.alloc(1)]))).toBe(5413);
  });

  test.each(Object.entries(files))("a %s truncated at any position", async (_, bytes) => {
    const ends = [1, 2, 3, 5, 12, 50, 200, bytes.length >> 1, bytes.length - 20];
    for (const missing of ends.filter((end) => end > 0 && end < bytes.length)) {
      expect(await validate(bytes.subarray(0, bytes.length - missing)), `${missing} bytes missing`).toBe(
        9422,
      );
    }
  });

  test("a JPEG without its last bytes, even if the decoder does not need them", async () => {
    const whole = await noisy(60, 40, 17).jpeg().toBuffer();
    const cut = whole.subarray(0, -1);
    expect(await sharp(cut).raw().toBuffer()).toEqual(await sharp(whole).raw().toBuffer());
    expect(await validate(cut)).toBe(9422);
    expect(await validate(whole.subarray(0, -2))).toBe(9422);
  });

  test.each([
    ["4:2:0", false],
    ["4:2:0", true],
    ["4:4:4", true],
  ])("a truncated JPEG with an end marker, %s, progressive %s", async (chromaSubsampling, progressive) => {
    for (let n = 1; n <= 15; n++) {
      const [width, height] = [30 + 19 * n, 24 + 21 * n];
      const jpeg = await noisy(width, height, n).jpeg({ chromaSubsampling, progressive }).toBuffer();
      expect(await validate(jpeg)).toBe(`jpeg ${width}x${height}`);
      for (const missing of [20, 300]) {
        expect(await validate(withEndMarker(jpeg, missing)), `${width}x${height}, ${missing}`).toBe(9422);
      }
    }
  });

  test("a truncated JPEG without subsampling, except in its last eight lines, which decoders do not report", async () => {
    const jpeg = await noisy(90, 50).jpeg({ chromaSubsampling: "4:4:4" }).toBuffer();
    expect(await validate(withEndMarker(jpeg, jpeg.length >> 1))).toBe(9422);
    const cut = withEndMarker(jpeg, 20);
    const whole = await sharp(cut).raw().toBuffer();
    expect([whole.length, await validate(cut)]).toEqual([90 * 50 * 3, "jpeg 90x50"]);
  });

  test("a truncated JPEG of one or four components", async () => {
    for (const space of ["b-w", "cmyk"]) {
      const jpeg = await noisy(90, 50).toColourspace(space).jpeg({ quality: 90 }).toBuffer();
      expect(await validate(jpeg, { inputPixels: 90 * 50 })).toBe("jpeg 90x50");
      expect(await validate(withEndMarker(jpeg, jpeg.length >> 1))).toBe(9422);
    }
  });

  test("too many pixels and too long a side, by the header alone", async () => {
    const buffer = Buffer.from([0]);
    expect(await validate(pngOf(11_000, 11_000, buffer))).toBe(5413);
    expect(await validate(pngOf(12_001, 1, buffer))).toBe(5413);
    expect(await validate(pngOf(2 ** 31 - 1, 2 ** 31 - 1, buffer))).toBe(5413);
    expect(await validate(files.png, { inputPixels: 2_399 })).toBe(5413);
    expect(await validate(files.avif, { inputPixels: 2_399 })).toBe(5413);
    expect(await validate(files.jpeg, { inputSide: 59 })).toBe(5413);
  });

  test("but not a long side of WebP or AVIF", async () => {
    expect(await validate(files.webp, { inputSide: 59 })).toBe("webp 60x40");
    expect(await validate(files.avif, { inputSide: 59 })).toBe("avif 60x40");
  });

  test("an animation with too many pixels in all frames together", async () => {
    expect(await validate(files["animated gif"], { inputPixels: 9_599 })).toBe(5443);
    expect(await validate(files["animated webp"], { inputPixels: 9_600 })).toBe("webp 60x40 x4");
  });

  test("a PNG bomb with less data than its header declares", async () => {
    expect(await validate(pngOf(10_000, 10_000, deflateSync(Buffer.alloc(1000))))).toBe(9422);
  });

  /** A GIF of many frames of one pixel. */
  function manyFrames(count: number, side: number): Buffer {
    const screen = Buffer.from("GIF89a\0\0\0\0\0\0\0", "latin1");
    screen.writeUInt16LE(side, 6);
    screen.writeUInt16LE(side, 8);
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x44, 1, 0]);
    return Buffer.concat([screen, ...Array<Buffer>(count).fill(frame), Buffer.from([0x3b])]);
  }

  test("a GIF bomb of many frames, without decoding one", async () => {
    expect(await validate(manyFrames(9_000, 200))).toBe(5443);
  });

  test("an animation of too many frames of any size, by its header alone", async () => {
    const validated = await validateImage(manyFrames(400_000, 1));
    expect(validated).toMatchObject({
      problems: [{ code: 5443, message: "The animation must have at most 10000 frames; found 400000." }],
    });
    expect(await validate(manyFrames(400_000, 640))).toBe(5443);
    expect(await validate(files["animated gif"], { inputFrames: 3 })).toBe(5443);
    expect(await validate(files["animated webp"], { inputFrames: 4 })).toBe("webp 60x40 x4");
  });

  test("polyglots that only begin like an image", async () => {
    expect(await validate(Buffer.from("GIF89a/*\0\0\0\0<html><script>alert(1)</script>*/=1;"))).toBe(9422);
    expect(
      await validate(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("<?php echo 1; ?>")])),
    ).toBe(9422);
    expect(
      await validate(Buffer.from("RIFF\xff\xff\0\0WEBPVP8 <script>alert(1)</script>      ", "latin1")),
    ).toBe(9422);
  });

  test("an SVG that is malformed or a bomb", async () => {
    expect(await validate(Buffer.from("<svg><g></svg>"))).toBe(9422);
    expect(await validate(Buffer.from(`<svg>${"<g>".repeat(1000)}`))).toBe(9422);
  });
});

describe("validateImage", () => {
  test("decodes one hundred megapixels in 300 KB without keeping them in memory", async () => {
    const picture = pngOf(10_000, 10_000, await blackLinesInPieces(10_000, 10_000));
    const before = process.memoryUsage.rss();
    expect(await validate(picture)).toBe("png 10000x10000");
    // Its pixels are 300 MB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  test("does not decompress texts and profiles of hundreds of megabytes", async () => {
    const before = process.memoryUsage.rss();
    const bomb = deflateSync(Buffer.alloc(100e6));
    const packed = [
      pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), bomb])),
      pngChunk("iCCP", Buffer.concat([Buffer.from("x\0\0"), bomb])),
    ];
    expect(await validate(pngOf(10, 10, blackLines(10, 10), packed))).toBe("png 10x10");
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  test("does not change sharp's process-wide settings", async () => {
    const settings = () =>
      JSON.stringify([sharp.cache().memory.max, sharp.cache().items.max, sharp.concurrency(), sharp.simd()]);
    const before = settings();
    await validate(files.jpeg);
    expect(settings()).toBe(before);
  });

  test("accepts or rejects with a known code every file with random changes", async () => {
    const all = Object.values(files);
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.nat(all.length - 1), edits, fc.nat(), fc.boolean(), async (n, changes, at, cut) => {
        const bytes = Buffer.from(all[n]!);
        for (const [index, value] of changes) bytes[index % Math.min(bytes.length, 400)] = value;
        const validated = await validate(cut ? bytes.subarray(0, at % bytes.length) : bytes, {
          inputPixels: 1_000_000,
        });
        expect(
          typeof validated === "string" || [5400, 5413, 5415, 5443, 5455, 9422].includes(validated),
        ).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
