/** Searches a decoded picture of any size for logos: reduced to the working size, tall pictures in overlapping strips. */

import { type Steps, stepWork } from "../../../core/work/steps.ts";
import { enlarge } from "../decode/enlarge.ts";
import { over } from "../decode/flatten-pixels.ts";
import { matteOf, type Raster } from "../decode/picture.ts";
import { type ColorMatch, matchColors, noColorMatch } from "../features/color-agreement.ts";
import { type CoveredPlace, coveredPlaceSteps } from "./covered/covered-place.ts";
import {
  coloredPlaceWork,
  defaultWorkingPixels,
  enlargedCost,
  enlargedMargin,
  enlargedValues,
  maxEnlargedSize,
  maxWorkingWidth,
  padding,
  placeWork,
  stripOverlap,
} from "./dense-tuning.ts";
import {
  calibratedPlaces,
  calibrationCost,
  type Detector,
  isPlainLogo,
  type SearchedLogo,
  searchedLogos,
  searchedTemplates,
} from "./detector.ts";
import { findPlacesSteps, type PlacesByKind } from "./find-best.ts";
import { keepWorkspace, takeWorkspace } from "./kernels/idle-workspace.ts";
import type { DensePath, Workspace } from "./kernels/kernels.ts";
import { strideOf } from "./page-layout.ts";
import { type PreparedPage, type PrepareOptions, prepareSteps } from "./prepare-page.ts";
import type { TemplateKind } from "./templates.ts";

/** A place of a logo in a picture. */
export interface DensePlace {
  /** The value after calibration; `denseScore` maps it to a score. */
  readonly value: number;
  /** The box in the picture, in pixels from its left upper corner, within the picture. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Whether all edges of the logo were found, or those of its silhouette. */
  readonly template: TemplateKind;
  /** Whether only a part of the logo was found there: the symbol or the word of a lock-up. */
  readonly isPart: boolean;
}

/** The best place of a logo in a picture. */
export interface DenseMatch extends DensePlace {
  /** All places that were compared, this one too: what supports a region. */
  readonly places: readonly DensePlace[];
}

/** The result of a search. */
export interface DenseSearch {
  /** Working pixels a pixel of the picture along each side: 1, or 0.5, 0.25 and so on for a reduced picture. */
  readonly scale: number;
  /** For each detector its best place; undefined where nothing similar was found. */
  readonly matches: readonly (DenseMatch | undefined)[];
}

/** Options of a search. */
export interface DenseSearchOptions {
  /** Maximum of pixels that are prepared at once; 4,000,000 by default. */
  readonly workingPixels?: number;
  /** The path of the kernels; by default the faster one that this runtime has. */
  readonly path?: DensePath;
}

/** Minimum shorter side of a picture that is searched, in pixels. */
const minSide = 8;

/** Searches a picture for logos, in steps. */
export function* searchSteps(
  raster: Raster,
  detectors: readonly Detector[],
  options: DenseSearchOptions = {},
): Steps<DenseSearch> {
  const { workingPixels = defaultWorkingPixels, path } = options;
  const found: DensePlace[][] = detectors.map(() => []);
  let working = raster;
  let scale = 1;
  if (detectors.every(({ templates }) => templates.length === 0))
    return { scale, matches: found.map(matchOf) };
  while (mustReduce(working, workingPixels)) {
    working = yield* halved(working);
    scale /= 2;
  }
  if (Math.min(working.width, working.height) < minSide) return { scale, matches: found.map(matchOf) };
  const searched = detectors.flatMap((each, owner) => searchedLogos(each).map((logo) => ({ logo, owner })));
  let reuse: Workspace | undefined = takeWorkspace(path);
  let small: Workspace | undefined;
  for (const { top, bottom } of stripsOf(working, workingPixels)) {
    const page: PreparedPage = yield* prepareSteps(working, { top, bottom, ...(path && { path }), reuse });
    reuse = page;
    const places = yield* findPlacesSteps(
      page,
      searched.map(({ logo }) => searchedTemplates(logo)),
    );
    for (const [n, each] of places.entries()) {
      const item = searched[n];
      if (!item) continue;
      const { owner } = item;
      const logo = { ...item.logo };
      const own = placesOf(each, logo, working, (box) => lowered(box, top));
      yield (1 + own.length) * (logo.colors ? coloredPlaceWork : placeWork);
      if (logo.appearance && !own.some(({ value }) => value >= enlargedValues[1])) {
        const isPlain = isPlainLogo(logo.calibration);
        const search = { page, picture: working, isPlain, move: (box: Box) => lowered(box, top) };
        const covered = yield* coveredPlaceSteps(search, logo.appearance, each.full);
        const place = covered && calibratedCover(covered, logo);
        if (place) own.push(place);
      }
      const again = logo.part ? [] : smallBoxes(own);
      if (again.length > 0)
        small = yield* searchEnlarged(working, logo, again, own, { ...(path && { path }), reuse: small });
      for (const place of own) found[owner]?.push(inPicture(place, scale, raster));
    }
  }
  keepWorkspace(reuse);
  return { scale, matches: found.map(matchOf) };
}

/** The best of the places; of equal values the first. */
function matchOf(places: readonly DensePlace[]): DenseMatch | undefined {
  const [first] = places;
  return first && { ...places.reduce((a, b) => (b.value > a.value ? b : a), first), places };
}

/** Whether a picture is too wide, or too large and not tall. */
function mustReduce({ width, height }: Raster, workingPixels: number): boolean {
  if (width > maxWorkingWidth) return true;
  return stripHeight(width, workingPixels) < Math.min(height, 2 * stripOverlap);
}

function stripHeight(width: number, workingPixels: number): number {
  return Math.floor(workingPixels / strideOf(width)) - 2 * padding;
}

/** Strips of a picture that each have at most so many working pixels. */
export function stripsOf(
  { width, height }: Pick<Raster, "width" | "height">,
  workingPixels: number = defaultWorkingPixels,
): readonly { readonly top: number; readonly bottom: number }[] {
  const tall = Math.max(stripHeight(width, workingPixels), 2 * stripOverlap);
  const strips = [];
  for (let top = 0; ; top += tall - stripOverlap) {
    const bottom = Math.min(height, top + tall);
    strips.push({ top, bottom });
    if (bottom === height) return strips;
  }
}

type Box = DensePlace["box"];

/** A box of a strip in its picture. */
function lowered([left, upper, right, lower]: Box, top: number): Box {
  return [left, upper + top, right, lower + top];
}

/**
 * The calibrated places of a logo in a picture.
 *
 * @param move moves a box of the searched page to the picture
 */
function placesOf(
  places: PlacesByKind,
  logo: SearchedLogo,
  picture: Raster,
  move: (box: Box) => Box,
): DensePlace[] {
  const colorsOf = (box: Box) => (logo.colors ? matchColors(logo.colors, picture, move(box)) : noColorMatch);
  return calibratedPlaces(places, logo, colorsOf).map(({ place, value }) => ({
    value,
    box: move(place.box),
    template: place.fit.template.kind,
    isPart: logo.part !== undefined,
  }));
}

/** A covered place after calibration; undefined where it does not find the logo, as it would only raise other scores. */
function calibratedCover(
  { value, box }: CoveredPlace,
  { calibration, colors }: SearchedLogo,
): DensePlace | undefined {
  // Its colors were compared already.
  const match: ColorMatch = { agreement: 0, distance: colors?.isColorful ? 0 : noColorMatch.distance };
  const calibrated = value - calibrationCost(calibration, "full", match);
  if (calibrated < enlargedValues[1]) return undefined;
  return { value: calibrated, box, template: "full", isPart: false };
}

/** The boxes of the best small places that are compared again at twice the size; none when the logo is found already. */
function smallBoxes(places: readonly DensePlace[]): readonly Box[] {
  const [min, enough] = enlargedValues;
  if (places.some(({ value }) => value >= enough)) return [];
  const boxes: Box[] = [];
  const best = places.filter(({ value, box }) => value >= min && sizeOf(box) < maxEnlargedSize);
  for (const { box } of best.sort((a, b) => b.value - a.value))
    if (!boxes.some((other) => contains(other, box))) boxes.push(box);
  return boxes;
}

function sizeOf([left, top, right, bottom]: Box): number {
  return Math.sqrt(Math.max(0, right - left) * Math.max(0, bottom - top));
}

/** Whether the center of a box is inside of another one. */
function contains([left, top, right, bottom]: Box, box: Box): boolean {
  const x = (box[0] + box[2]) / 2;
  const y = (box[1] + box[3]) / 2;
  return x > left && x < right && y > top && y < bottom;
}

/** Searches regions of a picture at twice the size, and adds the places of the logo there; returns the used memory. */
function* searchEnlarged(
  picture: Raster,
  logo: SearchedLogo,
  boxes: readonly Box[],
  places: DensePlace[],
  options: PrepareOptions,
): Steps<Workspace | undefined> {
  let { reuse } = options;
  const templates = searchedTemplates(logo).filter((template) => !template.small);
  for (const each of boxes) {
    const region = enlarge(picture, each, enlargedMargin);
    if (Math.min(region.raster.width, region.raster.height) < minSide) continue;
    const page: PreparedPage = yield* prepareSteps(region.raster, { ...options, reuse });
    reuse = page;
    const [found] = yield* findPlacesSteps(page, [templates]);
    const { left, top } = region;
    const reduced = ([a, b, c, d]: Box): Box => [left + a / 2, top + b / 2, left + c / 2, top + d / 2];
    // Less than what finds the logo would only raise the scores of similar things.
    for (const place of found ? placesOf(found, logo, picture, reduced) : []) {
      const value = place.value - enlargedCost;
      if (value >= enlargedValues[1]) places.push({ ...place, value });
    }
  }
  return reuse;
}

/** A place of the working picture in the picture. */
function inPicture({ box, ...place }: DensePlace, scale: number, raster: Raster): DensePlace {
  const [left, upper, right, lower] = box;
  const within = (at: number, end: number) => Math.round(Math.min(end, Math.max(0, at / scale)));
  return {
    ...place,
    box: [
      within(left, raster.width),
      within(upper, raster.height),
      within(right, raster.width),
      within(lower, raster.height),
    ],
  };
}

/** A picture at half the size, opaque; an odd last row or column is dropped. */
function* halved(raster: Raster): Steps<Raster> {
  const { width, height, data } = raster;
  const matte = matteOf(raster);
  const w = Math.max(1, width >> 1);
  const h = Math.max(1, height >> 1);
  const out = new Uint8Array(w * h * 4);
  const right = width > 1 ? 4 : 0;
  const down = height > 1 ? width * 4 : 0;
  const value = (i: number, alpha: number) => over(data[i] ?? 0, data[alpha] ?? 0, matte);
  for (let y = 0, o = 0, read = 0; y < h; y++) {
    for (let x = 0, i = y * 2 * width * 4; x < w; x++, i += 8, o += 4) {
      for (let c = 0; c < 3; c++) {
        const j = i + c;
        const upper = value(j, i + 3) + value(j + right, i + 3 + right);
        const lower = value(j + down, i + 3 + down) + value(j + right + down, i + 3 + right + down);
        out[o + c] = (upper + lower + 2) >> 2;
      }
      out[o + 3] = 255;
      // Within rows too: a picture may be millions of pixels wide.
      read += 4;
      if (read < stepWork) continue;
      read = 0;
      yield;
    }
  }
  return { width: w, height: h, data: out };
}
