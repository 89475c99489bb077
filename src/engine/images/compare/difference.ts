/**
 * The perceptual difference of two pictures of one size, with alpha, in YIQ, over black and over white, by five measures:
 * `change`, the mean distance of a block's pixels, for what moved; `shift`, the distance of a block's mean colors, for thin
 * and pale marks; `wide`, the same of large regions, for pale overlays; `shape`, the variance of a block's differences in parts of its
 * own, for small text; `detail`, for blurred and sharpened pictures (`detail.ts`). An encoder's noise is large in single pixels, larger where a picture is busy, and nearly without a shift
 * (measured: docs/decisions/0012-comparing-pictures.md).
 */
import { type Area, areasIn, moveInside } from "./areas.ts";
import { detailOf, regionSide } from "./detail.ts";
import { brightness, channels, isOpaque, over, type Pixels } from "./pixels.ts";

/** Side of the blocks, in pixels (chosen). */
export const blockSide = 8;
/** Minimum pixels of a region that ends at an edge (chosen). */
const minRegionPixels = regionSide ** 2 / 4;

/** A measure of difference of pixels: 0 to 1, `shape` 0 to 4, `detail` from 0 and in octaves. */
export type Measure = "change" | "shift" | "wide" | "shape" | "detail";

/** Maximum differences of pictures that look the same (chosen). */
export const maxDifferences: Readonly<Record<Measure, number>> = {
  change: 0.06,
  shift: 0.03,
  wide: 0.012,
  shape: 0.2,
  detail: 0.4,
};
/** Addition to the maximum change for each level of activity, the standard deviation of a block's brightness (chosen). */
const changePerLevel = 0.0015;
/** The maximum activity that counts, in levels (chosen). */
const maxActivity = 32;
/** Addition to the variance of a block's brightness, in squared levels, so that noise in calm blocks counts little (chosen). */
const calmVariance = 1600;

/** Largest squared distance of two colors in YIQ with these weights: black and white. */
const maxSquared = 0.5053 * 255 ** 2;

/** The difference of two pictures. */
export interface PictureDifference {
  /** The largest difference by each measure; `change` less what the activity of its block adds. */
  readonly largest: Readonly<Record<Measure, number>>;
  /** Pixels with marks: opaque red where a block or region differs too much, else the golden picture, pale. */
  readonly mark: () => Uint8Array;
}

/** How pictures are compared. */
export interface DifferenceOptions {
  /** Height of a frame, in pixels. */
  readonly frameHeight: number;
  /** Factor of the maximum differences. */
  readonly tolerance: number;
}

/** Compares pictures of the same size. */
export function differenceOf(actual: Pixels, golden: Pixels, options: DifferenceOptions): PictureDifference {
  const { frameHeight, tolerance } = options;
  const { width, height } = golden;
  const largest = { change: 0, shift: 0, wide: 0, shape: 0, detail: 0 };
  const areas: Area[] = [];
  const note = (measure: Measure, value: number, area: Area) => {
    largest[measure] = Math.max(largest[measure], value);
    if (value > maxDifferences[measure] * tolerance) areas.push(area);
  };
  const backgrounds = isOpaque(actual) && isOpaque(golden) ? [255] : [0, 255];
  for (let top = 0; top < height; top += frameHeight) {
    const frame = { left: 0, top, right: width, bottom: Math.min(top + frameHeight, height) };
    for (const background of backgrounds) {
      compareFrame(actual, golden, frame, background, note);
      const { median, regions } = detailOf(actual, golden, frame, background);
      largest.detail = Math.max(largest.detail, median);
      const max = maxDifferences.detail * tolerance;
      if (median > max) areas.push(...regions.filter(({ value }) => value > max).map(({ area }) => area));
    }
  }
  return { largest, mark: () => markAreas(golden, areas) };
}

type Recorder = (measure: Measure, value: number, area: Area) => void;

function compareFrame(actual: Pixels, golden: Pixels, frame: Area, background: number, note: Recorder): void {
  for (const region of areasIn(frame, regionSide)) {
    const sums: Sums = { pixels: 0, y: 0, i: 0, q: 0 };
    for (const block of areasIn(region, blockSide)) {
      const whole = moveInside(block, frame, blockSide);
      const measured = measureBlock(actual, golden, whole, background);
      note(
        "change",
        Math.max(0, measured.change - changePerLevel * Math.min(measured.activity, maxActivity)),
        whole,
      );
      note("shift", distance(measured), whole);
      note("shape", measured.shape, whole);
      for (const name of ["pixels", "y", "i", "q"] as const) sums[name] += measured[name];
    }
    if (sums.pixels >= minRegionPixels) note("wide", distance(sums), region);
  }
}

/** Sums of the differences in YIQ. */
interface Sums {
  pixels: number;
  y: number;
  i: number;
  q: number;
}

interface MeasuredBlock extends Sums {
  readonly change: number;
  /** The variance of the differences of brightness, in parts of that of the busier picture. */
  readonly shape: number;
  /** That of the calmer picture: a mark that is lost leaves a calm one. */
  readonly activity: number;
}

function measureBlock(actual: Pixels, golden: Pixels, area: Area, background: number): MeasuredBlock {
  const { left, top, right, bottom } = area;
  const [a, b] = [actual.data, golden.data];
  const sums = { y: 0, i: 0, q: 0 };
  let [change, squaredY, ofA, squaredA, ofB, squaredB] = [0, 0, 0, 0, 0, 0];
  for (let line = top; line < bottom; line++) {
    const end = (line * golden.width + right) * channels;
    for (let at = (line * golden.width + left) * channels; at < end; at += channels) {
      const redA = over(background, a, at, 0);
      const greenA = over(background, a, at, 1);
      const blueA = over(background, a, at, 2);
      const r = redA - over(background, b, at, 0);
      const g = greenA - over(background, b, at, 1);
      const bl = blueA - over(background, b, at, 2);
      const y = brightness(r, g, bl);
      const i = 0.59597799 * r - 0.2741761 * g - 0.32180189 * bl;
      const q = 0.21147017 * r - 0.52261711 * g + 0.31114694 * bl;
      const brightA = brightness(redA, greenA, blueA);
      const brightB = brightA - y;
      sums.y += y;
      squaredY += y * y;
      sums.i += i;
      sums.q += q;
      if (r !== 0 || g !== 0 || bl !== 0) change += Math.sqrt(squared(y, i, q) / maxSquared);
      ofA += brightA;
      squaredA += brightA * brightA;
      ofB += brightB;
      squaredB += brightB * brightB;
    }
  }
  const pixels = (right - left) * (bottom - top);
  const variance = (sum: number, square: number) => Math.max(0, square / pixels - (sum / pixels) ** 2);
  const [varianceA, varianceB] = [variance(ofA, squaredA), variance(ofB, squaredB)];
  return {
    ...sums,
    pixels,
    change: change / pixels,
    shape: variance(sums.y, squaredY) / (Math.max(varianceA, varianceB) + calmVariance),
    activity: Math.sqrt(Math.min(varianceA, varianceB)),
  };
}

/** The distance of mean colors, 0 to 1. */
function distance({ pixels, y, i, q }: Sums): number {
  return Math.sqrt(squared(y, i, q) / maxSquared) / pixels;
}

function squared(y: number, i: number, q: number): number {
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

function markAreas({ data, width }: Pixels, areas: readonly Area[]): Uint8Array {
  const marked = data.map((value, at) => (at % channels === 3 ? value >> 2 : value));
  for (const { left, top, right, bottom } of areas) {
    for (let line = top; line < bottom; line++) {
      for (
        let at = (line * width + left) * channels;
        at < (line * width + right) * channels;
        at += channels
      ) {
        marked.set([255, 0, 0, 255], at);
      }
    }
  }
  return marked;
}
