/**
 * Views: the parts and variations of a picture that are described and compared. A scanned picture has few, a queried
 * logo has many, so that some pair of views matches. `chosen`.
 */

import {
  type Box,
  flatten,
  type Pyramid,
  picturePyramid,
  type Raster,
  type RgbPicture,
  wholeBox,
} from "../decode/picture.ts";
import { shrinkRaster } from "../decode/shrink.ts";
import { commonShapeSimilarity } from "../features/common-shapes.ts";
import { type Features, featuresOf } from "../features/features.ts";
import { cutPatch, mirrorPatch, type Patch } from "../features/patch.ts";
import { hammingDistance } from "../features/prefilter-hash.ts";
import {
  fullSizeSide,
  maxDuplicateDistance,
  maxNoiseLevel,
  minHalvedSide,
  noiseLimit,
  pageSide,
  queryCrops,
  queryPadding,
  queryRotations,
  querySide,
} from "../tuning.ts";
import { colorAt, fitBackground, flatPlane, isFlat, noiseOf, type Plane } from "./background.ts";
import {
  type CandidateRegion,
  type ForegroundRegion,
  findCandidateRegions,
  mainRegion,
  stripFrames,
} from "./candidate-regions.ts";
import { findFlatAreas } from "./flat-areas.ts";
import { findForeground, trimForeground } from "./foreground.ts";
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

/** Views of a scanned picture; none without foreground. */
export function scanViews(pyramid: Pyramid, raster: Raster): readonly View[] {
  const level = searchLevel(pyramid, raster);
  const picture = pyramid.at(level);
  const areas = isPage(raster) ? flatAreasAt(pyramid, level) : [];
  const found = selectRegions(findCandidateRegions(picture, areas), picture);
  return found.map((region) => describe(viewPatch(pyramid, region, picture, level)));
}

/** Whether a picture is searched as a page. */
function isPage({ width, height }: Raster): boolean {
  return Math.max(width, height) >= pageSide;
}

/** The flat areas in pixels of a level, found at half of its size. */
function flatAreasAt(pyramid: Pyramid, level: number): readonly CandidateRegion[] {
  return findFlatAreas(pyramid.at(level + 1)).map(({ box, plane }) => ({
    box: { left: 2 * box.left, top: 2 * box.top, right: 2 * box.right, bottom: 2 * box.bottom },
    plane,
  }));
}

/**
 * Views of a queried logo; none without foreground. `matte` is the gray behind transparent pixels.
 *
 * The first view equals the first view of the same picture when scanned, so that every picture finds itself.
 */
export function queryViews(pyramid: Pyramid, raster: Raster, matte: number): readonly View[] {
  const level = searchLevel(pyramid, raster);
  const main = mainRegion(pyramid.at(level));
  if (!main) return [];
  const itself = viewPatch(pyramid, main, pyramid.at(level), level);
  const small = shrinkRaster(raster, querySide);
  const picture = flatten(small, matte);
  const patches = [itself, ...borderedPatches(picture), ...paddedPatches(picture, small, matte)];
  return withoutDuplicates(patches.map(describe));
}

/**
 * Pages are searched at full size, because their logos are small: what looks like noise at their border is a photograph.
 * Other large pictures are searched at half the size, and noisy ones at less, because averaging reduces noise.
 */
function searchLevel(pyramid: Pyramid, raster: Raster): number {
  if (isPage(raster)) return 0;
  const { width, height } = raster;
  let level = Math.max(width, height) > fullSizeSide ? 1 : 0;
  while (
    level < maxNoiseLevel &&
    Math.min(width, height) >> level >= 2 * minHalvedSide &&
    isNoisy(pyramid.at(level))
  ) {
    level++;
  }
  return level;
}

function isNoisy(picture: RgbPicture): boolean {
  return noiseOf(picture, wholeBox(picture)) > noiseLimit;
}

function describe({ patch, box, region }: ViewPatch): View {
  const features = featuresOf(patch);
  const aspect = Math.log2((box.right - box.left) / (box.bottom - box.top));
  return { ...features, aspect, commonShapeSimilarity: commonShapeSimilarity(features), region };
}

function viewPatch(
  pyramid: Pyramid,
  { box, plane }: CandidateRegion,
  picture: RgbPicture,
  level = 0,
): ViewPatch {
  return { patch: cutPatch(pyramid, level, box, plane), box, region: regionOf(box, picture) };
}

function mirrored({ patch, box, region }: ViewPatch): ViewPatch {
  return { patch: mirrorPatch(patch), box, region };
}

/** The picture against its own border: trimmed, mirrored, whole and cropped; and the insides of its frames. */
function borderedPatches(picture: RgbPicture): readonly ViewPatch[] {
  const main = mainRegion(picture);
  if (!main) return [];
  const pyramid = picturePyramid(picture);
  const trimmed = viewPatch(pyramid, main, picture);
  const insides = stripFrames(picture, main).map((region) => viewPatch(pyramid, region, picture));
  return [
    trimmed,
    mirrored(trimmed),
    viewPatch(pyramid, { box: wholeBox(picture), plane: main.plane }, picture),
    ...croppedPatches(picture, main, pyramid),
    ...insides,
    ...insides.map(mirrored),
  ];
}

/** The picture padded with its own background: upright, rotated, mirrored; as a silhouette; on black. */
function paddedPatches(picture: RgbPicture, small: Raster, matte: number): readonly ViewPatch[] {
  const background = backgroundOf(picture, small, matte);
  const silhouette = silhouetteOf(picture, small, background);
  const black = flatPlane(0, 0, 0);
  const onBlack = isTransparent(small) && matte === 255 ? rotatedPatches(flatten(small, 0), black, 0) : [];
  const degrees = [0, ...queryRotations, ...queryRotations.map((d) => -d)];
  return [
    ...degrees.flatMap((d) => rotatedPatches(picture, background, d)),
    ...degrees.flatMap((d) => rotatedPatches(silhouette, black, d)),
    ...onBlack,
  ];
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

function rotatedPatches(picture: RgbPicture, background: Plane, degrees: number): readonly ViewPatch[] {
  const rotated = rotate(picture, background, degrees);
  const main = mainRegion(rotated);
  if (!main) return [];
  const plain = viewPatch(picturePyramid(rotated), main, rotated);
  return [plain, mirrored(plain)];
}

/**
 * The region with parts of its sides cut off: against its original background, and against the border that the cut
 * leaves, which a cropped copy would show.
 */
function croppedPatches(
  picture: RgbPicture,
  { box, plane, foreground }: ForegroundRegion,
  pyramid: Pyramid,
): readonly ViewPatch[] {
  return queryCrops.flatMap(([left, top, right, bottom]) => {
    const w = box.right - box.left;
    const h = box.bottom - box.top;
    const part = {
      left: box.left + Math.round(left * w),
      top: box.top + Math.round(top * h),
      right: box.right - Math.round(right * w),
      bottom: box.bottom - Math.round(bottom * h),
    };
    if (part.right <= part.left || part.bottom <= part.top) return [];
    const trimmed = trimForeground(foreground, part);
    const crop = cropPicture(picture, part);
    const main = mainRegion(crop);
    return [
      ...(trimmed ? [viewPatch(pyramid, { ...trimmed, plane }, picture)] : []),
      ...(main ? [viewPatch(picturePyramid(crop), main, crop)] : []),
    ];
  });
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

/** Rotates a picture about its center, on a background large enough to hold it with padding. */
function rotate(picture: RgbPicture, background: Plane, degrees: number): RgbPicture {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const pad = Math.ceil(queryPadding * Math.max(picture.width, picture.height)) + 1;
  const width = Math.ceil(picture.width * Math.abs(cos) + picture.height * Math.abs(sin)) + 2 * pad;
  const height = Math.ceil(picture.width * Math.abs(sin) + picture.height * Math.abs(cos)) + 2 * pad;
  const rgb = filled(width * height, background);
  const isOneColor = isWholeColor(background);
  for (let y = 0, o = 0; y < height; y++) {
    const dy = y - (height - 1) / 2;
    for (let x = 0; x < width; x++, o += 3) {
      const dx = x - (width - 1) / 2;
      const sx = cos * dx + sin * dy + (picture.width - 1) / 2;
      const sy = -sin * dx + cos * dy + (picture.height - 1) / 2;
      if (isBetween(sx, 0, picture.width - 1) && isBetween(sy, 0, picture.height - 1))
        interpolateInside(picture, sx, sy, rgb, o);
      else if (!isOneColor || (isBetween(sx, -1, picture.width) && isBetween(sy, -1, picture.height)))
        interpolate(picture, background, sx, sy, rgb, o);
    }
  }
  return { width, height, rgb };
}

function isBetween(value: number, from: number, below: number): boolean {
  return value >= from && value < below;
}

/** Whether a background is one color of whole bytes, which interpolation keeps. */
function isWholeColor(background: Plane): boolean {
  const { red, green, blue } = background;
  return isFlat(background) && [red, green, blue].every(({ level }) => level === (level & 255));
}

/** Pixels of the color of a background, if it is one color. */
function filled(pixels: number, { red, green, blue }: Plane): Uint8Array {
  const rgb = new Uint8Array(pixels * 3);
  rgb.set([red.level, green.level, blue.level]);
  for (let done = 3; done < rgb.length; done *= 2) rgb.copyWithin(done, 0, done);
  return rgb;
}

/** Writes the color between the four pixels around a position, all of which the picture has. */
function interpolateInside(
  { width, rgb }: RgbPicture,
  x: number,
  y: number,
  out: Uint8Array,
  o: number,
): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = x - left;
  const bottom = y - top;
  const above = (1 - x + left) * (1 - y + top);
  const aboveRight = right * (1 - y + top);
  const below = (1 - x + left) * bottom;
  const belowRight = right * bottom;
  for (let c = 0, at = (top * width + left) * 3; c < 3; c++, at++) {
    const lower = at + width * 3;
    out[o + c] =
      0.5 +
      above * (rgb[at] ?? 0) +
      aboveRight * (rgb[at + 3] ?? 0) +
      below * (rgb[lower] ?? 0) +
      belowRight * (rgb[lower + 3] ?? 0);
  }
}

/** The same at the edge of the picture: positions outside have the background. */
function interpolate(
  picture: RgbPicture,
  { red, green, blue }: Plane,
  x: number,
  y: number,
  out: Uint8Array,
  o: number,
): void {
  const { width, height, rgb } = picture;
  const left = Math.floor(x);
  const top = Math.floor(y);
  let r = 0.5;
  let g = 0.5;
  let b = 0.5;
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const w = (i ? x - left : 1 - x + left) * (j ? y - top : 1 - y + top);
      if (w === 0) continue;
      const px = left + i;
      const py = top + j;
      const inside = px >= 0 && py >= 0 && px < width && py < height;
      const at = (py * width + px) * 3;
      r += w * (inside ? (rgb[at] ?? 0) : clampByte(colorAt(red, px, py)));
      g += w * (inside ? (rgb[at + 1] ?? 0) : clampByte(colorAt(green, px, py)));
      b += w * (inside ? (rgb[at + 2] ?? 0) : clampByte(colorAt(blue, px, py)));
    }
  }
  out[o] = r;
  out[o + 1] = g;
  out[o + 2] = b;
}

function clampByte(value: number): number {
  return Math.min(255, Math.max(0, value));
}

function regionOf({ left, top, right, bottom }: Box, { width, height }: RgbPicture): Region {
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}

/** Removes views that nearly equal an earlier one. */
function withoutDuplicates(views: readonly View[]): readonly View[] {
  const kept: View[] = [];
  for (const view of views) {
    const known = kept.some(
      (k) =>
        Math.abs(k.aspect - view.aspect) < 0.05 &&
        hammingDistance(k.prefilterHash, view.prefilterHash) <= maxDuplicateDistance,
    );
    if (!known) kept.push(view);
  }
  return kept;
}
