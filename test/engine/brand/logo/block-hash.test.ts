import { imageHash } from "image-hash";
import { expect, test } from "vitest";
import { blockHash } from "../../../../src/engine/brand/logo/block-hash.ts";
import { described, drawings, paint, png } from "./drawings.ts";

/** image-hash's public function: decodes for itself. */
function publicHash(data: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    imageHash({ data, ext: "image/png" }, 16, true, (error: Error | null, hash: string) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

const rasters = Object.values(drawings).flatMap((drawing, i) =>
  [48, 64, 75, 101].map((side) => paint(drawing, { side, margin: 0.05 * i, ink: [200, 40 * i, 10] })),
);

test("the private entry gives what image-hash's public function gives", async () => {
  for (const raster of rasters) expect(blockHash(raster)).toBe(await publicHash(await png(raster)));
});

test("transparent pixels too", async () => {
  const raster = paint(drawings["wing"]!, { side: 80 });
  for (let i = 3; i < raster.data.length; i += 4) if (raster.data[i - 3]! > 200) raster.data[i] = 0;
  expect(blockHash(raster)).toBe(await publicHash(await png(raster)));
});

test("a descriptor carries it", async () => {
  const file = await png(rasters[0]!);
  expect((await described(file, { role: "scan" })).blockHash).toBe(await publicHash(file));
});
