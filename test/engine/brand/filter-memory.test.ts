/** Any number of matchers share one memory. */
import { compileQueries } from "edgeproof/brand";
import { afterEach, expect, test, vi } from "vitest";
import { forgetBlocks } from "../../../src/engine/brand/filters/filter-memory.ts";
import { runs } from "../../support/runs.ts";

afterEach(() => {
  vi.resetModules();
  vi.restoreAllMocks();
});

function compile(patterns: readonly string[]) {
  const string_matches = patterns.map((pattern) => ({ pattern, max_edit_distance: 1 }));
  return compileQueries([{ query_id: 1, parameters: { string_matches } }], { mode: "recommended" });
}

const brandOf = (i: number) => `brand${i}shop`;

test("matchers that take turns find what each finds alone, also after the memory was emptied", () => {
  const matchers = Array.from({ length: runs(1_000) }, (_, i) => compile([brandOf(i)]));
  const found = () => matchers.map((matcher, i) => matcher.match(`my-${brandOf(i)}.com`)[0]?.pattern);
  const expected = matchers.map((_, i) => brandOf(i));
  expect(found()).toEqual(expected);
  forgetBlocks();
  expect(found()).toEqual(expected);
  expect(found()).toEqual(expected);
});

test("a matcher of hundreds of patterns is copied back whole after the memory was emptied", () => {
  const patterns = Array.from(
    { length: 600 },
    (_, i) => `${String.fromCharCode(97 + (i % 26))}${brandOf(i)}`,
  );
  const queries = Array.from({ length: 6 }, (_, q) => ({
    query_id: q + 1,
    parameters: {
      string_matches: patterns
        .slice(100 * q, 100 * q + 100)
        .map((pattern) => ({ pattern, max_edit_distance: 1 })),
    },
  }));
  const matcher = compileQueries(queries, { mode: "label" });
  const ids = () => matcher.match(`${patterns[271]}.com`).map(({ pattern }) => pattern);
  const before = ids();
  expect(before).toContain(patterns[271]);
  forgetBlocks();
  compile(["paypal"]).match("paypal.com");
  expect(ids()).toEqual(before);
});

test("blocks that are created, used and dropped leave the memory as it is", async () => {
  // Capacity grows with the filters in use, which other tests of this thread have.
  vi.resetModules();
  const fresh = await import("../../../src/engine/brand/filters/filter-memory.ts");
  const block = new Uint8Array(2 ** 16);
  for (let i = 0; i < 4_000; i++) fresh.keepInMemory(block)();
  // The kept blocks are bounded, however many are created.
  expect(fresh.namesMemory().memory.buffer.byteLength).toBeLessThan(2 ** 27);
  expect(fresh.namesMemory().memory.buffer.byteLength).toBeGreaterThan(2 ** 25);
});

test("memory that cannot be had is an error that names the limit", async () => {
  vi.resetModules();
  const { namesMemory: start } = await import("../../../src/engine/brand/filters/filter-memory.ts");
  const { wasm } = await import("../../../src/core/wasm-runtime.ts");
  vi.spyOn(wasm, "Memory").mockImplementation(() => {
    throw new RangeError("WebAssembly.Memory(): could not allocate memory");
  });
  expect(start).toThrow(/could not be allocated; raise the limit of this process: `ulimit -v`/);
});
