import { expect, test } from "vitest";
import { valueAtRank } from "../../../../src/engine/logo/features/quantile.ts";
import { randomBytes } from "../random.ts";

/** Lists with few and with many different values, sorted in both directions, and all equal. */
const lists: Readonly<Record<string, readonly number[]>> = {
  one: [3],
  two: [2, 1],
  equal: Array.from({ length: 50 }, () => 7),
  rising: Array.from({ length: 50 }, (_, i) => i),
  falling: Array.from({ length: 50 }, (_, i) => -i),
  many: [...randomBytes(5, 301)],
  few: [...randomBytes(6, 301)].map((v) => v % 3),
};

test.each(Object.entries(lists))("%s: valueAtRank equals the sorted list at every rank", (_name, list) => {
  const sorted = [...list].sort((a, b) => a - b);
  for (let rank = 0; rank < list.length; rank++) {
    expect(valueAtRank(Float64Array.from(list), rank)).toBe(sorted[rank]);
  }
});
