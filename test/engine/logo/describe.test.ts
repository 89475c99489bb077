/** Input that describing rejects before it reads a pixel. */
import { expect, test } from "vitest";
import { quote } from "../../../src/core/text/quote.ts";
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
])("describeRaster rejects a raster of %j x %j pixels", (width, height) => {
  const bytes = Number(width) * Number(height) * 4;
  const raster = { width, height, data: new Uint8Array(Number.isFinite(bytes) ? bytes : 0) };
  expect(() => describeRaster(raster as never)).toThrow(
    new RangeError(
      `\`width\` and \`height\` must be integers from 1; found ${width === undefined ? "nothing" : quote(width)} and \`${height}\`.`,
    ),
  );
});

test("describeRaster rejects data without four bytes for each pixel", () => {
  expect(() => describeRaster({ width: 2, height: 3, data: four })).toThrow(
    new RangeError("`data` of 2 x 3 pixels must have 24 bytes; found 16."),
  );
  expect(describeRaster({ width: 2, height: 2, data: four })).toMatchObject({ width: 2, height: 2 });
});

test.each(["foo", "", "Query", null, 1])("describing rejects the role %j", async (role) => {
  const message = `\`role\` must be \`query\` or \`scan\`; found \`${role}\`.`;
  const raster = { width: 2, height: 2, data: four };
  expect(() => describeRaster(raster, role as never)).toThrow(new TypeError(message));
  await expect(describeLogo(four, { role: role as never })).rejects.toThrow(new TypeError(message));
});
