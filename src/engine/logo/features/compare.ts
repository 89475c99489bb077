/**
 * How alike a queried logo and a scanned picture are, 0 to 1.
 *
 * Equal decoded pixels: exactly 1, before anything else (`chosen`: brand.md, "Pictures at the edge"). Then two solid
 * pictures by colour; then the likest pair of views, less what plain shapes would reach as well, or what a copy at
 * another size has.
 */

import type { LogoDescriptor } from "../descriptor.ts";
import type { Region, View } from "../regions/views.ts";
import {
  aspectCost,
  aspectOctaves,
  copyLikeness,
  copyReach,
  copyReachAlike,
  copyScores,
  richSpread,
  scoreKnots,
  simpleCost,
  stockCost,
  stockFloor,
} from "../tuning.ts";
import { copyDistance } from "./copies.ts";
import { likeness, passesGate } from "./features.ts";

/** What a comparison found. */
export interface LogoComparison {
  /** 0 to 1; 0.75 is a false-alarm rate of about 1e-3, 0.85 of about 1e-4. */
  readonly score: number;
  /** Likeness before it is brought to the scale of scores; 0 when no pair of views came near. */
  readonly raw: number;
  /** Where in the scanned picture the logo was found. */
  readonly region: Region;
}

const wholePicture: Region = { left: 0, top: 0, width: 1, height: 1 };

/**
 * Compares a queried logo with a scanned picture.
 *
 * @throws {TypeError} unless the first was described as `query` and the second as `scan`
 * @example
 * ```ts
 * const red = { width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) };
 * compareLogos(describeRaster(red, "query"), describeRaster(red, "scan")).score;
 * // => 1
 * ```
 */
export function compareLogos(query: LogoDescriptor, scan: LogoDescriptor): LogoComparison {
  if (query.role !== "query" || scan.role !== "scan") {
    throw new TypeError(
      "compareLogos takes a descriptor made with role `query` and one made with role `scan`.",
    );
  }
  if (equalBytes(query.digest, scan.digest)) return { score: 1, raw: 1, region: wholePicture };
  if (query.solid && scan.solid) {
    const score = colourLikeness(query, scan);
    return { score, raw: score, region: wholePicture };
  }
  const { raw, plain, region } = bestPair(query, scan);
  const score = Math.max(scoreOf(raw), copyScore(copyDistance(query, scan), plain));
  return { score, raw, region };
}

interface Best {
  readonly raw: number;
  /** Likeness of the pair before costs. */
  readonly plain: number;
  readonly region: Region;
}

/** The likest pair of views that passes the gate. */
function bestPair(query: LogoDescriptor, scan: LogoDescriptor): Best {
  let raw = 0;
  let plain = 0;
  let region = wholePicture;
  for (const q of query.views) {
    for (const s of scan.views) {
      if (!viewsMeet(q, s)) continue;
      const alike = likeness(q, s);
      const value = alike - costOf(q, s);
      plain = Math.max(plain, alike);
      if (value > raw) {
        raw = value;
        region = s.region;
      }
    }
  }
  return { raw, plain, region };
}

/** Whether two views come near enough to be compared in full: by aspect, then by gate. */
export function viewsMeet(q: View, s: View): boolean {
  return Math.abs(q.aspect - s.aspect) <= aspectOctaves && passesGate(q, s);
}

/**
 * What a pair of views loses because much else would be as alike: by likeness to a stock shape, by having few edges
 * in few directions, and by being stretched to fit.
 */
function costOf(q: View, s: View): number {
  const stock = Math.max(0, Math.max(q.stock, s.stock) - stockFloor);
  const simple = Math.max(0, Math.log2(richSpread / Math.max(1, Math.min(q.spread, s.spread))));
  return stockCost * stock + simpleCost * simple + aspectCost * Math.abs(q.aspect - s.aspect);
}

/** Brings a raw likeness to the scale of scores. */
export function scoreOf(raw: number): number {
  if (raw <= 0) return 0;
  for (let i = 1; i < scoreKnots.length; i++) {
    const [x1, y1] = scoreKnots[i]!;
    if (raw > x1) continue;
    const [x0, y0] = scoreKnots[i - 1]!;
    return y0 + ((y1 - y0) * (raw - x0)) / (x1 - x0);
  }
  return scoreKnots.at(-1)![1];
}

/** Largest distance of two colours. */
const colourSpan = Math.sqrt(3) * 255;

function colourLikeness(a: LogoDescriptor, b: LogoDescriptor): number {
  const [r, g, bl] = a.colour.map((v, i) => v - b.colour[i]!) as [number, number, number];
  return Math.max(0, 1 - Math.sqrt(r * r + g * g + bl * bl) / colourSpan);
}

/** Score of the same picture at another size or compression; 0 when the pictures are not that. */
function copyScore(distance: number, likeness: number): number {
  if (distance > (likeness >= copyLikeness ? copyReachAlike : copyReach)) return 0;
  const [most, least] = copyScores;
  return most - ((most - least) * distance) / copyReachAlike;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((v, i) => v === b[i]);
}
