/** Fits colors to the pixels of a ring: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { valueAtRank } from "../features/quantile.ts";
import { viewKernels } from "./kernels/view-kernels.ts";

/** One channel as a linear function of the position: level + slopeX x + slopeY y. */
export interface ChannelPlane {
  readonly level: number;
  readonly slopeX: number;
  readonly slopeY: number;
}

/** A color as a linear function of the position. */
export interface ColorPlane {
  readonly red: ChannelPlane;
  readonly green: ChannelPlane;
  readonly blue: ChannelPlane;
}

/** Ring pixels: x, y, red, green, blue, five numbers each. */
export type Ring = Float64Array;

/** The accepted pixels of a ring, and what is fitted to them. Valid until another ring is fitted. */
export interface RingFit {
  /** A byte for each pixel: 1 for an accepted one. */
  readonly accepted: Uint8Array;
  /** Accepts all pixels. */
  acceptAll(): void;
  /** Accepts the pixels within a distance of a plane; returns their number. */
  acceptNear(plane: ColorPlane, distance: number): number;
  /** Accepts the pixels within 1.5 times the median deviation from a plane, or `min` if that is more. */
  acceptHalf(plane: ColorPlane, min: number): void;
  /** The mean color of the accepted pixels; undefined without any. */
  mean(): ColorPlane | undefined;
  /** The plane of least squares through the accepted pixels, about their mean. */
  leastSquares(): ColorPlane;
}

/** The largest deviation that is accepted, as a multiple of the median. */
const medianFactor = 1.5;

/** A plane of one color. */
export function constant(red: number, green: number, blue: number): ColorPlane {
  const flat = (level: number) => ({ level, slopeX: 0, slopeY: 0 });
  return { red: flat(red), green: flat(green), blue: flat(blue) };
}

/** Fits to a ring. Tests compare the paths. */
export function fitRing(ring: Ring, path: "fast" | "plain" = "fast"): RingFit {
  return (path === "fast" && fastFit(ring)) || plainFit(ring);
}

/** Addresses in the memory of the kernels. */
const sumsAt = 128;
const meansAt = 256;
const ringAt = 512;

/** The same in WebAssembly; undefined where the runtime has no SIMD. */
function fastFit(ring: Ring): RingFit | undefined {
  const count = ring.length / 5;
  const deviationsAt = ringAt + ring.byteLength;
  const acceptedAt = deviationsAt + 8 * count;
  const fast = viewKernels(acceptedAt + count);
  if (!fast) return undefined;
  const { kernels, buffer } = fast;
  const doubles = new Float64Array(buffer, 0, ringAt / 8);
  const accepted = new Uint8Array(buffer, acceptedAt, count);
  new Float64Array(buffer, ringAt, ring.length).set(ring);
  const writePlane = (plane: ColorPlane) => {
    writeChannel(doubles, 0, plane.red);
    writeChannel(doubles, 1, plane.green);
    writeChannel(doubles, 2, plane.blue);
  };
  return {
    accepted,
    acceptAll: () => void accepted.fill(1),
    acceptNear: (plane, distance) => {
      writePlane(plane);
      return kernels.acceptRing(ringAt, count, 0, distance, acceptedAt);
    },
    acceptHalf: (plane, min) => {
      writePlane(plane);
      kernels.ringDeviations(ringAt, count, 0, deviationsAt);
      const middle = valueAtRank(new Float64Array(buffer, deviationsAt, count).slice(), count >> 1);
      kernels.acceptDeviations(deviationsAt, count, Math.max(min, medianFactor * middle), acceptedAt);
    },
    mean: () => {
      kernels.sumRing(ringAt, count, acceptedAt, sumsAt);
      return meanColor(doubles, sumsAt / 8);
    },
    leastSquares: () => {
      kernels.sumRing(ringAt, count, acceptedAt, sumsAt);
      if (!writeMeans(doubles, sumsAt / 8, meansAt / 8)) return constant(0, 0, 0);
      kernels.momentsOfRing(ringAt, count, acceptedAt, meansAt, sumsAt);
      return solvePlane(doubles, sumsAt / 8, meansAt / 8);
    },
  };
}

function writeChannel(doubles: Float64Array, channel: number, { level, slopeX, slopeY }: ChannelPlane): void {
  doubles[channel] = level;
  doubles[channel + 4] = slopeX;
  doubles[channel + 8] = slopeY;
}

/** The color of the sums `n, x, y, red, green, blue` at an index. */
function meanColor(sums: Float64Array, at: number): ColorPlane | undefined {
  const n = sums[at] ?? 0;
  if (n === 0) return undefined;
  return constant((sums[at + 3] ?? 0) / n, (sums[at + 4] ?? 0) / n, (sums[at + 5] ?? 0) / n);
}

/** Writes the means of such sums; returns false without pixels. */
function writeMeans(sums: Float64Array, from: number, to: number): boolean {
  const n = sums[from] ?? 0;
  for (let i = 0; i < 5; i++) sums[to + i] = (sums[from + 1 + i] ?? 0) / n;
  return n !== 0;
}

/** The plane of the moments `xx, xy, yy`, x times each channel and y times each channel at an index. */
function solvePlane(moments: Float64Array, at: number, means: number): ColorPlane {
  const [xx = 0, xy = 0, yy = 0] = moments.subarray(at, at + 3);
  const [meanX = 0, meanY = 0] = moments.subarray(means, means + 2);
  const det = xx * yy - xy * xy;
  const solvable = det > 1e-6 * xx * yy && det > 0;
  const solve = (channel: number): ChannelPlane => {
    const alongX = moments[at + 3 + channel] ?? 0;
    const alongY = moments[at + 6 + channel] ?? 0;
    const slopeX = solvable ? (alongX * yy - alongY * xy) / det : 0;
    const slopeY = solvable ? (alongY * xx - alongX * xy) / det : 0;
    const level = (moments[means + 2 + channel] ?? 0) - slopeX * meanX - slopeY * meanY;
    return { level, slopeX, slopeY };
  };
  return { red: solve(0), green: solve(1), blue: solve(2) };
}

function plainFit(ring: Ring): RingFit {
  const count = ring.length / 5;
  const accepted = new Uint8Array(count);
  const deviations = new Float64Array(count);
  const numbers = new Float64Array(16);
  const accept = (limit: number) => {
    let n = 0;
    for (let i = 0; i < count; i++) {
      const fits = (deviations[i] ?? 0) <= limit ? 1 : 0;
      accepted[i] = fits;
      n += fits;
    }
    return n;
  };
  return {
    accepted,
    acceptAll: () => void accepted.fill(1),
    acceptNear: (plane, distance) => {
      measureDeviations(ring, plane, deviations);
      return accept(distance);
    },
    acceptHalf: (plane, min) => {
      measureDeviations(ring, plane, deviations);
      const middle = valueAtRank(deviations.slice(), count >> 1);
      accept(Math.max(min, medianFactor * middle));
    },
    mean: () => {
      sumAccepted(ring, accepted, numbers);
      return meanColor(numbers, 0);
    },
    leastSquares: () => {
      sumAccepted(ring, accepted, numbers);
      if (!writeMeans(numbers, 0, 9)) return constant(0, 0, 0);
      sumMoments(ring, accepted, numbers, 9);
      return solvePlane(numbers, 0, 9);
    },
  };
}

/** Measures the largest channel distance of each ring pixel from a plane. */
function measureDeviations(ring: Ring, { red, green, blue }: ColorPlane, deviations: Float64Array): void {
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

/** Writes the number of accepted pixels and the sums of their numbers. Sums in fields would be allocated at each step. */
function sumAccepted(ring: Ring, accepted: Uint8Array, to: Float64Array): void {
  let [n, x, y, red, green, blue] = [0, 0, 0, 0, 0, 0];
  for (let o = 0, i = 0; o < ring.length; o += 5, i++) {
    if (accepted[i] === 0) continue;
    n++;
    x += ring[o] ?? 0;
    y += ring[o + 1] ?? 0;
    red += ring[o + 2] ?? 0;
    green += ring[o + 3] ?? 0;
    blue += ring[o + 4] ?? 0;
  }
  to.set([n, x, y, red, green, blue]);
}

/** Writes the moments of the accepted pixels about means that are in the same memory. */
function sumMoments(ring: Ring, accepted: Uint8Array, to: Float64Array, means: number): void {
  const [meanX = 0, meanY = 0, meanRed = 0, meanGreen = 0, meanBlue = 0] = to.subarray(means, means + 5);
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
  to.set([xx, xy, yy, redX, greenX, blueX, redY, greenY, blueY]);
}
