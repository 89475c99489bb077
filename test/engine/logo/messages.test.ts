/** The messages of the logo area as a user reads them, in one table to review. */
import { expect, test } from "vitest";
import { decodeLogo } from "../../../src/engine/logo/decode/decode.ts";
import { describeLogo, describeRaster } from "../../../src/engine/logo/describe.ts";
import { readLogoDescriptor } from "../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../src/engine/logo/features/compare.ts";
import { createHashTable } from "../../../src/engine/logo/index/hamming.ts";
import { createLogoIndex } from "../../../src/engine/logo/index/search-index.ts";
import { pngChunk } from "../images/pictures.ts";
import { image, png, solid } from "./drawings.ts";

const raster = solid(8, 8, [200, 30, 30]);
const query = describeRaster(raster, "query");
const scan = describeRaster(raster, "scan");

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
    "TypeError: These 9 bytes are not a logo descriptor of version 2; describe the picture again.",
  ],
  [
    "two descriptors of one role",
    () => thrown(() => compareLogos(scan, scan)),
    "TypeError: compareLogos takes descriptors with roles `query` and `scan`; found `scan` and `scan`.",
  ],
  [
    "an entry of the wrong role",
    () => thrown(() => createLogoIndex().add("a", query)),
    "TypeError: `add` of this index takes a descriptor with role `scan`; found `query`.",
  ],
  [
    "a target of the wrong role",
    () => thrown(() => createLogoIndex().search(scan, { threshold: 0.5 })),
    "TypeError: `search` of this index takes a descriptor with role `query`; found `scan`.",
  ],
  [
    "a threshold out of range",
    () => thrown(() => createLogoIndex().search(query, { threshold: 2 })),
    "RangeError: `threshold` must be a number from 0 to 1; found `2`.",
  ],
  [
    "a limit that is not an integer",
    () => thrown(() => createLogoIndex().search(query, { threshold: 0.5, limit: 1.5 })),
    "RangeError: `limit` must be an integer from 0; found `1.5`.",
  ],
  [
    "a loader that returns too few descriptors",
    () =>
      thrown(() => {
        const index = createLogoIndex({ load: () => [] });
        index.add("a", scan);
        return index.search(query, { threshold: 0 });
      }),
    "TypeError: `load` must return an array of 1 descriptor; found an empty array.",
  ],
  [
    "a prefilter hash of another length",
    () => thrown(() => createHashTable().append(new Uint8Array(31))),
    "RangeError: A prefilter hash must have 32 bytes; found 31.",
  ],
])("the message for %s", async (_name, run, message) => {
  expect(await run()).toBe(message);
});

test("a search with a rejected image reports its problems", async () => {
  const search = createLogoIndex().search(text("<html>"), { threshold: 0.5 });
  await expect(search).rejects.toMatchObject({
    name: "InvalidInputError",
    problems: [{ code: 7001, message: "The image must be PNG or JPEG; found an unknown format." }],
  });
});
