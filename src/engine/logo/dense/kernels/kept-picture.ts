/**
 * Pictures that every logo is searched in. Each is drawn and prepared once; its field and bins are kept, which take about
 * as much memory as its pixels. `chosen`
 */

import type { Steps } from "../../../../core/work/steps.ts";
import type { Raster } from "../../decode/picture.ts";
import { type PreparedPage, prepareSteps, restoreSteps, type SavedPage, savePage } from "../prepare-page.ts";
import type { Workspace } from "./kernels.ts";

/** Prepares the same picture at each call, in a workspace that it may write again. */
export type KeptPicture = (reuse: Workspace | undefined) => Steps<PreparedPage>;

/** A picture that is drawn at the first call. */
export function keptPicture(draw: () => Raster): KeptPicture {
  let saved: SavedPage | undefined;
  return function* prepare(reuse) {
    if (saved) return yield* restoreSteps(saved, { reuse });
    const page = yield* prepareSteps(draw(), { reuse });
    saved = savePage(page);
    return page;
  };
}
