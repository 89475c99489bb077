/** The rows of the memory store: maps of any size, sorted views and merged lists, against arrays that are sorted each time. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlainOrder } from "../../src/store/argument-checks.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { mergeLists } from "../../src/store/memory/merge-lists.ts";
import { compileOrder, type MemoryRow } from "../../src/store/memory/query.ts";
import { createRowSet } from "../../src/store/memory/row-set.ts";
import { sortRows } from "../../src/store/memory/sort-rows.ts";
import { createTurns } from "../../src/store/memory/turns.ts";
import { createWideMap } from "../../src/store/memory/wide-map.ts";
import { runs } from "../support/runs.ts";

const turn = () => new Promise<void>((resume) => setImmediate(resume));
/** Small values, so that many rows are equal but for their ids; some strings have surrogates. */
const valueAt = (i: number) => ({ n: (i * 7919) % 13, text: ["b", "", "é", "\ufffd", "😀", "a"][i % 6] });
const rowAt = (i: number, version = 0): MemoryRow => ({
  scope: "s",
  id: `id-${(i * 104_729) % 1_000_003}`,
  ...valueAt(i + version),
});
const orders: readonly (readonly PlainOrder[])[] = [
  [],
  [{ field: "n", direction: "desc" }],
  [
    { field: "text", direction: "asc" },
    { field: "n", direction: "desc" },
  ],
];

test("a wide map has the entries of a map, also when its parts are divided", () => {
  const wide = createWideMap<number>();
  const plain = new Map<string, number>();
  for (let i = 0; i < 90_000; i++) {
    const key = i % 3 === 0 ? `key ${i % 40_000}` : `${i}`;
    if (i % 5 === 4 && wide.delete(`${i - 3}`) !== plain.delete(`${i - 3}`)) expect.fail(key);
    wide.set(key, i);
    plain.set(key, i);
  }
  expect(wide.size).toBe(plain.size);
  const parts = [...wide.parts()];
  expect(parts.flat().sort((a, b) => a - b)).toEqual([...plain.values()].sort((a, b) => a - b));
  // Few entries, as a hundred maps that grow together divide a part in the same turn.
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(400);
  for (const [key, value] of plain) if (wide.get(key) !== value || !wide.has(key)) expect.fail(key);
  expect(wide.get("none")).toBeUndefined();
});

test("sorting in steps is sorting, for rows of one run and of several", async () => {
  for (const length of [0, 1, 5_000, 20_001])
    for (const order of orders) {
      const rows = Array.from({ length }, (_, i) => rowAt(i));
      expect(await sortRows(rows, order, createTurns())).toEqual([...rows].sort(compileOrder(order)));
    }
});

test("sorted views follow every change, also while they are read", async () => {
  const change = fc.record({
    from: fc.nat(3_000),
    count: fc.nat(1_500),
    kind: fc.constantFrom("add", "remove", "replace"),
    reads: fc.array(fc.constantFrom(...orders), { maxLength: 3 }),
    isWaiting: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const set = createRowSet();
      const rows = new Map<number, MemoryRow>();
      const countRecords = createTurns();
      const waiting: Promise<unknown>[] = [];
      for (const [version, { from, count, kind, reads, isWaiting }] of changes.entries()) {
        for (let i = from; i < from + count; i++) {
          const old = rows.get(i);
          if (old && kind !== "add") {
            set.remove(old);
            rows.delete(i);
          }
          if (rows.has(i) || kind === "remove") continue;
          const row = rowAt(i, version);
          set.add(row);
          rows.set(i, row);
        }
        for (const order of reads) waiting.push(set.sorted(order, countRecords));
        // A transaction that ended while it waited for its turn.
        if (version % 3 === 2)
          waiting.push(
            set
              .sorted(orders[1]!, () => Promise.reject(new TypeError("ended")))
              .catch((error) => expect(error).toBeInstanceOf(TypeError)),
          );
        if (isWaiting) await turn();
      }
      await Promise.all(waiting);
      for (const order of orders) {
        const expected = [...rows.values()].sort(compileOrder(order));
        expect(await set.sorted(order, countRecords)).toEqual(expected);
      }
    }),
    { numRuns: runs(100) },
  );
});

test("merged lists are the page of all their rows in order", async () => {
  const page = fc.record({
    sizes: fc.array(fc.nat(700), { maxLength: 12 }),
    order: fc.constantFrom(...orders),
    offset: fc.nat(300),
    limit: fc.oneof(fc.nat(50), fc.constant(Number.POSITIVE_INFINITY)),
    rest: fc.nat(12),
  });
  await fc.assert(
    fc.asyncProperty(page, async ({ sizes, order, offset, limit, rest }) => {
      const compare = compileOrder(order);
      const holds = (row: MemoryRow) => (row["n"] as number) >= rest;
      let next = 0;
      const lists = sizes.map((size) => Array.from({ length: size }, () => rowAt(next++)).sort(compare));
      const starts = lists.map((rows) => ({ rows, at: 0, end: rows.length }));
      const expected = lists.flat().filter(holds).sort(compare).slice(offset);
      expect(await mergeLists(starts, holds, compare, { offset, limit }, createTurns())).toEqual(
        expected.slice(0, limit),
      );
    }),
    { numRuns: runs(300) },
  );
});

test("passes through many rows let other work run, and the end of a transaction stops them", async () => {
  const store = createMemoryStore();
  const count = 60_000;
  const record = (i: number) => ({
    scope: "a",
    id: `n${i}.example ${i % 4}`,
    match_id: i,
    query_id: i % 4,
    domain_id: i,
    domain: `n${i}.example`,
    first_seen: i % 1_000,
    registrar: "",
    dismissed: false,
  });
  await store.write((tx) =>
    tx.insertMissing(
      "brand_domain_matches",
      Array.from({ length: count }, (_, i) => record(i)),
    ),
  );
  const where = [
    { field: "query_id", op: "in", value: [0, 1, 2] },
    { field: "domain", op: "contains", value: "none" },
  ] as const;
  const order = [{ field: "first_seen", direction: "desc" }] as const;
  const passes = {
    find: (tx) => tx.find("brand_domain_matches", "a", { where, order, limit: 10 }),
    positions: (tx) => tx.positions("brand_domain_matches", "a", { where, order, limit: 10 }),
    count: (tx) => tx.count("brand_domain_matches", "a", where),
    distinct: (tx) => tx.countDistinct("brand_domain_matches", "a", "domain", where),
  } satisfies Record<string, (tx: Parameters<Parameters<typeof store.read>[0]>[0]) => Promise<unknown>>;
  for (const [name, pass] of Object.entries(passes)) {
    let turns = 0;
    let isOver = false;
    const tick = () => {
      if (isOver) return;
      turns++;
      setImmediate(tick);
    };
    setImmediate(tick);
    await store.read<unknown>(pass);
    isOver = true;
    // 45,000 rows, of which 20 are as much work as one of the thousand records of a turn.
    expect(turns, name).toBeGreaterThanOrEqual(1);
  }
  let left: Promise<unknown> | undefined;
  await store.read(async (tx) => {
    left = Promise.resolve(passes.count(tx));
    left.catch(() => {});
  });
  await expect(left).rejects.toThrow("this transaction has ended");
});
