/**
 * The background of a box: a plane of colour (constant or gradient) through its border ring.
 *
 * A plane and not a colour, so that gradients count as background; fitted robustly, because a logo may touch
 * the border. Method `chosen`.
 */

import type { Box, Picture } from "../decode/picture.ts";
import { valueAtRank } from "../features/quantile.ts";
import { ringSamples, ringShare, ringTolerance } from "../tuning.ts";

/** Colour as a linear function of the place: for each channel c, at(x, y) = k[c] + k[3 + c] x + k[6 + c] y. */
export interface Plane {
  /** Nine coefficients: constants, slopes along x, slopes along y, of red, green, blue. */
  readonly k: Float64Array;
  /** Share of the ring, 0 to 1, that follows the plane. */
  readonly share: number;
  /** Standard deviation of the pixels' noise, of 255, by differences along the ring. */
  readonly noise: number;
}

/** Ring pixels: x, y, red, green, blue, five numbers each. */
type Ring = Float64Array;

/** A plane of one colour. */
export function flatPlane(red: number, green: number, blue: number): Plane {
  return { k: Float64Array.of(red, green, blue, 0, 0, 0, 0, 0, 0), share: 1, noise: 0 };
}

/** Fits the background of a box of a picture. */
export function fitBackground(picture: Picture, box: Box): Plane {
  const ring = ringOf(picture, box);
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const constant = rate(ring, refine(ring, modeColour(ring, tolerance), tolerance), tolerance, noise);
  if (constant.share > 0.95) return constant;
  const sloped = rate(ring, refine(ring, trimmedFit(ring, tolerance), tolerance), tolerance, noise);
  return sloped.share > constant.share + 0.05 ? sloped : constant;
}

/** The colours that hold at least a share of a box's border, the most frequent first, at most two. */
export function borderColours(picture: Picture, box: Box, leastShare: number): readonly Plane[] {
  const found: Plane[] = [];
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const all = ringOf(picture, box);
  for (let ring = all; ring.length > 0 && found.length < 2; ) {
    const k = modeColour(ring, tolerance);
    const plane = rate(all, k, tolerance, noise);
    if (plane.share < leastShare) break;
    found.push(plane);
    ring = ringWithout(ring, k, 2 * tolerance);
  }
  return found;
}

function ringWithout(ring: Ring, k: Float64Array, tolerance: number): Ring {
  const kept = new Float64Array(ring.length);
  let end = 0;
  for (let o = 0; o < ring.length; o += 5) {
    if (deviation(ring, o, k) <= tolerance) continue;
    for (let j = 0; j < 5; j++) kept[end++] = ring[o + j]!;
  }
  return kept.subarray(0, end);
}

/** A plane's nine numbers, for loops over its pixels. */
export function coefficientsOf({ k }: Plane) {
  return k as unknown as readonly [number, number, number, number, number, number, number, number, number];
}

/** Colour of a plane at a place, one channel. */
export function planeAt({ k }: Plane, channel: number, x: number, y: number): number {
  return k[channel]! + k[3 + channel]! * x + k[6 + channel]! * y;
}

function ringOf(picture: Picture, { left, top, right, bottom }: Box): Ring {
  const w = right - left;
  const h = bottom - top;
  const thick = Math.max(1, Math.round(Math.min(w, h) * ringShare));
  const step = Math.max(1, Math.ceil((thick * 2 * (w + h)) / ringSamples));
  const ring = new Float64Array(thick * 2 * (Math.ceil(w / step) + Math.ceil(h / step)) * 5);
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

/** Writes a pixel into the ring; gives where the next one goes. */
function sample({ width, rgb }: Picture, x: number, y: number, ring: Ring, o: number): number {
  const i = (y * width + x) * 3;
  ring[o] = x;
  ring[o + 1] = y;
  ring[o + 2] = rgb[i]!;
  ring[o + 3] = rgb[i + 1]!;
  ring[o + 4] = rgb[i + 2]!;
  return o + 5;
}

/** The most frequent colour of the ring, to the nearest 16 levels, then the mean of what lies near it. */
function modeColour(ring: Ring, tolerance: number): Float64Array {
  const counts = new Uint16Array(4096);
  let best = 0;
  let most = 0;
  for (let o = 0; o < ring.length; o += 5) {
    const key = ((ring[o + 2]! >> 4) << 8) | ((ring[o + 3]! >> 4) << 4) | (ring[o + 4]! >> 4);
    counts[key]!++;
    if (counts[key]! > most) {
      most = counts[key]!;
      best = key;
    }
  }
  const k = Float64Array.of(
    (best >> 8) * 16 + 8,
    ((best >> 4) & 15) * 16 + 8,
    (best & 15) * 16 + 8,
    0,
    0,
    0,
    0,
    0,
    0,
  );
  for (let round = 0; round < 2; round++) shiftToMean(ring, k, tolerance);
  return k;
}

function shiftToMean(ring: Ring, k: Float64Array, tolerance: number): void {
  const sum = [0, 0, 0];
  let n = 0;
  for (let o = 0; o < ring.length; o += 5) {
    if (deviation(ring, o, k) > 2 * tolerance) continue;
    n++;
    for (let c = 0; c < 3; c++) sum[c]! += ring[o + 2 + c]!;
  }
  if (n > 0) for (let c = 0; c < 3; c++) k[c] = sum[c]! / n;
}

/** Least squares over the ring, refitted four times to the better part of it. */
function trimmedFit(ring: Ring, tolerance: number): Float64Array {
  let k = leastSquares(ring, () => true);
  for (let round = 0; round < 4; round++) {
    const current = k;
    const deviations = new Float64Array(ring.length / 5);
    for (let i = 0; i < deviations.length; i++) deviations[i] = deviation(ring, i * 5, current);
    const middle = valueAtRank(deviations.slice(), deviations.length >> 1);
    const cut = Math.max(tolerance, 1.5 * middle);
    k = leastSquares(ring, (o) => deviations[o / 5]! <= cut);
  }
  return k;
}

/** Refits to the pixels that follow; a fit that follows too little is kept as it was. */
function refine(ring: Ring, start: Float64Array, tolerance: number): Float64Array {
  let k = start;
  for (let round = 0; round < 2; round++) {
    const current = k;
    const follows = (o: number) => deviation(ring, o, current) <= tolerance;
    const slopes = current.subarray(3).some((s) => s !== 0);
    k = slopes ? leastSquares(ring, follows) : meanOf(ring, follows, current);
  }
  return k;
}

function meanOf(ring: Ring, takes: (o: number) => boolean, fallback: Float64Array): Float64Array {
  const k = new Float64Array(9);
  let n = 0;
  for (let o = 0; o < ring.length; o += 5) {
    if (!takes(o)) continue;
    n++;
    for (let c = 0; c < 3; c++) k[c]! += ring[o + 2 + c]!;
  }
  if (n === 0) return fallback;
  for (let c = 0; c < 3; c++) k[c]! /= n;
  return k;
}

/** Largest channel distance of a ring pixel from the plane. */
function deviation(ring: Ring, o: number, k: Float64Array): number {
  const x = ring[o]!;
  const y = ring[o + 1]!;
  const r = Math.abs(ring[o + 2]! - (k[0]! + k[3]! * x + k[6]! * y));
  const g = Math.abs(ring[o + 3]! - (k[1]! + k[4]! * x + k[7]! * y));
  const b = Math.abs(ring[o + 4]! - (k[2]! + k[5]! * x + k[8]! * y));
  return Math.max(r, g, b);
}

function rate(ring: Ring, k: Float64Array, tolerance: number, noise: number): Plane {
  let follow = 0;
  for (let o = 0; o < ring.length; o += 5) if (deviation(ring, o, k) <= tolerance) follow++;
  return { k, share: follow / (ring.length / 5), noise };
}

/** Noise along the top and bottom of a box: the median difference of neighbours, as a standard deviation. */
export function noiseOf({ width, rgb }: Picture, { left, top, right, bottom }: Box): number {
  const counts = new Uint32Array(256);
  let total = 0;
  for (const y of [top, bottom - 1]) {
    for (let i = (y * width + left) * 3; i < (y * width + right - 1) * 3; i++) {
      counts[Math.abs(rgb[i]! - rgb[i + 3]!)]!++;
      total++;
    }
  }
  let median = 0;
  for (let below = counts[0]!; below < total / 2; below += counts[median]!) median++;
  // The median of the difference of two normal values is 0.954 standard deviations.
  return median / 0.954;
}

/** Plane of least squares through the ring pixels that are taken, about their mean. */
function leastSquares(ring: Ring, takes: (o: number) => boolean): Float64Array {
  const mean = new Float64Array(5);
  let n = 0;
  for (let o = 0; o < ring.length; o += 5) {
    if (!takes(o)) continue;
    n++;
    for (let j = 0; j < 5; j++) mean[j]! += ring[o + j]!;
  }
  const k = new Float64Array(9);
  if (n === 0) return k;
  for (let j = 0; j < 5; j++) mean[j]! /= n;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  const xc = [0, 0, 0];
  const yc = [0, 0, 0];
  for (let o = 0; o < ring.length; o += 5) {
    if (!takes(o)) continue;
    const x = ring[o]! - mean[0]!;
    const y = ring[o + 1]! - mean[1]!;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    for (let c = 0; c < 3; c++) {
      const d = ring[o + 2 + c]! - mean[2 + c]!;
      xc[c]! += x * d;
      yc[c]! += y * d;
    }
  }
  const det = xx * yy - xy * xy;
  const solvable = det > 1e-6 * xx * yy && det > 0;
  for (let c = 0; c < 3; c++) {
    const sx = solvable ? (xc[c]! * yy - yc[c]! * xy) / det : 0;
    const sy = solvable ? (yc[c]! * xx - xc[c]! * xy) / det : 0;
    k[3 + c] = sx;
    k[6 + c] = sy;
    k[c] = mean[2 + c]! - sx * mean[0]! - sy * mean[1]!;
  }
  return k;
}
