import { imageHash } from "image-hash";
import { expect, test } from "vitest";
import { flatten, picturePyramid, type Raster } from "../../../../src/engine/logo/decode/picture.ts";
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

test.each([48, 500, 511])(
  "the descriptor of a picture %i pixels wide contains the hash of image-hash",
  async (side) => {
    const file = await png(paint(drawings["hooks"]!, { side }));
    expect((await described(file, { role: "scan" })).blockHash).toBe(await publicHash(file));
  },
);

test.each([
  [512, 1, 256],
  [1023, 1, 511],
  [1024, 2, 256],
])(
  "a picture %i pixels wide is halved %i times, to %i pixels, before it is hashed",
  (side, times, halved) => {
    const raster = faint(side, 2 ** times);
    const steps = [flatten(raster, 255)];
    for (let i = 0; i < times; i++) steps.push(picturePyramid(steps[i]!).at(1));
    const hashes = steps.map(blockHash);
    expect(steps[times]!.width).toBe(halved);
    expect(hashes[times]).not.toBe(hashes[times - 1]);
    expect(describeRaster(raster).blockHash).toBe(hashes[times]);
  },
);

/** Gray with stripes of a pattern so faint that halving loses it, but only the halving that makes a cell one pixel. */
function faint(side: number, cell: number): Raster {
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i += 4) {
      const striped = Math.floor((16 * x) / side) % 2 === 0;
      const raised = striped && x % cell < cell / 2 && y % cell < cell / 2;
      data.fill(raised ? 201 : 200, i, i + 3);
    }
  }
  return { width: side, height: side, data };
}

test.each([
  ["dark", [40, 60, 90], 255],
  ["bright", [250, 250, 240], darkMatte],
] as const)("a partly transparent %s logo is hashed on its matte", (_, [r, g, b], matte) => {
  const raster = paint(drawings["hooks"]!, { side: 96 });
  for (let i = 0; i < raster.data.length; i += 4) {
    const alpha = raster.data[i]! > 128 ? 0 : 100 + ((i * 7) % 150);
    raster.data.set([r, g, b, alpha], i);
  }
  const { blockHash: hash } = describeRaster(raster);
  expect(hash).toBe(blockHash(flatten(raster, matte)));
  expect(hash).not.toBe(blockHash(flatten({ ...raster, data: opaque(raster.data) }, matte)));
});

/** The same colors without alpha, as image-hash's own function reads them. */
function opaque(data: Uint8Array): Uint8Array {
  return data.map((value, i) => (i % 4 === 3 ? 255 : value));
}
