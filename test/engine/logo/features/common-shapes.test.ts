/** The generated table of common shapes has what its script draws and describes. */
import { expect, test } from "vitest";
import { describeShapes } from "../../../../scripts/build-shapes.ts";
import {
  commonShapeSimilarity,
  commonShapes,
  writeShapes,
} from "../../../../src/engine/logo/features/common-shapes.ts";

test("the table has the features of every drawn shape", () => {
  const drawn = describeShapes();
  expect(Buffer.compare(writeShapes(commonShapes()), writeShapes(drawn))).toBe(0);
  expect(commonShapes()[7]).toEqual(drawn[7]);
  expect(commonShapeSimilarity(drawn[7]!)).toBeCloseTo(1, 6);
});
