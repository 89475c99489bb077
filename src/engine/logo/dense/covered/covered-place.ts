/** Finds a logo of which a part is covered: by the edges and the colors of what is in sight. */

import type { Steps } from "../../../../core/work/steps.ts";
import type { Raster } from "../../decode/picture.ts";
import {
  blocksPerSide,
  colorTolerance,
  coveredPlaceWork,
  maxHiddenShare,
  minColoredShare,
  minColorMatch,
  minCoveredSize,
  minEdgedBlocks,
  minFirstShare,
} from "../dense-tuning.ts";
import type { Place } from "../find-best.ts";
import type { PreparedPage } from "../prepare-page.ts";
import { boxOfFit, type Fit, fitSomePoints, type LogoBox, verifyBlocks } from "../verify-box.ts";
import { type Appearance, colorMatch, mayAppear, observe } from "./appearance.ts";
import { type Cover, coverOf, type GridTest, innerBlocks, isCovered, reachesSide } from "./cover.ts";

/** A place where a part of a logo is covered. */
export interface CoveredPlace {
  /** The box of the whole logo in the picture. */
  readonly box: LogoBox;
  /** Similarity of what is in sight before calibration, at most 1. */
  readonly value: number;
}

/** The page and the picture in which covered places are searched. */
export interface CoveredSearch {
  readonly page: PreparedPage;
  readonly picture: Raster;
  /** Whether the silhouette of the logo is a disc or a tile: other discs and tiles differ only inside. */
  readonly isPlain: boolean;
  /** Moves a box of the page to the picture. */
  readonly move: (box: LogoBox) => LogoBox;
}

/** The best covered place of a logo, in steps; undefined where its colors are not in sight. */
export function* coveredPlaceSteps(
  search: CoveredSearch,
  appearance: Appearance,
  places: readonly Place[],
): Steps<CoveredPlace | undefined> {
  let best: CoveredPlace | undefined;
  for (const { fit, box } of places) {
    if (!mayAppear(appearance, search.picture, search.move(box))) continue;
    const place = coveredPlace(search, appearance, fit);
    if (place && place.value > (best?.value ?? -1)) best = place;
    yield coveredPlaceWork;
  }
  return best;
}

const blocks = Array.from({ length: blocksPerSide * blocksPerSide }, (_, block) => block);

function coveredPlace(
  { page, picture, isPlain, move }: CoveredSearch,
  appearance: Appearance,
  fit: Fit,
): CoveredPlace | undefined {
  const first = observe(appearance, picture, move(boxOfFit(fit)));
  const cover = coverOf(appearance, first.deviations);
  if (!cover || !isLikely(appearance, first.deviations, cover, minFirstShare)) return undefined;
  // The cover has pulled the box to itself.
  const refit = fitSomePoints(page, fit, (...at) => !isCovered(cover, ...at));
  const box = move(boxOfFit(refit));
  if ((box[2] - box[0]) * (box[3] - box[1]) < minCoveredSize ** 2) return undefined;
  const observed = observe(appearance, picture, box);
  const last = coverOf(appearance, observed.deviations);
  // Another symbol inside of a disc, a ring or a tile reaches no side.
  if (!last || !reachesSide(last)) return undefined;
  if (!isLikely(appearance, observed.deviations, last, minColoredShare)) return undefined;
  const isCompared: GridTest = (...at) =>
    !isCovered(last, ...at) && (!isPlain || isCovered(innerBlocks, ...at));
  const match = colorMatch(appearance, observed, isCompared);
  if (match < minColorMatch) return undefined;
  const compared = blocks.filter((block) =>
    isCompared(block % blocksPerSide, Math.floor(block / blocksPerSide), blocksPerSide, blocksPerSide),
  );
  const seen = verifyBlocks(page, refit, compared);
  if (seen.edged < minEdgedBlocks[isPlain ? 1 : 0]) return undefined;
  return { box, value: (seen.blocks + seen.lowest + seen.whole + match) / 4 };
}

/** Whether what is in sight has the colors of the logo, at least in a share of it, and what is behind the cover others. */
function isLikely(
  { width, height }: Appearance,
  deviations: Float32Array,
  cover: Cover,
  minShare: number,
): boolean {
  let [cells, same, hidden, hiddenSame] = [0, 0, 0, 0];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const isSame = (deviations[i] ?? 0) <= colorTolerance;
      if (isCovered(cover, x, y, width, height)) {
        hidden++;
        if (isSame) hiddenSame++;
      } else {
        cells++;
        if (isSame) same++;
      }
    }
  }
  return same >= minShare * cells && hiddenSame <= maxHiddenShare * hidden;
}
