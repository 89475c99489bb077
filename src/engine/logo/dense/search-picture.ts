/** Searches a decoded picture of any size for logos: reduced to the working size, tall pictures in overlapping strips. */

import type { Steps } from "../../../core/work/steps.ts";
import type { Raster } from "../decode/picture.ts";
import { shrinkSteps } from "../decode/shrink.ts";
import { matchColors, noColorMatch } from "../features/color-agreement.ts";
import {
  coloredPlaceWork,
  defaultWorkingPixels,
  foundValue,
  isolatedSide,
  maxWorkingWidth,
  padding,
  placeWork,
  stripOverlap,
} from "./dense-tuning.ts";
import {
  calibratedPlaces,
  type Detector,
  type SearchedLogo,
  searchedLogos,
  searchedTemplates,
} from "./detector.ts";
import { findPlacesSteps, type PlacesByKind } from "./find-best.ts";
import { changeSteps, isolatedChanges } from "./isolated.ts";
import { keepWorkspace, takeWorkspace } from "./kernels/idle-workspace.ts";
import type { DensePath, Workspace } from "./kernels/kernels.ts";
import { strideOf } from "./page-layout.ts";
import { type PreparedPage, prepareSteps } from "./prepare-page.ts";
import type { TemplateKind } from "./templates.ts";

/** A place of a logo in a picture. */
export interface DensePlace {
  /** The value after calibration; `denseScore` maps it to a score. */
  readonly value: number;
  /** The box in the picture, in pixels from its left upper corner, within the picture. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Whether all edges of the logo were found, or those of its silhouette. */
  readonly template: TemplateKind;
}

/** The best place of a logo in a picture. */
export type DenseMatch = DensePlace;

/** The result of a search. */
export interface DenseSearch {
  /** Working pixels a pixel of the picture along each side: 1, or less for a reduced picture. */
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
export const minSide = 8;

/** Searches a picture for logos, in steps; a small one in changed forms, too, for those that are not found in it. */
export function* searchSteps(
  raster: Raster,
  detectors: readonly Detector[],
  options: DenseSearchOptions = {},
): Steps<DenseSearch> {
  const { scale, matches } = yield* searchOnce(raster, detectors, options);
  if (Math.max(raster.width, raster.height) > isolatedSide) return { scale, matches };
  const best = [...matches];
  for (const change of isolatedChanges) {
    const missing = [...best.keys()].filter((i) => (best[i]?.value ?? 0) < foundValue);
    if (missing.length === 0) break;
    const changed = yield* changeSteps(raster, change);
    const searched = missing.flatMap((i) => detectors[i] ?? []);
    const found = yield* searchOnce(changed.raster, searched, options);
    for (const [n, i] of missing.entries()) {
      const match = found.matches[n];
      if (match && match.value > (best[i]?.value ?? Number.NEGATIVE_INFINITY))
        best[i] = inPicture({ ...match, box: changed.move(match.box) }, 1, raster);
    }
  }
  return { scale, matches: best };
}

function* searchOnce(
  raster: Raster,
  detectors: readonly Detector[],
  options: DenseSearchOptions,
): Steps<DenseSearch> {
  const { workingPixels = defaultWorkingPixels, path } = options;
  const found: DensePlace[][] = detectors.map(() => []);
  if (detectors.every(({ templates }) => templates.length === 0))
    return { scale: 1, matches: found.map(matchOf) };
  const { working, scale } = yield* workingSteps(raster, workingPixels);
  if (Math.min(working.width, working.height) < minSide) return { scale, matches: found.map(matchOf) };
  const searched = detectors.flatMap((each, owner) => searchedLogos(each).map((logo) => ({ logo, owner })));
  let reuse: Workspace | undefined = takeWorkspace(path);
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
      const logo = { ...item.logo };
      const own = placesOf(each, logo, working, (box) => lowered(box, top));
      yield (1 + own.length) * (logo.colors ? coloredPlaceWork : placeWork);
      for (const place of own) found[item.owner]?.push(inPicture(place, scale, raster));
    }
  }
  keepWorkspace(reuse);
  return { scale, matches: found.map(matchOf) };
}

/** A picture as it is searched, and its scale. */
export function* workingSteps(
  raster: Raster,
  workingPixels: number = defaultWorkingPixels,
): Steps<{ readonly working: Raster; readonly scale: number }> {
  let working = yield* shrinkSteps(raster, maxWorkingWidth, anyHeight);
  while (isTooLarge(working, workingPixels))
    working = yield* shrinkSteps(working, working.width >> 1, anyHeight);
  return { working, scale: working.width / raster.width };
}

/** Tall pictures are searched in strips. */
const anyHeight = Number.POSITIVE_INFINITY;

/** The best of the places; of equal values the first. */
function matchOf(places: readonly DensePlace[]): DenseMatch | undefined {
  const [first] = places;
  return first && places.reduce((a, b) => (b.value > a.value ? b : a), first);
}

/** Whether a picture that is not tall has too many pixels. */
function isTooLarge({ width, height }: Raster, workingPixels: number): boolean {
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
  }));
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
