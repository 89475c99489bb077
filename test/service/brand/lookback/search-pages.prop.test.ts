/** A lookback in a request, beside the list of all records. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  finishLookback,
  lookBack,
  newestPosition,
  type ObservedPage,
  type ObservedRecord,
} from "../../../../src/service/brand/lookback/search-pages.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import type { ReadTransaction } from "../../../../src/store/port.ts";
import { runs } from "../../../support/runs.ts";

/** Runs of positions that follow each other, with gaps of any size before them. */
const runsOfPositions = fc.array(fc.tuple(fc.oneof(fc.nat(5), fc.nat(10_000_000)), fc.nat(40)), {
  maxLength: 6,
});

test("every record is searched once, in order, also those that come meanwhile; gaps take few reads", async () => {
  const law = fc.asyncProperty(runsOfPositions, fc.integer({ min: 1, max: 20 }), async (parts, pageSize) => {
    const store = createMemoryStore();
    const positions: number[] = [];
    const rest = [...parts];
    let isFinishing = false;
    let matches = 0;
    /** Adds a run, and a name that is stored only because it matches. */
    const observe = async () => {
      const [gap, length] = rest.shift() ?? [0, 0];
      const first = (positions.at(-1) ?? 0) + 1 + gap;
      const added = Array.from({ length }, (_, i) => first + i);
      positions.push(...added);
      const records = [0, ...added].map((position) => {
        const id = position === 0 ? `match-${matches++}` : `name-${position}`;
        return { scope: "a", id, domain_id: position, position, first_seen: 0 };
      });
      await store.write((tx) => tx.insertMissing("brand_domains", records));
    };
    let reads = 0;
    const lookback = {
      pageSize,
      newest: (tx: ReadTransaction) => newestPosition(tx, "brand_domains", "a"),
      readPage: (tx: ReadTransaction, page: ObservedPage) => {
        reads++;
        return tx.find("brand_domains", "a", page);
      },
      search: async (page: readonly ObservedRecord[]) => {
        expect(page.length).toBeLessThanOrEqual(pageSize);
        if (!isFinishing) await observe();
        return page.map(({ position }) => position);
      },
    };
    await observe();
    const state = await lookBack(store, lookback);
    await observe();
    isFinishing = true;
    const { found, searched } = await store.read((tx) => finishLookback(tx, lookback, state));
    expect(found).toEqual(positions);
    expect(searched).toBe(positions.length);
    // A gap of 10 million is crossed by doubling: 24 reads at most, and one more at its end.
    expect(reads).toBeLessThanOrEqual(positions.length / pageSize + 7 * (24 + 3));
  });
  await fc.assert(law, { numRuns: runs(100) });
});
