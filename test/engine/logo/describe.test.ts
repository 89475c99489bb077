/** What describing refuses, before it looks at a pixel. */
import { expect, test } from "vitest";
import { describeLogo, describeRaster } from "../../../src/engine/logo/describe.ts";

const four = new Uint8Array(16);

test.each<[unknown, unknown]>([
  [2.5, 2],
  ["2", 2],
  [2, "2"],
  [0, 2],
  [-2, -2],
  [Number.NaN, 2],
  [Number.POSITIVE_INFINITY, 2],
  [undefined, 2],
])("a raster of %j x %j pixels is none", (width, height) => {
  const bytes = Number(width) * Number(height) * 4;
  const raster = { width, height, data: new Uint8Array(Number.isFinite(bytes) ? bytes : 0) };
  expect(() => describeRaster(raster as never)).toThrow(
    new RangeError(`width and height are whole numbers from 1 up, not \`${width}\` and \`${height}\`.`),
  );
});

test("a raster has four bytes for each pixel", () => {
  expect(() => describeRaster({ width: 2, height: 3, data: four })).toThrow(
    new RangeError("A raster of 2 x 3 pixels has 24 bytes, not 16."),
  );
  expect(describeRaster({ width: 2, height: 2, data: four })).toMatchObject({ width: 2, height: 2 });
});

test.each(["foo", "", "Query", null, 1])("there is no role %j", async (role) => {
  const message = `role is \`query\` or \`scan\`, not \`${role}\`.`;
  const raster = { width: 2, height: 2, data: four };
  expect(() => describeRaster(raster, role as never)).toThrow(new TypeError(message));
  await expect(describeLogo(four, { role: role as never })).rejects.toThrow(new TypeError(message));
});
