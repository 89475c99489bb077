import { imageHash } from "image-hash";
import { expect, test } from "vitest";
import { flatten } from "../../../../src/engine/logo/decode/picture.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { blockHash } from "../../../../src/engine/logo/features/block-hash.ts";
import { darkMatte } from "../../../../src/engine/logo/tuning.ts";
import { described, drawings, paint, png } from "../drawings.ts";

/** image-hash's public function, which decodes the file itself. */
function publicHash(data: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    imageHash({ data, ext: "image/png" }, 16, true, (error: Error | null, hash: string) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

const rasters = Object.values(drawings).flatMap((drawing, i) =>
  [48, 64, 75, 101].map((side) => paint(drawing, { side, margin: 0.05 * i, foreground: [200, 40 * i, 10] })),
);

test("the block hash equals the result of image-hash's public function", async () => {
  for (const raster of rasters)
    expect(blockHash(flatten(raster, 255))).toBe(await publicHash(await png(raster)));
});

test("both functions treat transparent pixels as white", async () => {
  const raster = paint(drawings["wing"]!, { side: 80 });
  for (let i = 3; i < raster.data.length; i += 4) if (raster.data[i - 3]! > 200) raster.data[i] = 0;
  expect(blockHash(flatten(raster, 255))).toBe(await publicHash(await png(raster)));
});

test("the descriptor of a picture has the hash of its thumbnail by image-hash", async () => {
  for (const side of [9, 48, 511, 1024]) {
    const { blockHash: hash, thumbnail } = await described(await png(paint(drawings["hooks"]!, { side })), {
      role: "scan",
    });
    const pixels = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) =>
      i % 4 === 3 ? 255 : thumbnail[3 * (i >> 2) + (i % 4)]!,
    );
    expect(hash).toBe(await publicHash(await png({ width: 16, height: 16, data: pixels })));
  }
});

test.each([
  ["dark", [40, 60, 90], 255],
  ["bright", [250, 250, 240], darkMatte],
] as const)("a partly transparent %s logo is hashed on its matte", (_, [r, g, b], matte) => {
  const raster = paint(drawings["hooks"]!, { side: 96 });
  for (let i = 0; i < raster.data.length; i += 4) {
    const alpha = raster.data[i]! > 128 ? 0 : 100 + ((i * 7) % 150);
    raster.data.set([r, g, b, alpha], i);
  }
  const { width, height, rgb } = flatten(raster, matte);
  const data = Uint8Array.from({ length: width * height * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : rgb[3 * (i >> 2) + (i % 4)]!,
  );
  const { blockHash: hash } = describeRaster(raster);
  expect(hash).toBe(describeRaster({ width, height, data }).blockHash);
  expect(hash).not.toBe(describeRaster({ ...raster, data: opaque(raster.data) }).blockHash);
});

/** The same colors without alpha, as image-hash's own function reads them. */
function opaque(data: Uint8Array): Uint8Array {
  return data.map((value, i) => (i % 4 === 3 ? 255 : value));
}
