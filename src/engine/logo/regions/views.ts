/** The views of a picture: few of a scanned one, many of a queried logo, so that the pairs meet. `chosen`. */

import {
  type Box,
  flatten,
  type Picture,
  type Pyramid,
  picturePyramid,
  type Raster,
  wholeBox,
} from "../decode/picture.ts";
import { shrinkRaster } from "../decode/shrink.ts";
import { stockLikeness } from "../features/common-shapes.ts";
import { type Features, featuresOf } from "../features/features.ts";
import { cutPatch, mirrorPatch, type Patch } from "../features/patch.ts";
import { differingBits } from "../features/prefilter-hash.ts";
import {
  calmSide,
  noiseLimit,
  noisyLevel,
  queryCrops,
  queryPadding,
  queryRotations,
  querySide,
  sameViewBits,
  sightSide,
} from "../tuning.ts";
import { fitBackground, flatPlane, noiseOf, type Plane, planeAt } from "./background.ts";
import { findSights, type InkedSight, mainSight, peelFrames, type Sight } from "./candidate-regions.ts";
import { findInk, trimInk } from "./foreground.ts";

/** A place in a picture, in shares of its width and height. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One described view. */
export interface View extends Features {
  /** Width over height, as a power of two. */
  readonly aspect: number;
  /** Likeness to the nearest stock shape, 0 to 1. */
  readonly stock: number;
  /** Where in the picture it is. */
  readonly region: Region;
}

interface Framed {
  readonly patch: Patch;
  readonly box: Box;
  readonly region: Region;
}

/** Views of a scanned picture; none when nothing stands out. */
export function scanViews(pyramid: Pyramid, raster: Raster): readonly View[] {
  const level = sightLevel(pyramid, raster);
  const picture = pyramid.at(level);
  return findSights(picture).map((sight) => describe(frame(pyramid, sight, picture, level)));
}

/**
 * Views of a queried logo; none when nothing stands out. `grey` is what transparency is laid on.
 *
 * The first view is the one that the same picture has when scanned, so that it always finds itself.
 */
export function queryViews(pyramid: Pyramid, raster: Raster, grey: number): readonly View[] {
  const level = sightLevel(pyramid, raster);
  const main = mainSight(pyramid.at(level));
  if (!main) return [];
  const itself = frame(pyramid, main, pyramid.at(level), level);
  const small = shrinkRaster(raster, querySide);
  const bare = flatten(small, grey);
  const framed = [itself, ...bareFrames(bare), ...paddedFrames(bare, small, grey)];
  return distinct(framed.map(describe));
}

/** Sights are sought at half the size when a picture is large, and at less when it is noisy: averages calm it. */
function sightLevel(pyramid: Pyramid, { width, height }: Raster): number {
  let level = Math.max(width, height) > sightSide ? 1 : 0;
  while (level < noisyLevel && Math.min(width, height) >> level >= 2 * calmSide && isNoisy(pyramid.at(level)))
    level++;
  return level;
}

function isNoisy(picture: Picture): boolean {
  return noiseOf(picture, wholeBox(picture)) > noiseLimit;
}

function describe({ patch, box, region }: Framed): View {
  const features = featuresOf(patch);
  const aspect = Math.log2((box.right - box.left) / (box.bottom - box.top));
  return { ...features, aspect, stock: stockLikeness(features), region };
}

function frame(pyramid: Pyramid, { box, plane }: Sight, picture: Picture, level = 0): Framed {
  return { patch: cutPatch(pyramid, level, box, plane), box, region: regionOf(box, picture) };
}

function mirrored({ patch, box, region }: Framed): Framed {
  return { patch: mirrorPatch(patch), box, region };
}

/** The picture against its own border: as it is, cropped, whole, mirrored; and what its frames hold. */
function bareFrames(bare: Picture): readonly Framed[] {
  const main = mainSight(bare);
  if (!main) return [];
  const pyramid = picturePyramid(bare);
  const trimmed = frame(pyramid, main, bare);
  const peeled = peelFrames(bare, main).map((s) => frame(pyramid, s, bare));
  return [
    trimmed,
    mirrored(trimmed),
    frame(pyramid, { box: wholeBox(bare), plane: main.plane }, bare),
    ...cropFrames(bare, main, pyramid),
    ...peeled,
    ...peeled.map(mirrored),
  ];
}

/** The picture on a wider ground of its own background: as it is, rotated, mirrored; as a silhouette; on black. */
function paddedFrames(bare: Picture, small: Raster, grey: number): readonly Framed[] {
  const ground = groundOf(bare, small, grey);
  const silhouette = silhouetteOf(bare, small, ground);
  const black = flatPlane(0, 0, 0);
  const onBlack = hasHoles(small) && grey === 255 ? turnedFrames(flatten(small, 0), black, 0) : [];
  const degrees = [0, ...queryRotations, ...queryRotations.map((d) => -d)];
  return [
    ...degrees.flatMap((d) => turnedFrames(bare, ground, d)),
    ...degrees.flatMap((d) => turnedFrames(silhouette, black, d)),
    ...onBlack,
  ];
}

/** Transparent pictures lie on their grey; opaque ones on the colour of their border. */
function groundOf(bare: Picture, small: Raster, grey: number): Plane {
  return hasHoles(small) ? flatPlane(grey, grey, grey) : fitBackground(bare, wholeBox(bare));
}

function hasHoles({ data }: Raster): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i]! < 128) return true;
  return false;
}

/** White where the picture is, on black: by its alpha, or else by what stands out. */
function silhouetteOf(bare: Picture, small: Raster, ground: Plane): Picture {
  const rgb = new Uint8Array(bare.rgb.length);
  const whole = wholeBox(bare);
  const ink = hasHoles(small) ? undefined : findInk(bare, whole, ground);
  for (let p = 0; p < rgb.length / 3; p++) {
    const value = ink ? ink.bits[p]! * 255 : small.data[p * 4 + 3]!;
    rgb.fill(value, p * 3, p * 3 + 3);
  }
  return { width: bare.width, height: bare.height, rgb };
}

function turnedFrames(picture: Picture, plane: Plane, degrees: number): readonly Framed[] {
  const turned = rotate(picture, plane, degrees);
  const main = mainSight(turned);
  if (!main) return [];
  const upright = frame(picturePyramid(turned), main, turned);
  return [upright, mirrored(upright)];
}

/**
 * The sight with parts of its sides cut off: against the background that it had, and against the border that the
 * cut leaves, which is what a cropped copy shows.
 */
function cropFrames(picture: Picture, { box, plane, ink }: InkedSight, pyramid: Pyramid): readonly Framed[] {
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
    const trimmed = trimInk(ink, part);
    const cutOut = cutPicture(picture, part);
    const main = mainSight(cutOut);
    return [
      ...(trimmed ? [frame(pyramid, { ...trimmed, plane }, picture)] : []),
      ...(main ? [frame(picturePyramid(cutOut), main, cutOut)] : []),
    ];
  });
}

function cutPicture({ width, rgb }: Picture, { left, top, right, bottom }: Box): Picture {
  const row = (right - left) * 3;
  const out = new Uint8Array(row * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const from = (y * width + left) * 3;
    out.set(rgb.subarray(from, from + row), (y - top) * row);
  }
  return { width: right - left, height: bottom - top, rgb: out };
}

/** Turns a picture about its middle on a ground wide enough to hold it, with padding. */
function rotate(picture: Picture, plane: Plane, degrees: number): Picture {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const pad = Math.ceil(queryPadding * Math.max(picture.width, picture.height)) + 1;
  const width = Math.ceil(picture.width * Math.abs(cos) + picture.height * Math.abs(sin)) + 2 * pad;
  const height = Math.ceil(picture.width * Math.abs(sin) + picture.height * Math.abs(cos)) + 2 * pad;
  const rgb = new Uint8Array(width * height * 3);
  const at = [0, 0, 0];
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 3) {
      const dx = x - (width - 1) / 2;
      const dy = y - (height - 1) / 2;
      const sx = cos * dx + sin * dy + (picture.width - 1) / 2;
      const sy = -sin * dx + cos * dy + (picture.height - 1) / 2;
      interpolate(picture, plane, sx, sy, at);
      rgb.set(at, o);
    }
  }
  return { width, height, rgb };
}

/** Colour between the four pixels around a place; outside the picture is ground. */
function interpolate(picture: Picture, plane: Plane, x: number, y: number, to: number[]): void {
  const { width, height, rgb } = picture;
  const left = Math.floor(x);
  const top = Math.floor(y);
  to.fill(0.5);
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const w = (i ? x - left : 1 - x + left) * (j ? y - top : 1 - y + top);
      if (w === 0) continue;
      const px = left + i;
      const py = top + j;
      const inside = px >= 0 && py >= 0 && px < width && py < height;
      for (let c = 0; c < 3; c++) {
        const value = inside ? rgb[(py * width + px) * 3 + c]! : byte(planeAt(plane, c, px, py));
        to[c]! += w * value;
      }
    }
  }
}

function byte(value: number): number {
  return Math.min(255, Math.max(0, value));
}

function regionOf({ left, top, right, bottom }: Box, { width, height }: Picture): Region {
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}

/** Leaves out views that say what an earlier one said. */
function distinct(views: readonly View[]): readonly View[] {
  const kept: View[] = [];
  for (const view of views) {
    const known = kept.some(
      (k) => Math.abs(k.aspect - view.aspect) < 0.05 && differingBits(k.gate, view.gate) <= sameViewBits,
    );
    if (!known) kept.push(view);
  }
  return kept;
}
