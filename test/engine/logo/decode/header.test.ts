import sharp from "sharp";
import { expect, test } from "vitest";
import { readPngHeader } from "../../../../src/engine/logo/decode/header.ts";
import { drawings, image, paint } from "../drawings.ts";

const raster = paint(drawings["hooks"]!, { side: 40 });

test("the header of every kind of PNG equals the one that sharp reads", async () => {
  const wide = image(raster).resize(61, 17, { fit: "fill" });
  const kinds = [
    wide.clone().png(),
    wide.clone().png({ palette: true, colors: 4 }),
    wide.clone().png({ progressive: true }),
    wide.clone().removeAlpha().greyscale().toColourspace("b-w").png(),
    wide.clone().toColourspace("rgb16").png(),
    wide.clone().png().withMetadata({ orientation: 6 }),
  ];
  for (const kind of kinds) {
    const file = await kind.toBuffer();
    const { format, width, height } = await sharp(file).metadata();
    expect(readPngHeader(file)).toMatchObject({ format, width, height, pages: 1 });
  }
});

test("other, truncated and changed files have no PNG header", async () => {
  const png = await image(raster).png().toBuffer();
  const jpeg = await image(raster).removeAlpha().jpeg().toBuffer();
  expect(readPngHeader(jpeg)).toBeUndefined();
  expect(readPngHeader(png.subarray(0, 32))).toBeUndefined();
  for (const at of [0, 7, 12, 15]) {
    const changed = Buffer.from(png);
    changed[at]! ^= 1;
    expect(readPngHeader(changed)).toBeUndefined();
  }
});
