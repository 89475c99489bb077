/**
 * Files that are cut off, of every accepted format and container feature, from several encoders: those of `fixtures/images`
 * are by avifenc 0.11, heif-enc 1.15, gifsicle 1.93, cwebp and webpmux 1.2.4.
 */
import { readFile } from "node:fs/promises";
import { validateImage } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { avifFiles, otherFiles, pngFiles } from "./containers/picture-files.ts";
import { noisy } from "./pictures.ts";

interface WholeFile {
  readonly bytes: Buffer;
  /** Bytes that its picture needs, from the start. */
  readonly needed: number;
}

/** Files by other encoders, with the bytes at their ends that their pictures do not need: a thumbnail, XMP. */
const fixtures: Readonly<Record<string, number>> = {
  "grid-avifenc.avif": 0,
  "grid-alpha-avifenc.avif": 0,
  "alpha-avifenc.avif": 0,
  "thumbnail-heif-enc.avif": 83,
  "animated-gifsicle.gif": 0,
  "animated-xmp-webpmux.webp": 356,
  "alpha-cwebp.webp": 0,
};

let files: [string, WholeFile][];

beforeAll(async () => {
  files = [];
  const add = (name: string, bytes: Buffer, spare = 0) =>
    files.push([name, { bytes, needed: bytes.length - spare }]);
  for (const group of [await avifFiles(), await pngFiles(), await otherFiles()])
    for (const [name, { bytes, spare }] of Object.entries(group)) add(name, bytes, spare);
  for (const [name, spare] of Object.entries(fixtures))
    add(name, await readFile(new URL(`../../../fixtures/images/${name}`, import.meta.url)), spare);
  const jpeg = await noisy(40, 30).jpeg().toBuffer();
  add("JPEG with a gain map behind it", Buffer.concat([jpeg, jpeg]), jpeg.length);
  add("JPEG, progressive, with an end marker in a comment", await withMarkerInComment());
  add(
    "SVG",
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g><rect width="9" height="9"/></g></svg>'),
  );
});

/** A comment that contains the bytes of the end marker, between two scans. */
async function withMarkerInComment(): Promise<Buffer> {
  const jpeg = await noisy(40, 30).jpeg({ progressive: true }).toBuffer();
  const scans = jpeg.indexOf(Buffer.of(0xff, 0xda));
  const table = jpeg.indexOf(Buffer.of(0xff, 0xc4), scans);
  return Buffer.concat([
    jpeg.subarray(0, table),
    Buffer.of(0xff, 0xfe, 0, 4, 0xff, 0xd9),
    jpeg.subarray(table),
  ]);
}

const accepts = async (bytes: Uint8Array) => (await validateImage(bytes)).ok;
const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

test("a file is accepted with the last byte that its picture needs, and rejected without it", async () => {
  for (const [name, { bytes, needed }] of files) {
    expect([name, await accepts(bytes)]).toEqual([name, true]);
    // The decoder does not open a WebP that is shorter than its container.
    const isEnough = needed === bytes.length || !name.endsWith(".webp");
    expect([name, await accepts(bytes.subarray(0, needed))]).toEqual([name, isEnough]);
    expect([name, await accepts(bytes.subarray(0, needed - 1))]).toEqual([name, false]);
  }
});

test("no file that is cut off before the last byte that its picture needs is accepted", async () => {
  const cut = fc.tuple(fc.constantFrom(...files), fc.nat());
  await fc.assert(
    fc.asyncProperty(cut, async ([[name, { bytes, needed }], at]) => {
      const end = at % needed;
      expect([name, end, await accepts(bytes.subarray(0, end))]).toEqual([name, end, false]);
    }),
    { numRuns: runs(10_000) },
  );
});

test("a file that is cut off and accepted shows the same pixels", async () => {
  const withRest = files.filter(([, { bytes, needed }]) => needed < bytes.length);
  const cut = fc.tuple(fc.constantFrom(...withRest), fc.nat());
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(cut, async ([[, { bytes, needed }], at]) => {
      const shorter = bytes.subarray(0, needed + (at % (bytes.length - needed)));
      if (!(await accepts(shorter))) return;
      accepted++;
      expect(await pixelsOf(shorter)).toEqual(await pixelsOf(bytes));
    }),
    { numRuns: runs(1_000) },
  );
  expect(accepted).toBeGreaterThan(0);
});
