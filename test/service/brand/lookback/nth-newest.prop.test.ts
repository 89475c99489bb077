/** The nth newest record, beside sorting all positions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { nthNewestPosition } from "../../../../src/service/brand/lookback/search-pages.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import { runs } from "../../../support/runs.ts";

/** Runs of positions that follow each other, with gaps of any size before them. */
const runsOfPositions = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(3), fc.nat(100_000)),
    fc.oneof({ weight: 4, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.constant(9_000) }),
  ),
  { maxLength: 6 },
);

test("the nth newest position is that of all of them in order", async () => {
  const law = fc.asyncProperty(runsOfPositions, fc.nat(1_000), fc.nat(3), async (parts, share, more) => {
    const positions: number[] = [];
    let next = 1;
    for (const [gap, length] of parts) {
      next += gap;
      for (let i = 0; i < length; i++) positions.push(next++);
    }
    const store = createMemoryStore();
    // Two names that are stored only because they match.
    const records = [0, 0, ...positions].map((position, i) => {
      return { scope: "a", id: `name-${i}`, domain_id: i + 1, position, first_seen: 0 };
    });
    await store.write((tx) => tx.insertMissing("brand_domains", records));
    const n = Math.max(1, Math.floor((share * positions.length) / 1_000) + more);
    const found = await store.read((tx) => nthNewestPosition(tx, "brand_domains", "a", n));
    expect(found).toBe(positions.toReversed()[n - 1]);
  });
  await fc.assert(law, { numRuns: runs(60) });
});
