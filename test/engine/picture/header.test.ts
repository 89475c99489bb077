/** Compares the header readers with sharp: headers that are `certain` must equal sharp's. */

import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { RasterType } from "../../../src/engine/picture/header.ts";
import { readHeader } from "../../../src/engine/picture/read-header.ts";
import { runs } from "../../support/runs.ts";
import {
  animation,
  colorProfile,
  deepPng,
  exifBlock,
  jpegWithExif,
  noisy,
  orientationEntry,
  plain,
  pngChunk,
  textEntry,
} from "../images/pictures.ts";

const formats = ["png", "jpeg", "gif", "webp"] as const;

async function readBySharp(bytes: Uint8Array) {
  const {
    width,
    height,
    pageHeight,
    pages = 1,
    orientation = 1,
  } = await sharp(bytes, { animated: true }).metadata();
  return { width, height: pageHeight ?? height, frames: pages, orientation };
}

async function expectAgreement(bytes: Uint8Array, type: RasterType): Promise<void> {
  const header = readHeader(bytes, type);
  expect(header).toMatchObject(await readBySharp(bytes));
  expect(header).toMatchObject({ certain: true, complete: true });
}

describe("readHeader", () => {
  test.each(formats)("agrees with the decoder on %s of any size", async (format) => {
    const side = fc.integer({ min: 1, max: 80 });
    await fc.assert(
      fc.asyncProperty(side, side, fc.boolean(), async (width, height, special) => {
        const options = { lossless: special, progressive: special };
        await expectAgreement(await plain(width, height).toFormat(format, options).toBuffer(), format);
      }),
      { numRuns: runs(15) },
    );
  });

  test.each(["gif", "webp"] as const)("counts the frames of %s", async (format) => {
    for (const frames of [2, 3, 7]) {
      const bytes = await animation(frames, 20, 10, format);
      expect(readHeader(bytes, format)).toMatchObject({ ...(await readBySharp(bytes)), complete: true });
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("reads orientation %i in both byte orders", async (orientation) => {
    const jpeg = await plain(20, 10).jpeg().toBuffer();
    for (const little of [true, false]) {
      const block = exifBlock([textEntry(0x010f, "Maker"), orientationEntry(orientation, little)], little);
      const turned = jpegWithExif(jpeg, block);
      await expectAgreement(turned, "jpeg");
      expect(readHeader(turned, "jpeg")?.orientation).toBe(orientation);
    }
  });

  test("is not certain where decoders differ", async () => {
    const jpeg = await plain(20, 10).jpeg().toBuffer();
    const uncertain = [
      exifBlock([orientationEntry(6), orientationEntry(3)]),
      exifBlock([orientationEntry(9)]),
      exifBlock([{ ...orientationEntry(6), type: 4 }]),
      exifBlock([{ ...orientationEntry(6), count: 2 }]),
      Buffer.from("no tiff at all"),
      exifBlock([orientationEntry(6)]).subarray(0, 15),
    ];
    for (const block of uncertain) {
      expect(readHeader(jpegWithExif(jpeg, block), "jpeg")?.certain).toBe(false);
    }
    const two = jpegWithExif(
      jpegWithExif(jpeg, exifBlock([orientationEntry(6)])),
      exifBlock([orientationEntry(3)]),
    );
    expect(readHeader(two, "jpeg")?.certain).toBe(false);
    const turned = plain(20, 10).withMetadata({ orientation: 6 });
    expect(readHeader(await turned.clone().png().toBuffer(), "png")?.certain).toBe(false);
    expect(readHeader(await turned.clone().webp().toBuffer(), "webp")?.certain).toBe(false);
  });

  test("a certain header of a JPEG with any modified EXIF equals the decoder's", async () => {
    const jpeg = await plain(20, 10).jpeg().toBuffer();
    const block = exifBlock([textEntry(0x010f, "Maker"), orientationEntry(6)]);
    await fc.assert(
      fc.asyncProperty(fc.nat(block.length - 1), fc.nat(255), async (at, value) => {
        const changed = Buffer.from(block);
        changed[at] = value;
        const bytes = jpegWithExif(jpeg, changed);
        const header = readHeader(bytes, "jpeg");
        if (header?.certain) expect(header).toMatchObject(await readBySharp(bytes));
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(formats)(
    "reports each truncated %s as incomplete, and accepts trailing bytes",
    async (format) => {
      for (const progressive of [false, true]) {
        const bytes = await noisy(30, 20).toFormat(format, { progressive }).toBuffer();
        for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / 200)) {
          expect(readHeader(bytes.subarray(0, length), format)?.complete ?? false).toBe(false);
        }
        expect(readHeader(bytes.subarray(0, -1), format)?.complete ?? false).toBe(false);
        expect(readHeader(Buffer.concat([bytes, Buffer.from("more")]), format)?.complete).toBe(true);
      }
    },
  );

  test("does not mistake the end of a JPEG's embedded thumbnail for its own end", async () => {
    const small = await plain(8, 8).jpeg().toBuffer();
    const jpeg = jpegWithExif(await noisy(30, 20).jpeg().toBuffer(), Buffer.concat([exifBlock([]), small]));
    expect(readHeader(jpeg, "jpeg")).toMatchObject({ width: 30, complete: true });
    expect(readHeader(jpeg.subarray(0, -1), "jpeg")).toMatchObject({ width: 30, complete: false });
  });

  test("counts the frames of an animated PNG, which decoders read as a still picture", async () => {
    const png = await plain(8, 8).png().toBuffer();
    const control = pngChunk("acTL", Buffer.from([0, 0, 0, 7, 0, 0, 0, 0]));
    const animated = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
    expect(readHeader(animated, "png")).toMatchObject({ frames: 1, animation: 7 });
    expect(readHeader(png, "png")).not.toHaveProperty("animation");
  });

  test("is not certain about a PNG with deep colors and a profile", async () => {
    const profile = await colorProfile("p3");
    expect(readHeader(deepPng(8, 8, [255, 64, 0], profile), "png")?.certain).toBe(false);
    expect(readHeader(deepPng(8, 8, [255, 64, 0]), "png")?.certain).toBe(true);
    const flat = await plain(8, 8).withIccProfile("p3").png().toBuffer();
    expect(readHeader(flat, "png")?.certain).toBe(true);
  });

  test("is not certain about a GIF whose frame exceeds the screen", async () => {
    const gif = await plain(20, 10).gif().toBuffer();
    gif.writeUInt16LE(5, 6);
    expect(readHeader(gif, "gif")?.certain).toBe(false);
  });

  test("is not certain about a GIF whose frames do not cover the screen", async () => {
    for (const [width, height] of [
      [640, 480],
      [800, 600],
      [1024, 768],
      [2049, 10],
      [30, 20],
    ] as const) {
      const gif = await plain(20, 10).gif().toBuffer();
      gif.writeUInt16LE(width, 6);
      gif.writeUInt16LE(height, 8);
      expect(readHeader(gif, "gif")?.certain).toBe(false);
    }
  });

  test("does not count frames after the container of a WebP, and is not certain about the frames in it", async () => {
    const still = await plain(20, 10).webp().toBuffer();
    const frame = Buffer.from("ANMF\0\0\0\0EXIF\0\0\0\0", "latin1");
    expect(readHeader(Buffer.concat([still, frame]), "webp")).toMatchObject({ frames: 1, certain: true });
    const animated = await animation(3, 20, 10, "webp");
    expect(readHeader(Buffer.concat([animated, frame]), "webp")).toMatchObject({ frames: 3, certain: false });
    const inside = Buffer.concat([still, frame.subarray(0, 8)]);
    inside.writeUInt32LE(inside.length - 8, 4);
    expect(readHeader(inside, "webp")?.certain).toBe(false);
  });

  test("does not throw for any bytes", async () => {
    const files = await Promise.all(formats.map(async (format) => plain(9, 7).toFormat(format).toBuffer()));
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        fc.nat(),
        (n, edits, cut) => {
          const bytes = Buffer.from(files[n]!);
          for (const [at, value] of edits) bytes[at % bytes.length] = value;
          const part = bytes.subarray(0, cut % (bytes.length + 1));
          expect(() => readHeader(part, formats[n]!)).not.toThrow();
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

test("the end of a JPEG is its own marker, not its bytes in a comment between two scans", async () => {
  const jpeg = await noisy(40, 30).jpeg({ progressive: true }).toBuffer();
  const table = jpeg.indexOf(Buffer.of(0xff, 0xc4), jpeg.indexOf(Buffer.of(0xff, 0xda)));
  const comment = Buffer.of(0xff, 0xfe, 0, 4, 0xff, 0xd9);
  const whole = Buffer.concat([jpeg.subarray(0, table), comment, jpeg.subarray(table)]);
  expect(table).toBeGreaterThan(0);
  const isComplete = (bytes: Buffer) => readHeader(bytes, "jpeg")?.complete;
  expect(isComplete(whole)).toBe(true);
  for (let end = table + comment.length; end < whole.length; end++)
    expect([end, isComplete(whole.subarray(0, end))]).toEqual([end, false]);
});
