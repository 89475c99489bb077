/** Prepares the engine of logos, so that the first picture takes little longer than the next: for threads that start. */

import { runSteps } from "../../core/work/steps.ts";
import { decodeLogo } from "./decode/decode.ts";
import type { Raster } from "./decode/picture.ts";
import { calibrationDrawings } from "./dense/calibration-pictures.ts";
import { compileDetector } from "./dense/detector.ts";
import { searchSteps } from "./dense/search-picture.ts";
import { describeRaster } from "./describe.ts";
import { compareWhole } from "./features/compare.ts";

/** A PNG of one pixel: its decoding loads the image library. */
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Times that each step runs: V8 has compiled most of it then. `chosen` */
const repeats = 3;

/** Loads the image library, draws what logos are compared with, and runs each step on drawn pictures. */
export async function prepareLogos(): Promise<void> {
  await decodeLogo(Buffer.from(onePixel, "base64"), "query");
  const page = calibrationDrawings[0]?.();
  if (!page) return;
  const logo = cornerOf(page);
  for (let i = 0; i < repeats; i++) {
    compareWhole(describeRaster(logo, "query"), describeRaster(page, "scan"));
    runSteps(searchSteps(page, [compileDetector(logo)]));
  }
}

/** A part of a picture. */
function cornerOf({ width, data }: Raster): Raster {
  const side = 120;
  const corner = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y++) {
    const from = y * width * 4;
    corner.set(data.subarray(from, from + side * 4), y * side * 4);
  }
  return { width: side, height: side, data: corner };
}
