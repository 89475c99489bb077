/** The messages of the logo area as a user reads them, in one table to review. */
import { expect, test } from "vitest";
import { decodeLogo } from "../../../src/engine/logo/decode/decode.ts";
import { describeLogo, describeRaster } from "../../../src/engine/logo/describe.ts";
import { readLogoDescriptor } from "../../../src/engine/logo/descriptor.ts";
import { pngChunk } from "../images/pictures.ts";
import { image, png, solid } from "./drawings.ts";

const raster = solid(8, 8, [200, 30, 30]);

/** The problems of an image as `code: message`. */
async function rejection(file: Uint8Array, role: "query" | "scan", limits = {}): Promise<string> {
  const result = await decodeLogo(file, role, limits);
  if (result.ok) throw new Error("accepted");
  return result.problems.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

/** The error of a call as `Name: message`. */
async function thrown(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  throw new Error("no error");
}

const text = (value: string) => Buffer.from(value);
const truncated = async () => (await png(raster)).subarray(0, -3);
const animatedPng = async () => {
  const file = await png(raster);
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(7, 0);
  return Buffer.concat([file.subarray(0, 33), pngChunk("acTL", frames), file.subarray(33)]);
};
const anyOf = (value: unknown) => value as never;

test.each<[string, () => Promise<string>, string]>([
  [
    "an empty image",
    () => rejection(text(""), "query"),
    "7001: The image must be an image file; found no bytes.",
  ],
  [
    "too many bytes",
    () => rejection(text("four"), "scan", { maxBytes: 3 }),
    "7001: The image must have at most 3 bytes; found 4.",
  ],
  [
    "too many pixels",
    async () => rejection(await png(raster), "scan", { maxPixels: 63 }),
    "7001: The image must have at most 63 pixels; found 8 x 8.",
  ],
  [
    "no image as a query",
    () => rejection(text("<html>"), "query"),
    "7001: The image must be PNG or JPEG; found an unknown format.",
  ],
  [
    "no image as a scan",
    () => rejection(text("<html>"), "scan"),
    "7001: The image must be PNG, JPEG, WebP, GIF or AVIF; found an unknown format.",
  ],
  [
    "a WebP as a query",
    async () => rejection(await image(raster).webp().toBuffer(), "query"),
    "7001: The image must be PNG or JPEG; found `webp`.",
  ],
  [
    "a truncated image",
    async () => rejection(await truncated(), "scan"),
    "7001: The image is damaged or truncated; it could not be decoded to its end.",
  ],
  [
    "an animated PNG",
    async () => rejection(await animatedPng(), "scan"),
    "7001: The image must be a still picture; found 7 frames.",
  ],
  [
    "an image that is not bytes",
    () => thrown(() => describeLogo(anyOf("a.png"))),
    "TypeError: describeLogo takes the bytes of an image file.",
  ],
  [
    "an unknown role",
    () => thrown(() => describeRaster(raster, anyOf("logo"))),
    "TypeError: `role` must be `query` or `scan`; found `logo`.",
  ],
  [
    "sides that are not integers",
    () => thrown(() => describeRaster({ ...raster, width: 2.5 })),
    "RangeError: `width` and `height` must be integers from 1; found `2.5` and `8`.",
  ],
  [
    "data of another length",
    () => thrown(() => describeRaster({ ...raster, width: 9 })),
    "RangeError: `data` of 9 x 8 pixels must have 288 bytes; found 256.",
  ],
  [
    "a descriptor that is not bytes",
    () => thrown(() => readLogoDescriptor(anyOf({}))),
    "TypeError: A logo descriptor must be a Uint8Array.",
  ],
  [
    "bytes that are not a descriptor",
    () => thrown(() => readLogoDescriptor(new Uint8Array(9))),
    "TypeError: These 9 bytes are not a logo descriptor of version 3; describe the picture again.",
  ],
])("the message for %s", async (_name, run, message) => {
  expect(await run()).toBe(message);
});
