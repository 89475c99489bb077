/** Images for tests, generated on demand. */

import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32, createDeflate, deflateSync } from "node:zlib";
import sharp from "sharp";

export type Rgb = readonly [red: number, green: number, blue: number];

/** An image of one color. */
export function plain(width: number, height: number, [r, g, b]: Rgb = [130, 40, 70]) {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } });
}

/** Incompressible noise, the same for the same seed. */
export function noisy(width: number, height: number, seed = 1) {
  const pixels = new Uint8Array(width * height * 3);
  let state = seed;
  for (let at = 0; at < pixels.length; at++) {
    // A linear congruential generator (constants: Numerical Recipes), whose high bits are good.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Four quarters: red, green over blue, white. They show the orientation of an image. */
export async function quarters(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = quarterColors[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!;
      pixels.set(color, (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

export const quarterColors: readonly Rgb[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];

/** An animation with frames of increasing brightness. */
export async function animation(frames: number, width: number, height: number, format: "gif" | "webp") {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, n) =>
      plain(width, height, [20 + n * 30, 10, 200 - n * 30])
        .png()
        .toBuffer(),
    ),
  );
  const joined = sharp(pictures, { join: { animated: true } });
  return format === "gif" ? joined.gif().toBuffer() : joined.webp().toBuffer();
}

/** The pixel of a picture's first frame, as red, green, blue. */
export async function pixelAt(bytes: Uint8Array, x: number, y: number): Promise<Rgb> {
  const { data, info } = await sharp(bytes)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** Whether two colors are equal except for the loss of an encoder. */
export function isNear(a: Rgb, b: Rgb, tolerance = 24): boolean {
  return a.every((value, channel) => Math.abs(value - b[channel]!) <= tolerance);
}

export const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

/** A PNG with a size in its header that is independent of its data. */
export function pngOf(
  width: number,
  height: number,
  data: Uint8Array,
  extra: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    ...extra,
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A PNG of one color of 16 bits a channel, with or without a profile. */
export function deepPng(width: number, height: number, color: Rgb, profile?: Uint8Array): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 16, 2, 0, 0, 0]);
  const pixel = color.flatMap((value) => [value, value]);
  const line = [0, ...Array<number[]>(width).fill(pixel).flat()];
  const chunks = [
    pngChunk("IHDR", header),
    ...(profile ? [pngChunk("iCCP", Buffer.concat([Buffer.from("x\0\0"), deflateSync(profile)]))] : []),
    pngChunk("IDAT", deflateSync(Buffer.from(Array<number[]>(height).fill(line).flat()))),
    pngChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([pngSignature, ...chunks]);
}

/** An embedded color profile. */
export async function colorProfile(name: "srgb" | "p3"): Promise<Buffer> {
  const jpeg = await plain(8, 8).withIccProfile(name).jpeg().toBuffer();
  return (await sharp(jpeg).metadata()).icc!;
}

/** The compressed data of a black PNG. */
export function blackLines(width: number, height: number): Buffer {
  return deflateSync(Buffer.alloc((width * 3 + 1) * height), { level: 9 });
}

/** The same, without holding the pixels in memory. */
export function blackLinesInPieces(width: number, height: number): Promise<Buffer> {
  const line = Buffer.alloc(width * 3 + 1);
  const lines = Readable.from(Array.from({ length: height }, () => line));
  return buffer(lines.pipe(createDeflate({ level: 9 })));
}

/** An entry of a TIFF directory: its value in up to four bytes, or the offset of a longer one. */
export interface ExifEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array;
}

/** An EXIF block of one directory. */
export function exifBlock(entries: readonly ExifEntry[], little = true): Buffer {
  const directory = 8 + 2 + entries.length * 12 + 4;
  const head = Buffer.alloc(directory);
  const u16 = (value: number, at: number) =>
    little ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    little ? head.writeUInt32LE(value, at) : head.writeUInt32BE(value, at);
  head.write(little ? "II" : "MM", 0, "latin1");
  u16(42, 2);
  u32(8, 4);
  u16(entries.length, 8);
  const values: Uint8Array[] = [];
  let end = directory;
  for (const [n, { tag, type, count, value }] of entries.entries()) {
    const at = 10 + n * 12;
    u16(tag, at);
    u16(type, at + 2);
    u32(count, at + 4);
    if (value.length <= 4) head.set(value, at + 8);
    else {
      u32(end, at + 8);
      values.push(value);
      end += value.length;
    }
  }
  return Buffer.concat([head, ...values]);
}

export function orientationEntry(orientation: number, little = true): ExifEntry {
  const value = Buffer.alloc(4);
  if (little) value.writeUInt16LE(orientation);
  else value.writeUInt16BE(orientation);
  return { tag: 0x0112, type: 3, count: 1, value };
}

export function textEntry(tag: number, text: string): ExifEntry {
  const value = Buffer.from(`${text}\0`);
  return { tag, type: 2, count: value.length, value };
}

/** Inserts an EXIF block after a JPEG's start marker. */
export function jpegWithExif(jpeg: Uint8Array, block: Uint8Array): Buffer {
  const length = 8 + block.length;
  const head = [0xff, 0xe1, length >> 8, length & 0xff, ...Buffer.from("Exif\0\0")];
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(head), block, jpeg.subarray(2)]);
}
