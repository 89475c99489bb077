/** The records of a template's largest sums: whatever the order of the groups, none of the best is lost. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { allocate, type DensePath } from "../../../../src/engine/logo/dense/kernels/kernels.ts";
import { bestRecords } from "../../../../src/engine/logo/dense/search-positions.ts";
import { runs } from "../../../support/runs.ts";
import { randomBytes } from "../random.ts";

const [groupCount, features, keep] = [1500, 24, 12];
const cells = 16 * groupCount;
/** Addresses: the groups, the template, its records, and a plane for each feature. */
const [groupsAt, templateAt, recordsAt, planesAt] = [64, 8192, 16_384, 32_768];
const bytes = planesAt + features * cells + 64;

/** Responses of 0 to 4, the larger the farther a cell is: the threshold rises as slowly as it can. */
function responses(seed: number, steepness: number): Uint8Array {
  const random = randomBytes(seed, features * cells);
  return random.map((byte, i) => {
    const share = (i % cells) / cells;
    return Math.min(4, Math.floor((byte / 256) * 2 + share * steepness));
  });
}

/** The cells of the best sums of each group, as the kernel records them with room for so many. */
function recorded(path: DensePath, planes: Uint8Array, room: number): readonly number[] {
  const { kernels, memory } = allocate(bytes, path);
  const words = new Int32Array(memory.buffer, 0, planesAt >> 2);
  new Uint8Array(memory.buffer).set(planes, planesAt);
  for (let g = 0; g < groupCount; g++) words[(groupsAt >> 2) + g] = 16 * g;
  const at = templateAt >> 2;
  words.set([features, 2 * features, 0, room, recordsAt, 0, groupCount], at);
  for (let f = 0; f < features; f++) words[at + 8 + f] = planesAt + f * cells;
  kernels.sumGroups(groupsAt, groupCount, templateAt, 1, 1216, keep);
  expect(words[at + 2]).toBeLessThanOrEqual(room);
  return [...bestRecords(words, at, keep)];
}

/** The same by sorting all groups. */
function best(planes: Uint8Array): readonly number[] {
  const groups = Array.from({ length: groupCount }, (_, g) => {
    const sums = Array.from({ length: 16 }, (_, lane) => {
      let sum = 0;
      for (let f = 0; f < features; f++) sum += planes[f * cells + 16 * g + lane]!;
      return sum;
    });
    const sum = Math.max(...sums);
    return { cell: 16 * g + sums.indexOf(sum), sum };
  });
  return groups
    .filter(({ sum }) => sum > 2 * features)
    .sort((a, b) => b.sum - a.sum || a.cell - b.cell)
    .slice(0, keep)
    .map(({ cell }) => cell);
}

test.each(["simd", "plain"] as const)(
  "%s: the best groups are kept with room for three times as many",
  (path) => {
    let full = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 15, max: 40 }), (seed, steepness) => {
        const planes = responses(seed, steepness / 10);
        const expected = best(planes);
        full += expected.length === keep ? 1 : 0;
        expect(recorded(path, planes, 3 * keep)).toEqual(expected);
      }),
      { numRuns: runs(20) },
    );
    expect(full).toBeGreaterThan(0);
  },
);
