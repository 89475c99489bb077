/**
 * The background of a box: a plane of color (constant or gradient) through its border ring.
 *
 * A plane and not a color, so that gradients count as background; fitted robustly, because a logo may touch the
 * border. Method `chosen`.
 */

import type { Box, RgbPicture } from "../decode/picture.ts";
import { maxRingSamples, minSlopedShare, ringShare, ringTolerance } from "../tuning.ts";
import {
  type ChannelPlane,
  type ColorPlane,
  constant,
  fitRing,
  type Ring,
  type RingFit,
} from "./ring-fit.ts";

/** The background of a box. */
export interface Plane extends ColorPlane {
  /** Share of the ring that fits the plane, 0 to 1. */
  readonly share: number;
  /** Standard deviation of the pixels' noise, of 255, by differences along the ring. */
  readonly noise: number;
}

/** A plane of one color. */
export function flatPlane(red: number, green: number, blue: number): Plane {
  return { ...constant(red, green, blue), share: 1, noise: 0 };
}

/** Whether a plane has the same color everywhere. */
export function isFlat({ red, green, blue }: ColorPlane): boolean {
  return isLevel(red) && isLevel(green) && isLevel(blue);
}

function isLevel({ slopeX, slopeY }: ChannelPlane): boolean {
  return slopeX === 0 && slopeY === 0;
}

/** Level of a channel at a position. */
export function colorAt({ level, slopeX, slopeY }: ChannelPlane, x: number, y: number): number {
  return level + slopeX * x + slopeY * y;
}

/** Fits the background of a box of a picture. Tests compare the paths. */
export function fitBackground(picture: RgbPicture, box: Box, path: "fast" | "plain" = "fast"): Plane {
  const ring = ringOf(picture, box);
  const fit = fitRing(ring, path);
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const flat = rate(fit, refit(fit, modeColor(ring, fit, tolerance), tolerance), tolerance, noise);
  if (flat.share > 0.95) return flat;
  const sloped = rate(fit, refit(fit, trimmedFit(fit, tolerance), tolerance), tolerance, noise);
  return sloped.share >= minSlopedShare && sloped.share > flat.share + 0.05 ? sloped : flat;
}

/** The colors that cover at least a share of a box's border, most frequent first; at most two. */
export function borderColors(picture: RgbPicture, box: Box, minShare: number): readonly Plane[] {
  const found: Plane[] = [];
  const noise = noiseOf(picture, box);
  const tolerance = Math.max(ringTolerance, 3 * noise);
  const all = ringOf(picture, box);
  for (let ring = all; ring.length > 0 && found.length < 2; ) {
    const color = modeColor(ring, fitRing(ring), tolerance);
    const plane = rate(fitRing(all), color, tolerance, noise);
    if (plane.share < minShare) break;
    found.push(plane);
    ring = ringWithout(ring, color, 2 * tolerance);
  }
  return found;
}

function ringWithout(ring: Ring, color: ColorPlane, tolerance: number): Ring {
  const fit = fitRing(ring);
  fit.acceptNear(color, tolerance);
  const kept = new Float64Array(ring.length);
  let end = 0;
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (fit.accepted[i] === 1) continue;
    kept.set(ring.subarray(o, o + 5), end);
    end += 5;
  }
  return kept.subarray(0, end);
}

/** Memory of the last ring, reused because allocating it a hundred times a picture loads the garbage collector. */
const scratch = { ring: new Float64Array(0), colors: new Uint16Array(4096) };

/** The ring of a box, in the memory that the next call uses again. */
function ringOf(picture: RgbPicture, { left, top, right, bottom }: Box): Ring {
  const w = right - left;
  const h = bottom - top;
  const thick = Math.max(1, Math.round(Math.min(w, h) * ringShare));
  const step = Math.max(1, Math.ceil((thick * 2 * (w + h)) / maxRingSamples));
  const maxPixels = thick * 2 * (Math.ceil(w / step) + Math.ceil(h / step));
  if (scratch.ring.length < 5 * maxPixels) scratch.ring = new Float64Array(5 * maxPixels);
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
function modeColor(ring: Ring, fit: RingFit, tolerance: number): ColorPlane {
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
  for (let round = 0; round < 2; round++) color = meanNear(fit, color, 2 * tolerance);
  return color;
}

/** The mean color of the ring pixels within a distance of a color; the color itself without such pixels. */
function meanNear(fit: RingFit, color: ColorPlane, distance: number): ColorPlane {
  fit.acceptNear(color, distance);
  return fit.mean() ?? color;
}

/** Least squares over the ring, refitted four times to its best-fitting part. */
function trimmedFit(fit: RingFit, tolerance: number): ColorPlane {
  fit.acceptAll();
  let plane = fit.leastSquares();
  for (let round = 0; round < 4; round++) {
    fit.acceptHalf(plane, tolerance);
    plane = fit.leastSquares();
  }
  return plane;
}

/** Refits twice to the pixels that fit; a flat plane stays flat. */
function refit(fit: RingFit, start: ColorPlane, tolerance: number): ColorPlane {
  let plane = start;
  for (let round = 0; round < 2; round++) {
    if (isFlat(plane)) plane = meanNear(fit, plane, tolerance);
    else {
      fit.acceptNear(plane, tolerance);
      plane = fit.leastSquares();
    }
  }
  return plane;
}

function rate(fit: RingFit, plane: ColorPlane, tolerance: number, noise: number): Plane {
  return { ...plane, share: fit.acceptNear(plane, tolerance) / fit.accepted.length, noise };
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
