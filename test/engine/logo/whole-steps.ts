/** Steps of the search for logos, run without a pause. */
import { runSteps } from "../../../src/core/work/steps.ts";
import type { Raster } from "../../../src/engine/logo/decode/picture.ts";
import { shrinkSteps } from "../../../src/engine/logo/decode/shrink.ts";
import { cutPartsSteps } from "../../../src/engine/logo/dense/cutout/cut-parts.ts";
import { type Cutout, cutOutSteps } from "../../../src/engine/logo/dense/cutout/cutout.ts";
import { type PrepareOptions, prepareSteps } from "../../../src/engine/logo/dense/prepare-page.ts";
import { templateSteps } from "../../../src/engine/logo/dense/templates.ts";

export const shrinkRaster = (raster: Raster, side: number) => runSteps(shrinkSteps(raster, side));
export const cutOut = (raster: Raster) => runSteps(cutOutSteps(raster));
export const cutParts = (cutout: Cutout) => runSteps(cutPartsSteps(cutout));
export const templatesOf = (cutout: Cutout) => runSteps(templateSteps(cutout));
export const preparePage = (raster: Raster, options?: PrepareOptions) =>
  runSteps(prepareSteps(raster, options));
