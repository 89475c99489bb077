import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { wasm } from "../../../../src/core/wasm-runtime.ts";
import { createHashTable, plainScan, type Scan } from "../../../../src/engine/logo/index/hamming.ts";
import { randomBytes } from "../random.ts";

/** Rows and queries that a table finds, in the order of the visits. */
function hits(table: ReturnType<typeof createHashTable>, queries: readonly Uint8Array[], limit: number) {
  const found: [row: number, query: number][] = [];
  table.scan(queries, limit, (row, query) => found.push([row, query]));
  return found;
}

/** Number of different bits, by binary notation. */
function countBits(a: Uint8Array, b: Uint8Array): number {
  return [...a].reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll("0", "").length, 0);
}

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("the WebAssembly scan, the JavaScript scan and counting bits find the same rows", () => {
  fc.assert(
    fc.property(
      fc.array(hash, { maxLength: 60 }),
      fc.array(hash, { maxLength: 3 }),
      fc.integer({ min: 0, max: 256 }),
      (hashes, queries, limit) => {
        const fast = createHashTable();
        const plain = createHashTable(plainScan);
        for (const h of hashes) {
          fast.append(h);
          plain.append(h);
        }
        const expected = queries.flatMap((q, i) =>
          hashes.flatMap((h, row) => (countBits(h, q) <= limit ? [[row, i]] : [])),
        );
        expect(hits(fast, queries, limit)).toEqual(expected);
        expect(hits(plain, queries, limit)).toEqual(expected);
      },
    ),
  );
});

test("the planted near hashes among a million are found after growth and in every block", () => {
  const count = 1_000_000;
  const bytes = randomBytes(7, count * 32);
  const table = createHashTable();
  const query = bytes.slice(0, 32);
  const planted = [0, 1, 16_383, 16_384, 500_000, count - 1];
  for (const [n, row] of planted.entries()) {
    const near = query.slice();
    near[n]! ^= 0xff;
    bytes.set(near, row * 32);
  }
  for (let row = 0; row < count; row++) table.append(bytes.subarray(row * 32, row * 32 + 32));
  expect(table.size).toBe(count);
  expect(table.bytes / count).toBeLessThan(42);
  expect(table.at(777_777)).toEqual(bytes.slice(777_777 * 32, 777_778 * 32));
  expect(hits(table, [query], 8)).toEqual(planted.map((row) => [row, 0]));
});

test("a table scans in WebAssembly by default", () => {
  const { Instance } = wasm;
  const counts: number[] = [];
  class Counted {
    readonly exports: { readonly scan: Scan };
    constructor(...given: ConstructorParameters<typeof Instance>) {
      const { scan } = new Instance(...given).exports as { readonly scan: Scan };
      expect(String(scan)).toContain("[native code]");
      const counted: Scan = (from, count, ...rest) => {
        counts.push(count);
        return scan(from, count, ...rest);
      };
      this.exports = { scan: counted };
    }
  }
  vi.spyOn(wasm, "Instance").mockImplementation(Counted);
  try {
    const table = createHashTable();
    const rows = randomBytes(5, 20_000 * 32);
    for (let at = 0; at < rows.length; at += 32) table.append(rows.subarray(at, at + 32));
    expect(hits(table, [rows.subarray(64, 96)], 0)).toEqual([[2, 0]]);
    expect(counts).toEqual([16_384, 3_616]);
  } finally {
    vi.restoreAllMocks();
  }
});

test("append rejects a hash of another length", () => {
  expect(() => createHashTable().append(new Uint8Array(31))).toThrow(
    "A prefilter hash must have 32 bytes; found 31.",
  );
});
