/**
 * Files that are cut off, of every accepted format and container feature, from several encoders: those of `fixtures/images`
 * are by avifenc 0.11, heif-enc 1.15, gifsicle 1.93, cwebp and webpmux 1.2.4.
 */
import { readFile } from "node:fs/promises";
import { validateImage } from "edgeproof/images";
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { planVariant } from "../../../src/engine/images/render/render.ts";
import { openUpload } from "../../../src/engine/images/validate-image.ts";
import { runs } from "../../support/runs.ts";
import { heicFiles } from "./containers/heic-files.ts";
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
  for (const [name, { bytes, spare = 0 }] of Object.entries(await heicFiles()))
    add(`HEIC: ${name}`, bytes, spare);
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

const accepts = async (bytes: Uint8Array) => (await validateImage(bytes, { heic: "accept" })).ok;
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
    { numRuns: runs(4_000) },
  );
});

test("a file that is cut off and accepted shows the same pixels", async () => {
  const withRest = files.filter(
    ([name, { bytes, needed }]) => needed < bytes.length && !name.startsWith("HEIC"),
  );
  const cut = fc.tuple(fc.constantFrom(...withRest), fc.nat());
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(cut, async ([[, { bytes, needed }], at]) => {
      const shorter = bytes.subarray(0, needed + (at % (bytes.length - needed)));
      if (!(await accepts(shorter))) return;
      accepted++;
      expect(await pixelsOf(shorter)).toEqual(await pixelsOf(bytes));
    }),
    { numRuns: runs(400) },
  );
  expect(accepted).toBeGreaterThan(0);
});

/** One picture that is damaged: cut off, with or without an end marker, or with other bytes. */
interface Damage {
  /** Where it is cut off, as a share of its bytes; 1 for not at all. */
  readonly end: number;
  readonly marker: boolean;
  /** Places as shares, with the bits that change there. */
  readonly flips: readonly (readonly [at: number, bits: number])[];
}

const share = fc.nat(999_999).map((n) => n / 1_000_000);
const damages: fc.Arbitrary<Damage> = fc.record({
  end: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, share),
  marker: fc.boolean(),
  flips: fc.oneof(
    fc.constant([]),
    // Headers and last lines are small shares of a file.
    {
      weight: 3,
      arbitrary: fc.array(
        fc.tuple(
          fc.oneof(
            share,
            share.map((at) => 1 - at / 16),
          ),
          fc.integer({ min: 1, max: 255 }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    },
  ),
});

/** The last bytes of a file, behind which nothing is needed. */
const endMarkers: Readonly<Record<string, Buffer>> = {
  jpeg: Buffer.of(0xff, 0xd9),
  png: Buffer.from("0000000049454e44ae426082", "hex"),
  gif: Buffer.of(0, 0x3b),
};

function damage(bytes: Buffer, type: string, { end, marker, flips }: Damage): Buffer {
  const length = Math.floor(bytes.length * end);
  const cut = Buffer.concat([bytes.subarray(0, length), (marker && endMarkers[type]) || Buffer.alloc(0)]);
  for (const [at, bits] of flips) {
    const place = Math.floor(at * cut.length);
    if (place < cut.length) cut.writeUInt8(cut.readUInt8(place) ^ bits, place);
  }
  return cut;
}

/** Still pictures, with more lines than decoders keep at a time. */
async function stillPictures(): Promise<Readonly<Record<string, readonly Buffer[]>>> {
  const picture = noisy(150, 110);
  const jpegs = ["4:2:0", "4:4:4"].flatMap((chromaSubsampling) =>
    [false, true].map((progressive) => picture.clone().jpeg({ chromaSubsampling, progressive }).toBuffer()),
  );
  const turned = picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const gray = picture.clone().grayscale().jpeg().toBuffer();
  const cmyk = picture.clone().toColourspace("cmyk").jpeg().toBuffer();
  const pngs = [
    picture.clone().png().toBuffer(),
    picture.clone().png({ progressive: true }).toBuffer(),
    picture.clone().ensureAlpha(0.5).toColourspace("rgb16").png().toBuffer(),
    picture.clone().png({ palette: true }).toBuffer(),
    picture.clone().withMetadata({ orientation: 6 }).png().toBuffer(),
  ];
  const webps = [{}, { lossless: true }].flatMap((options) => [
    picture.clone().webp(options).toBuffer(),
    picture.clone().ensureAlpha(0.5).webp(options).toBuffer(),
    picture.clone().withMetadata({ orientation: 8 }).webp(options).toBuffer(),
  ]);
  return {
    jpeg: await Promise.all([...jpegs, turned, gray, cmyk]),
    png: await Promise.all(pngs),
    webp: await Promise.all(webps),
    gif: [await picture.clone().gif().toBuffer()],
    avif: [await picture.clone().avif({ effort: 0 }).toBuffer()],
  };
}

test.each(["jpeg", "png", "webp", "gif", "avif"])(
  "a rendering that decodes every line of a %s rejects what its validation rejects",
  async (type) => {
    const pictures = (await stillPictures())[type] as readonly Buffer[];
    const sides = fc.record({
      fit: fc.constantFrom("scale-down", "contain", "pad", "cover", "crop"),
      width: fc.integer({ min: 20, max: 300 }),
      height: fc.integer({ min: 20, max: 300 }),
    });
    // Encoding as GIF or AVIF takes most of the time.
    const accept = type === "gif" || type === "avif" ? "image/webp" : undefined;
    const found = { accepted: 0, rejected: 0 };
    const arbitrary = fc.tuple(fc.constantFrom(...pictures), damages, sides);
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([whole, damaged, options]) => {
        const bytes = damage(whole, type, damaged);
        const upload = await openUpload(bytes);
        const planned = await planVariant(bytes, options, { accept });
        if (!upload.ok || !planned.ok || !planned.value.decodesAll) return;
        const isAccepted = (await upload.value.findDamage()) === undefined;
        found[isAccepted ? "accepted" : "rejected"]++;
        expect((await planned.value.render()).ok).toBe(isAccepted);
      }),
      { numRuns: runs(400, 200) },
    );
    expect(Object.entries(found).filter(([, count]) => count === 0)).toEqual([]);
  },
  600_000,
);
