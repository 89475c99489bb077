/**
 * Views: the parts and variations of a picture that are described and compared. A scanned picture has few, a queried
 * logo has many, so that some pair of views matches. `chosen`.
 */

import { runSteps, type Steps } from "../../../core/work/steps.ts";
import {
  type Box,
  flatten,
  type Pyramid,
  picturePyramid,
  type Raster,
  type RgbPicture,
  wholeBox,
} from "../decode/picture.ts";
import { shrinkSteps } from "../decode/shrink.ts";
import { commonShapeSimilarity } from "../features/common-shapes.ts";
import { type Features, featuresOf, type LowFrequencies, lowFrequencies } from "../features/features.ts";
import { cutPatch, mirrorPatch, type Patch } from "../features/patch.ts";
import { hashWords, wordHammingDistance } from "../features/prefilter-hash.ts";
import {
  fullSizeSide,
  maxDuplicateDistance,
  maxNoiseLevel,
  minHalvedSide,
  noiseLimit,
  pageSide,
  queryCrops,
  queryRotations,
  querySide,
} from "../tuning.ts";
import { fitBackground, flatPlane, noiseOf, type Plane } from "./background.ts";
import {
  type CandidateRegion,
  candidateRegionSteps,
  type ForegroundRegion,
  mainRegion,
  mainRegionSteps,
  stripFrames,
} from "./candidate-regions.ts";
import { flatAreaSteps } from "./flat-areas.ts";
import { findForeground, trimForeground } from "./foreground.ts";
import { rotate } from "./rotate.ts";
import { selectRegions } from "./select-regions.ts";

/** A rectangle of a picture, as shares of its width and height. */
export interface Region {
  /** Left edge, 0 to 1 from the left. */
  readonly left: number;
  /** Top edge, 0 to 1 from the top. */
  readonly top: number;
  /** Width, 0 to 1. */
  readonly width: number;
  /** Height, 0 to 1. */
  readonly height: number;
}

/** A described view: a part of a picture, or a variation of a queried logo. */
export interface View extends Features {
  /** Width over height, as a power of two. */
  readonly aspect: number;
  /** Similarity to the most similar common shape, 0 to 1. */
  readonly commonShapeSimilarity: number;
  /** The region of the picture that the view shows. */
  readonly region: Region;
}

/** The patch of a view before it is described. */
interface ViewPatch {
  readonly patch: Patch;
  readonly box: Box;
  readonly region: Region;
}

/** Pixels that cost as much as describing a view of a scanned picture, and as making one of a queried logo. */
const viewPixels = 1 << 15;
const queryViewPixels = 1 << 17;

/** Views of a scanned picture, in steps; none without foreground. */
export function* scanViews(pyramid: Pyramid, raster: Raster): Steps<readonly View[]> {
  const level = yield* searchLevel(pyramid, raster);
  yield* pyramid.steps(level);
  const picture = pyramid.at(level);
  const areas = isPage(raster) ? yield* flatAreasAt(pyramid, level) : [];
  const views: View[] = [];
  for (const region of selectRegions(yield* candidateRegionSteps(picture, areas), picture)) {
    const { patch, box, region: shares } = yield* viewPatchSteps(pyramid, region, picture, level);
    views.push(describe({ patch, box, region: shares }, lowFrequencies(patch.map)));
    yield viewPixels;
  }
  return views;
}

/** Whether a picture is searched as a page. */
function isPage({ width, height }: Raster): boolean {
  return Math.max(width, height) >= pageSide;
}

/** The flat areas in pixels of a level, found at half of its size. */
function* flatAreasAt(pyramid: Pyramid, level: number): Steps<readonly CandidateRegion[]> {
  yield* pyramid.steps(level + 1);
  const areas = yield* flatAreaSteps(pyramid.at(level + 1));
  return areas.map(({ box, plane }) => ({
    box: { left: 2 * box.left, top: 2 * box.top, right: 2 * box.right, bottom: 2 * box.bottom },
    plane,
  }));
}

/**
 * Views of a queried logo, in steps; none without foreground. `matte` is the gray behind transparent pixels.
 *
 * The first view equals the first view of the same picture when scanned, so that every picture finds itself.
 */
export function* queryViews(pyramid: Pyramid, raster: Raster, matte: number): Steps<readonly View[]> {
  const level = yield* searchLevel(pyramid, raster);
  yield* pyramid.steps(level);
  const main = yield* mainRegionSteps(pyramid.at(level));
  if (!main) return [];
  const views = new DistinctViews();
  views.add(yield* viewPatchSteps(pyramid, main, pyramid.at(level), level));
  const small = yield* shrinkSteps(raster, querySide);
  const picture = flatten(small, matte);
  for (const patches of [borderedPatches(picture), paddedPatches(picture, small, matte)]) {
    for (const patch of patches) {
      views.add(patch);
      yield queryViewPixels;
    }
  }
  return views.found;
}

/** Views without those that nearly equal an earlier one. These are not described in full. */
class DistinctViews {
  readonly found: View[] = [];

  add(made: ViewPatch): void {
    const low = lowFrequencies(made.patch.map);
    const aspect = aspectOf(made.box);
    const words = hashWords(low.hash);
    const isKnown = this.found.some(
      (known) =>
        Math.abs(known.aspect - aspect) < 0.05 &&
        wordHammingDistance(known.prefilterWords, words) <= maxDuplicateDistance,
    );
    if (!isKnown) this.found.push(describe(made, low));
  }
}

/**
 * Pages are searched at full size, because their logos are small: what looks like noise at their border is a photograph.
 * Other large pictures are searched at half the size, and noisy ones at less, because averaging reduces noise.
 */
function* searchLevel(pyramid: Pyramid, raster: Raster): Steps<number> {
  if (isPage(raster)) return 0;
  const { width, height } = raster;
  let level = Math.max(width, height) > fullSizeSide ? 1 : 0;
  while (level < maxNoiseLevel && Math.min(width, height) >> level >= 2 * minHalvedSide) {
    yield* pyramid.steps(level);
    if (!isNoisy(pyramid.at(level))) break;
    level++;
  }
  return level;
}

function isNoisy(picture: RgbPicture): boolean {
  return noiseOf(picture, wholeBox(picture)) > noiseLimit;
}

function describe({ patch, box, region }: ViewPatch, low: LowFrequencies): View {
  const features = featuresOf(patch, low);
  return {
    ...features,
    aspect: aspectOf(box),
    commonShapeSimilarity: commonShapeSimilarity(features),
    region,
  };
}

function aspectOf({ left, top, right, bottom }: Box): number {
  return Math.log2((right - left) / (bottom - top));
}

function viewPatch(pyramid: Pyramid, region: CandidateRegion, picture: RgbPicture): ViewPatch {
  return runSteps(viewPatchSteps(pyramid, region, picture, 0));
}

function* viewPatchSteps(
  pyramid: Pyramid,
  { box, plane }: CandidateRegion,
  picture: RgbPicture,
  level: number,
): Steps<ViewPatch> {
  return { patch: yield* cutPatch(pyramid, level, box, plane), box, region: regionOf(box, picture) };
}

function mirrored({ patch, box, region }: ViewPatch): ViewPatch {
  return { patch: mirrorPatch(patch), box, region };
}

/** The picture against its own border: trimmed, mirrored, whole and cropped; and the insides of its frames. */
function* borderedPatches(picture: RgbPicture): Iterable<ViewPatch> {
  const main = mainRegion(picture);
  if (!main) return;
  const pyramid = picturePyramid(picture);
  const trimmed = viewPatch(pyramid, main, picture);
  yield trimmed;
  yield mirrored(trimmed);
  yield viewPatch(pyramid, { box: wholeBox(picture), plane: main.plane }, picture);
  yield* croppedPatches(picture, main, pyramid);
  const insides = stripFrames(picture, main).map((region) => viewPatch(pyramid, region, picture));
  yield* insides;
  yield* insides.map(mirrored);
}

/** The picture padded with its own background: upright, rotated, mirrored; as a silhouette; on black. */
function* paddedPatches(picture: RgbPicture, small: Raster, matte: number): Iterable<ViewPatch> {
  const background = backgroundOf(picture, small, matte);
  const silhouette = silhouetteOf(picture, small, background);
  const black = flatPlane(0, 0, 0);
  const degrees = [0, ...queryRotations, ...queryRotations.map((d) => -d)];
  for (const d of degrees) yield* rotatedPatches(picture, background, d);
  for (const d of degrees) yield* rotatedPatches(silhouette, black, d);
  if (isTransparent(small) && matte === 255) yield* rotatedPatches(flatten(small, 0), black, 0);
}

/** The matte of a transparent picture; the color of the border of an opaque one. */
function backgroundOf(picture: RgbPicture, small: Raster, matte: number): Plane {
  return isTransparent(small) ? flatPlane(matte, matte, matte) : fitBackground(picture, wholeBox(picture));
}

/** Whether a pixel is more transparent than opaque. */
function isTransparent({ data }: Raster): boolean {
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) < 128) return true;
  return false;
}

/** White on black: the alpha of a transparent picture, or the foreground of an opaque one. */
function silhouetteOf(picture: RgbPicture, small: Raster, background: Plane): RgbPicture {
  const rgb = new Uint8Array(picture.rgb.length);
  const foreground = isTransparent(small)
    ? undefined
    : findForeground(picture, wholeBox(picture), background);
  for (let p = 0; p < rgb.length / 3; p++) {
    const value = foreground ? (foreground.bits[p] ?? 0) * 255 : (small.data[p * 4 + 3] ?? 0);
    rgb.fill(value, p * 3, p * 3 + 3);
  }
  return { width: picture.width, height: picture.height, rgb };
}

function* rotatedPatches(picture: RgbPicture, background: Plane, degrees: number): Iterable<ViewPatch> {
  const rotated = rotate(picture, background, degrees);
  const main = mainRegion(rotated);
  if (!main) return;
  const plain = viewPatch(picturePyramid(rotated), main, rotated);
  yield plain;
  yield mirrored(plain);
}

/**
 * The region with parts of its sides cut off: against its original background, and against the border that the cut
 * leaves, which a cropped copy would show.
 */
function* croppedPatches(
  picture: RgbPicture,
  { box, plane, foreground }: ForegroundRegion,
  pyramid: Pyramid,
): Iterable<ViewPatch> {
  for (const [left, top, right, bottom] of queryCrops) {
    const w = box.right - box.left;
    const h = box.bottom - box.top;
    const part = {
      left: box.left + Math.round(left * w),
      top: box.top + Math.round(top * h),
      right: box.right - Math.round(right * w),
      bottom: box.bottom - Math.round(bottom * h),
    };
    if (part.right <= part.left || part.bottom <= part.top) continue;
    const trimmed = trimForeground(foreground, part);
    if (trimmed) yield viewPatch(pyramid, { ...trimmed, plane }, picture);
    const crop = cropPicture(picture, part);
    const main = mainRegion(crop);
    if (main) yield viewPatch(picturePyramid(crop), main, crop);
  }
}

function cropPicture({ width, rgb }: RgbPicture, { left, top, right, bottom }: Box): RgbPicture {
  const row = (right - left) * 3;
  const out = new Uint8Array(row * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const from = (y * width + left) * 3;
    out.set(rgb.subarray(from, from + row), (y - top) * row);
  }
  return { width: right - left, height: bottom - top, rgb: out };
}

function regionOf({ left, top, right, bottom }: Box, { width, height }: RgbPicture): Region {
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}
