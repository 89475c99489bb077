import { expect, test } from "vitest";
import { valueAtRank } from "../../../../src/engine/logo/features/quantile.ts";
import { randomBytes } from "../random.ts";

/** Values of few kinds and of many, sorted either way, and all equal. */
const lists: Readonly<Record<string, readonly number[]>> = {
  one: [3],
  two: [2, 1],
  equal: Array.from({ length: 50 }, () => 7),
  rising: Array.from({ length: 50 }, (_, i) => i),
  falling: Array.from({ length: 50 }, (_, i) => -i),
  many: [...randomBytes(5, 301)],
  few: [...randomBytes(6, 301)].map((v) => v % 3),
};

test.each(Object.entries(lists))("%s: the value at each rank is what sorting puts there", (_name, list) => {
  const sorted = [...list].sort((a, b) => a - b);
  for (let rank = 0; rank < list.length; rank++) {
    expect(valueAtRank(Float64Array.from(list), rank)).toBe(sorted[rank]);
  }
});
