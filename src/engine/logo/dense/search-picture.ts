/** Searches a decoded picture of any size for logos: reduced to the working size, tall pictures in overlapping strips. */

import { type Steps, stepWork } from "../../../core/work/steps.ts";
import { over } from "../decode/flatten-pixels.ts";
import { matteOf, type Raster } from "../decode/picture.ts";
import { colorAgreement } from "../features/color-agreement.ts";
import {
  coloredPlaceWork,
  defaultWorkingPixels,
  maxWorkingWidth,
  padding,
  placeWork,
  stripOverlap,
} from "./dense-tuning.ts";
import {
  type CalibratedPlace,
  calibratedPlaces,
  type Detector,
  searchedLogos,
  searchedTemplates,
} from "./detector.ts";
import { findPlacesSteps } from "./find-best.ts";
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
      const { logo, owner } = item;
      const { colors, part } = logo;
      const agreementOf = (box: Box) => (colors ? colorAgreement(colors, working, lowered(box, top)) : 0);
      const calibrated = calibratedPlaces(each, logo, agreementOf);
      for (const place of calibrated)
        found[owner]?.push({ ...placeOf(place, top, scale, raster), isPart: part !== undefined });
      yield (1 + calibrated.length) * (colors ? coloredPlaceWork : placeWork);
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

function placeOf({ place, value }: CalibratedPlace, top: number, scale: number, raster: Raster) {
  const [left, upper, right, lower] = lowered(place.box, top);
  const within = (at: number, end: number) => Math.round(Math.min(end, Math.max(0, at / scale)));
  return {
    value,
    box: [
      within(left, raster.width),
      within(upper, raster.height),
      within(right, raster.width),
      within(lower, raster.height),
    ] as const,
    template: place.fit.template.kind,
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
