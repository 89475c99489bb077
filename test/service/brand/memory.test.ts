/** A feed of any length takes no more memory than a short one: what is left after many names is what was there before. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes that a name may leave behind. A kept name, or an entry of a map for it, is larger. */
const maxBytesOfName = 20;

function* names(from: number, to: number, matchEvery: number): Generator<string> {
  for (let i = from; i < to; i++) yield i % matchEvery === 1 ? `paypal-${i}.example` : `${i}-name.example`;
}

const feeds = [
  // In memory what matches is kept, so nothing does.
  { kind: "memory", retain: false, warmUp: 15_000, fed: 60_000, matchEvery: Number.POSITIVE_INFINITY },
  { kind: "SQLite", retain: false, warmUp: 10_000, fed: 30_000, matchEvery: 50 },
  { kind: "SQLite", retain: true, warmUp: 5_000, fed: 20_000, matchEvery: 50 },
  { kind: "PostgreSQL", retain: true, warmUp: 5_000, fed: 15_000, matchEvery: 50 },
];

for (const { kind, retain, warmUp, fed, matchEvery } of feeds) {
  test.skipIf(isMissing(kind))(`${kind}, retain ${retain}`, { timeout: 60_000 }, async () => {
    const edge = createEdge({ store: await kinds[kind]!().open() });
    const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
    await edge.brand.queries.create("a", query);
    await edge.brand.observe("a", names(0, warmUp, matchEvery), { retain });
    const before = heapBytes();
    const report = await edge.brand.observe("a", names(warmUp, warmUp + fed, matchEvery), { retain });
    expect(report.records).toBe(fed);
    expect((heapBytes() - before) / fed).toBeLessThan(maxBytesOfName);
    await edge.close();
  });
}
