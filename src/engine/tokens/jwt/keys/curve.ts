/**
 * Points of P-256 and P-384 (SEC 2, sections 2.4.2 and 2.5.1): y² = x³ - 3x + b over the field of p.
 *
 * The check does not depend on a library, so that a point off the curve is rejected with every version of one. Both
 * curves have cofactor 1: each point on the curve is in the right group.
 */

import { hexText } from "#bytes";
import type { CurveName } from "./algorithms.ts";

interface Curve {
  readonly p: bigint;
  readonly b: bigint;
}

const curves: Readonly<Record<CurveName, Curve>> = {
  "P-256": {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  "P-384": {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
};

/** Whether the coordinates, big-endian, are in the field and are a point on the curve. */
export function isOnCurve(name: CurveName, x: Uint8Array, y: Uint8Array): boolean {
  const { p, b } = curves[name];
  const [px, py] = [toBigInt(x), toBigInt(y)];
  if (px >= p || py >= p) return false;
  return (py * py - (px * px * px - 3n * px + b)) % p === 0n;
}

/** Reads a big-endian unsigned integer; 0 for no bytes. */
export function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x0${hexText(bytes)}`);
}
