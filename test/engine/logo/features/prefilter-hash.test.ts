import { expect, test } from "vitest";
import {
  halfSide,
  hammingDistance,
  prefilterHash,
} from "../../../../src/engine/logo/features/prefilter-hash.ts";
import { randomBytes } from "../random.ts";

/** Frequency (f, g) of a map by the definition of the cosine transform. */
function frequency(map: Float64Array, f: number, g: number): number {
  let sum = 0;
  for (let y = 0; y < halfSide; y++) {
    for (let x = 0; x < halfSide; x++) {
      const across = Math.cos((Math.PI / halfSide) * f * (x + 0.5));
      sum += map[y * halfSide + x]! * across * Math.cos((Math.PI / halfSide) * g * (y + 0.5));
    }
  }
  return sum;
}

function ranked(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * values.length)]!;
}

test("a bit is set for each frequency that exceeds the median by the margin", () => {
  const map = Float64Array.from(randomBytes(11, halfSide * halfSide));
  const values = Array.from({ length: 256 }, (_, i) => frequency(map, 1 + (i >> 4), 1 + (i & 15)));
  const threshold = ranked(values, 0.5) + 0.1 * ranked(values.map(Math.abs), 0.9);
  const expected = new Uint8Array(32);
  for (const [i, value] of values.entries()) if (value > threshold) expected[i >> 3]! |= 1 << (i & 7);
  expect(prefilterHash(map)).toEqual(expected);
});

test("hammingDistance counts the different bits of all words", () => {
  const a = new Uint8Array(32);
  const b = new Uint8Array(32).fill(0xff);
  expect([hammingDistance(a, a), hammingDistance(a, b)]).toEqual([0, 256]);
  b.fill(0, 0, 31);
  expect(hammingDistance(a, b)).toBe(8);
});
