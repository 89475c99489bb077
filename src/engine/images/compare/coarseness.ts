/** How differently two JPEGs are quantized: a much lower quality has noise that no measure of pixels tells from an encoder's. */
import { readMeanStep } from "../../picture/header-jpeg.ts";
import type { RasterImage } from "../render/raster-image.ts";

/** The maximum of files that look the same, in octaves (chosen): from quality 100 to 80, or 85 to 55. */
export const maxCoarseness = 0.8;
/** Addition to the mean step, so that invisible steps count little (chosen). */
const invisibleStep = 32;

/** A file and its header. */
export type OpenFile = readonly [bytes: Uint8Array, image: RasterImage];

/** The change of the mean step, in octaves; 0 when one of the files is no JPEG. */
export function coarsenessOf(actual: OpenFile, golden: OpenFile): number {
  const [found, wanted] = [meanStepOf(actual), meanStepOf(golden)];
  if (found === undefined || wanted === undefined) return 0;
  return Math.abs(Math.log2((found + invisibleStep) / (wanted + invisibleStep)));
}

function meanStepOf([bytes, { type }]: OpenFile): number | undefined {
  return type === "jpeg" ? readMeanStep(bytes) : undefined;
}
