import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeLogo } from "../../../../src/engine/logo/decode/decode.ts";
import { describeLogo } from "../../../../src/engine/logo/describe.ts";
import { colorProfile, deepPng } from "../../images/pictures.ts";
import { drawings, image, paint, png } from "../drawings.ts";

const raster = paint(drawings["hooks"]!, { side: 64 });
let good: Buffer;
let jpeg: Buffer;

beforeAll(async () => {
  good = await png(raster);
  jpeg = await image(raster).removeAlpha().jpeg({ quality: 90 }).toBuffer();
});

/** The message of the problem that rejects an image. */
async function rejection(file: Uint8Array, role: "query" | "scan" = "query"): Promise<string> {
  const outcome = await describeLogo(file, { role });
  if (outcome.ok) throw new Error("accepted");
  expect(outcome.problems).toHaveLength(1);
  expect(outcome.problems[0].code).toBe(7001);
  return outcome.problems[0].message;
}

/** The good PNG with a chunk that declares a number of frames. */
function animated(frames: number): Buffer {
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  chunk.write("acTL", 4, "latin1");
  chunk.writeUInt32BE(frames, 8);
  chunk.writeUInt32BE(crcOf(chunk.subarray(4, 16)), 16);
  return Buffer.concat([good.subarray(0, 33), chunk, good.subarray(33)]);
}

function crcOf(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** A PNG whose header declares another size than its data has. */
function claiming(width: number, height: number): Buffer {
  const forged = Buffer.from(good);
  forged.writeUInt32BE(width, 16);
  forged.writeUInt32BE(height, 20);
  forged.writeUInt32BE(crcOf(forged.subarray(12, 29)), 29);
  return forged;
}

describe("the message of a rejected image names the fault", () => {
  test("an empty file", async () => {
    expect(await rejection(new Uint8Array())).toBe("The image must be an image file; found no bytes.");
  });

  test("a file that is not an image", async () => {
    expect(await rejection(Buffer.from("<html>hello</html>"))).toBe(
      "The image must be PNG or JPEG; found an unknown format.",
    );
  });

  test("a PNG or JPEG truncated at any eighth of the file", async () => {
    for (const file of [good, jpeg]) {
      for (let eighths = 3; eighths < 8; eighths++) {
        const cut = file.subarray(0, Math.floor((file.length * eighths) / 8));
        expect(await rejection(cut)).toMatch(/damaged or truncated|unknown format/);
      }
    }
  });

  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "a %s file without its last bytes",
    async (format) => {
      const file = await image(raster).removeAlpha().toFormat(format, { effort: 1 }).toBuffer();
      expect((await describeLogo(file)).ok).toBe(true);
      for (const missing of [1, 2, 3, 4, 8, 12, 20]) {
        const cut = file.subarray(0, file.length - missing);
        expect(await rejection(cut, "scan"), `${missing} bytes missing`).toMatch(/damaged or truncated/);
      }
    },
  );

  test("more bytes than the maximum; exactly the maximum is accepted", async () => {
    const outcome = await decodeLogo(good, "query", { maxBytes: good.length - 1 });
    expect(outcome).toMatchObject({
      ok: false,
      problems: [
        {
          code: 7001,
          message: `The image must have at most ${good.length - 1} bytes; found ${good.length}.`,
        },
      ],
    });
    expect((await decodeLogo(good, "query", { maxBytes: good.length })).ok).toBe(true);
    expect(await rejection(new Uint8Array(5 * 1024 * 1024 + 1))).toMatch(/at most 5242880 bytes/);
  });

  test("more pixels than the maximum, before any pixel is decoded", async () => {
    expect(await rejection(claiming(5001, 5000))).toBe(
      "The image must have at most 25000000 pixels; found 5001 x 5000.",
    );
    expect((await decodeLogo(good, "query", { maxPixels: 64 * 64 })).ok).toBe(true);
    expect((await decodeLogo(good, "query", { maxPixels: 64 * 64 - 1 })).ok).toBe(false);
  });

  test("an animated WebP", async () => {
    const frames = Buffer.concat([raster.data, raster.data.map((v) => 255 - v)]);
    const webp = await sharp(frames, { raw: { width: 64, height: 128, channels: 4, pageHeight: 64 } })
      .webp()
      .toBuffer();
    expect(await rejection(webp, "scan")).toBe("The image must be a still picture; found 2 frames.");
  });

  test("an animated PNG, which decoders read as a still picture; one frame is accepted", async () => {
    expect(await rejection(animated(7))).toBe("The image must be a still picture; found 7 frames.");
    expect((await describeLogo(animated(1))).ok).toBe(true);
  });

  test("an AVIF image sequence", async () => {
    const avif = await image(raster).avif({ quality: 30, effort: 0 }).toBuffer();
    expect((await describeLogo(avif)).ok).toBe(true);
    avif.write("avis", 8, "latin1");
    expect(await rejection(avif, "scan")).toMatch(
      /^The image must be .*; found an (animation|unknown format)\.$/,
    );
  });

  test("a format that the role or the decoder does not accept", async () => {
    const webp = await image(raster).webp().toBuffer();
    const tiff = await image(raster).tiff().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await rejection(webp)).toBe("The image must be PNG or JPEG; found `webp`.");
    expect((await describeLogo(webp)).ok).toBe(true);
    expect(await rejection(tiff, "scan")).toMatch(/must be PNG, JPEG, WebP, GIF or AVIF; found `tiff`/);
    expect(await rejection(svg, "scan")).toMatch(/found `svg`/);
  });
});

test("decoding applies the orientation", async () => {
  const turned = await image(raster).removeAlpha().png().withMetadata({ orientation: 6 }).toBuffer();
  const upright = await image(raster).removeAlpha().rotate(90).png().toBuffer();
  expect(await decodeLogo(turned, "scan")).toEqual(await decodeLogo(upright, "scan"));
});

test("decoding keeps partial transparency", async () => {
  const glass = await png({ width: 1, height: 1, data: Uint8Array.of(200, 100, 50, 128) });
  const outcome = await decodeLogo(glass, "query");
  expect(outcome.ok && [...outcome.value.data]).toEqual([200, 100, 50, 128]);
});

test("gray and 16-bit pictures are decoded to 8-bit sRGB", async () => {
  const gray = await image(raster).greyscale().removeAlpha().toColourspace("b-w").png().toBuffer();
  const deep = await image(raster).toColourspace("rgb16").png().toBuffer();
  for (const file of [gray, deep]) {
    const outcome = await decodeLogo(file, "scan");
    expect(outcome.ok && outcome.value.data.length).toBe(64 * 64 * 4);
  }
});

test("decoding applies the color profile at every depth", async () => {
  const [srgb, p3] = [await colorProfile("srgb"), await colorProfile("p3")];
  const colors = async (profile?: Uint8Array) => {
    const outcome = await decodeLogo(deepPng(2, 2, [255, 64, 0], profile), "scan");
    return outcome.ok && [...outcome.value.data.subarray(0, 3)];
  };
  expect(await colors()).toEqual([255, 64, 0]);
  expect(await colors(srgb)).toEqual([255, 64, 0]);
  expect(await colors(p3)).toEqual([255, 28, 0]);
});

test("describing leaves the process-wide settings of sharp unchanged", async () => {
  const before = [sharp.cache(), sharp.concurrency(), sharp.simd()];
  await describeLogo(good);
  expect([
    { ...sharp.cache(), memory: expect.anything(), items: expect.anything() },
    sharp.concurrency(),
    sharp.simd(),
  ]).toEqual([
    { ...(before[0] as object), memory: expect.anything(), items: expect.anything() },
    before[1],
    before[2],
  ]);
});
