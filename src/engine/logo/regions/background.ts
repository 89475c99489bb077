/**
 * The background of a box: a plane of color (constant or gradient) through its border ring.
 *
 * A plane and not a color, so that gradients count as background; fitted robustly, because a logo may touch the
 * border. Method `chosen`.
 */

import type { Box, RgbPicture } from "../decode/picture.ts";
import { valueAtRank } from "../features/quantile.ts";
import { maxRingSamples, minSlopedShare, ringShare, ringTolerance } from "../tuning.ts";

/** One channel as a linear function of the position: level + slopeX x + slopeY y. */
export interface ChannelPlane {
  readonly level: number;
  readonly slopeX: number;
  readonly slopeY: number;
}

/** A color as a linear function of the position. */
interface ColorPlane {
  readonly red: ChannelPlane;
  readonly green: ChannelPlane;
  readonly blue: ChannelPlane;
}

/** The background of a box. */
export interface Plane extends ColorPlane {
  /** Share of the ring that fits the plane, 0 to 1. */
  readonly share: number;
  /** Standard deviation of the pixels' noise, of 255, by differences along the ring. */
  readonly noise: number;
}

/** Ring pixels: x, y, red, green, blue, five numbers each. */
type Ring = Float64Array;

function constant(red: number, green: number, blue: number): ColorPlane {
  const flat = (level: number) => ({ level, slopeX: 0, slopeY: 0 });
  return { red: flat(red), green: flat(green), blue: flat(blue) };
}

/** A plane of one color. */
export function flatPlane(red: number, green: number, blue: number): Plane {
  return { ...constant(red, green, blue), share: 1, noise: 0 };
}

/** Whether a plane has the same color everywhere. */
export function isFlat({ red, green, blue }: ColorPlane): boolean {
  return [red, green, blue].every(({ slopeX, slopeY }) => slopeX === 0 && slopeY === 0);
}

/** Level of a channel at a position. */
export function colorAt({ level, slopeX, slopeY }: ChannelPlane, x: number, y: number): number {
  return level + slopeX * x + slopeY * y;
}

/** Fits the background of a box of a picture. */
export function fitBackground(picture: RgbPicture, box: Box): Plane {
  const ring = ringOf(picture, box);
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const flat = rate(ring, refit(ring, modeColor(ring, tolerance), tolerance), tolerance, noise);
  if (flat.share > 0.95) return flat;
  const sloped = rate(ring, refit(ring, trimmedFit(ring, tolerance), tolerance), tolerance, noise);
  return sloped.share >= minSlopedShare && sloped.share > flat.share + 0.05 ? sloped : flat;
}

/** The colors that cover at least a share of a box's border, most frequent first; at most two. */
export function borderColors(picture: RgbPicture, box: Box, minShare: number): readonly Plane[] {
  const found: Plane[] = [];
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const all = ringOf(picture, box);
  for (let ring = all; ring.length > 0 && found.length < 2; ) {
    const color = modeColor(ring, tolerance);
    const plane = rate(all, color, tolerance, noise);
    if (plane.share < minShare) break;
    found.push(plane);
    ring = ringWithout(ring, color, 2 * tolerance);
  }
  return found;
}

function ringWithout(ring: Ring, color: ColorPlane, tolerance: number): Ring {
  acceptNear(ring, color, tolerance);
  const kept = new Float64Array(ring.length);
  let end = 0;
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (scratch.accepted[i] === 1) continue;
    kept.set(ring.subarray(o, o + 5), end);
    end += 5;
  }
  return kept.subarray(0, end);
}

/**
 * Memory of the last fit, reused because allocating it a hundred times a picture loads the garbage collector: the ring, and for
 * each of its pixels the deviation from a plane, a copy of it to select from, and whether the pixel is accepted.
 */
const scratch = {
  ring: new Float64Array(0),
  deviations: new Float64Array(0),
  selected: new Float64Array(0),
  accepted: new Uint8Array(0),
  colors: new Uint16Array(4096),
};

function growScratch(pixels: number): void {
  if (scratch.accepted.length >= pixels) return;
  scratch.ring = new Float64Array(pixels * 5);
  scratch.deviations = new Float64Array(pixels);
  scratch.selected = new Float64Array(pixels);
  scratch.accepted = new Uint8Array(pixels);
}

/** The ring of a box, in the memory that the next call uses again. */
function ringOf(picture: RgbPicture, { left, top, right, bottom }: Box): Ring {
  const w = right - left;
  const h = bottom - top;
  const thick = Math.max(1, Math.round(Math.min(w, h) * ringShare));
  const step = Math.max(1, Math.ceil((thick * 2 * (w + h)) / maxRingSamples));
  growScratch(thick * 2 * (Math.ceil(w / step) + Math.ceil(h / step)));
  const { ring } = scratch;
  let o = 0;
  for (let t = 0; t < thick && t * 2 < Math.min(w, h); t++) {
    for (let x = left; x < right; x += step) {
      o = sample(picture, x, top + t, ring, o);
      o = sample(picture, x, bottom - 1 - t, ring, o);
    }
    for (let y = top; y < bottom; y += step) {
      o = sample(picture, left + t, y, ring, o);
      o = sample(picture, right - 1 - t, y, ring, o);
    }
  }
  return ring.subarray(0, o);
}

/** Writes a pixel into the ring; returns the offset of the next one. */
function sample({ width, rgb }: RgbPicture, x: number, y: number, ring: Ring, o: number): number {
  const i = (y * width + x) * 3;
  ring[o] = x;
  ring[o + 1] = y;
  ring[o + 2] = rgb[i] ?? 0;
  ring[o + 3] = rgb[i + 1] ?? 0;
  ring[o + 4] = rgb[i + 2] ?? 0;
  return o + 5;
}

/** A color reduced to 16 levels a channel: 12 bits. */
export function colorKey(red: number, green: number, blue: number): number {
  return ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
}

/** The middle of the colors of a key. */
export function keyColor(key: number): readonly [red: number, green: number, blue: number] {
  return [(key >> 8) * 16 + 8, ((key >> 4) & 15) * 16 + 8, (key & 15) * 16 + 8];
}

/** The most frequent color of the ring by its key, moved twice to the mean of the colors near it. */
function modeColor(ring: Ring, tolerance: number): ColorPlane {
  const counts = scratch.colors.fill(0);
  let best = 0;
  let bestCount = 0;
  for (let o = 0; o < ring.length; o += 5) {
    const key = colorKey(ring[o + 2] ?? 0, ring[o + 3] ?? 0, ring[o + 4] ?? 0);
    const count = (counts[key] ?? 0) + 1;
    counts[key] = count;
    if (count > bestCount) {
      bestCount = count;
      best = key;
    }
  }
  let color = constant(...keyColor(best));
  for (let round = 0; round < 2; round++) color = meanNear(ring, color, 2 * tolerance);
  return color;
}

/** The mean color of the ring pixels within a distance of a color; the color itself without such pixels. */
function meanNear(ring: Ring, color: ColorPlane, distance: number): ColorPlane {
  acceptNear(ring, color, distance);
  let n = 0;
  let r = 0;
  let g = 0;
  let b = 0;
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (scratch.accepted[i] === 0) continue;
    n++;
    r += ring[o + 2] ?? 0;
    g += ring[o + 3] ?? 0;
    b += ring[o + 4] ?? 0;
  }
  return n > 0 ? constant(r / n, g / n, b / n) : color;
}

/** Least squares over the ring, refitted four times to its best-fitting part. */
function trimmedFit(ring: Ring, tolerance: number): ColorPlane {
  const { deviations, selected, accepted } = scratch;
  const count = ring.length / 5;
  accepted.fill(1, 0, count);
  let plane = leastSquares(ring);
  for (let round = 0; round < 4; round++) {
    measureDeviations(ring, plane);
    selected.set(deviations.subarray(0, count));
    const middle = valueAtRank(selected.subarray(0, count), count >> 1);
    accept(Math.max(tolerance, 1.5 * middle), count);
    plane = leastSquares(ring);
  }
  return plane;
}

/** Refits twice to the pixels that fit; a flat plane stays flat. */
function refit(ring: Ring, start: ColorPlane, tolerance: number): ColorPlane {
  let plane = start;
  for (let round = 0; round < 2; round++) {
    if (isFlat(plane)) plane = meanNear(ring, plane, tolerance);
    else {
      acceptNear(ring, plane, tolerance);
      plane = leastSquares(ring);
    }
  }
  return plane;
}

/** Measures the largest channel distance of each ring pixel from a plane. */
function measureDeviations(ring: Ring, { red, green, blue }: ColorPlane): void {
  const { deviations } = scratch;
  const { level: r0, slopeX: rx, slopeY: ry } = red;
  const { level: g0, slopeX: gx, slopeY: gy } = green;
  const { level: b0, slopeX: bx, slopeY: by } = blue;
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    const x = ring[o] ?? 0;
    const y = ring[o + 1] ?? 0;
    const r = Math.abs((ring[o + 2] ?? 0) - (r0 + rx * x + ry * y));
    const g = Math.abs((ring[o + 3] ?? 0) - (g0 + gx * x + gy * y));
    const b = Math.abs((ring[o + 4] ?? 0) - (b0 + bx * x + by * y));
    deviations[i] = Math.max(r, g, b);
  }
}

/** Accepts the ring pixels whose measured deviation is at most a limit; returns their number. */
function accept(limit: number, count: number): number {
  const { deviations, accepted } = scratch;
  let n = 0;
  for (let i = 0; i < count; i++) {
    const fits = (deviations[i] ?? 0) <= limit ? 1 : 0;
    accepted[i] = fits;
    n += fits;
  }
  return n;
}

/** Accepts the ring pixels within a distance of a plane; returns their number. */
function acceptNear(ring: Ring, plane: ColorPlane, distance: number): number {
  measureDeviations(ring, plane);
  return accept(distance, ring.length / 5);
}

function rate(ring: Ring, plane: ColorPlane, tolerance: number, noise: number): Plane {
  return { ...plane, share: acceptNear(ring, plane, tolerance) / (ring.length / 5), noise };
}

/** Noise along the top and bottom of a box: the median difference of neighbors, as a standard deviation. */
export function noiseOf({ width, rgb }: RgbPicture, { left, top, right, bottom }: Box): number {
  const counts = new Uint32Array(256);
  let total = 0;
  for (const y of [top, bottom - 1]) {
    for (let i = (y * width + left) * 3; i < (y * width + right - 1) * 3; i++) {
      const difference = Math.abs((rgb[i] ?? 0) - (rgb[i + 3] ?? 0));
      counts[difference] = (counts[difference] ?? 0) + 1;
      total++;
    }
  }
  let median = 0;
  for (let below = counts[0] ?? 0; below < total / 2; below += counts[median] ?? 0) median++;
  // The median of the difference of two normal values is 0.954 standard deviations.
  return median / 0.954;
}

/** Plane of least squares through the accepted ring pixels, about their mean. Sums in fields would be allocated at each step. */
function leastSquares(ring: Ring): ColorPlane {
  const { accepted } = scratch;
  let [n, sumX, sumY, sumRed, sumGreen, sumBlue] = [0, 0, 0, 0, 0, 0];
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (accepted[i] === 0) continue;
    n++;
    sumX += ring[o] ?? 0;
    sumY += ring[o + 1] ?? 0;
    sumRed += ring[o + 2] ?? 0;
    sumGreen += ring[o + 3] ?? 0;
    sumBlue += ring[o + 4] ?? 0;
  }
  if (n === 0) return constant(0, 0, 0);
  const [meanX, meanY, meanRed, meanGreen, meanBlue] = [
    sumX / n,
    sumY / n,
    sumRed / n,
    sumGreen / n,
    sumBlue / n,
  ];
  let [xx, xy, yy] = [0, 0, 0];
  let [redX, redY, greenX, greenY, blueX, blueY] = [0, 0, 0, 0, 0, 0];
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (accepted[i] === 0) continue;
    const x = (ring[o] ?? 0) - meanX;
    const y = (ring[o + 1] ?? 0) - meanY;
    const r = (ring[o + 2] ?? 0) - meanRed;
    const g = (ring[o + 3] ?? 0) - meanGreen;
    const b = (ring[o + 4] ?? 0) - meanBlue;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    redX += x * r;
    redY += y * r;
    greenX += x * g;
    greenY += y * g;
    blueX += x * b;
    blueY += y * b;
  }
  const det = xx * yy - xy * xy;
  const solvable = det > 1e-6 * xx * yy && det > 0;
  const solve = (alongX: number, alongY: number, level: number): ChannelPlane => {
    const slopeX = solvable ? (alongX * yy - alongY * xy) / det : 0;
    const slopeY = solvable ? (alongY * xx - alongX * xy) / det : 0;
    return { level: level - slopeX * meanX - slopeY * meanY, slopeX, slopeY };
  };
  return {
    red: solve(redX, redY, meanRed),
    green: solve(greenX, greenY, meanGreen),
    blue: solve(blueX, blueY, meanBlue),
  };
}
