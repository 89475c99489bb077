/** Caches of the core: what is kept, and what is dropped first. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLruCache } from "../../src/core/lru-cache.ts";
import { createRevisionCache } from "../../src/core/revision-cache.ts";

describe("an LRU cache", () => {
  test("drops the entry that was not used for the longest time, where reading counts as use", () => {
    const cache = createLruCache<number>(2);
    cache.set("a", 1);
    cache.set("b", 2);
    cache.get("a");
    cache.set("c", 3);
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  });

  test("does not keep an entry that costs more than the whole cache may, and forgets the old value of its key", () => {
    const cache = createLruCache<string>(5, (value) => value.length);
    cache.set("a", "12345");
    cache.set("a", "123456");
    expect(cache.get("a")).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test("equals a list that is searched from its end, for any sequence of operations", () => {
    const operation = fc.tuple(
      fc.constantFrom("get", "set", "delete"),
      fc.constantFrom("a", "b", "c", "d"),
      fc.nat(4),
    );
    fc.assert(
      fc.property(fc.nat(6), fc.array(operation, { maxLength: 40 }), (maxCost, operations) => {
        const cache = createLruCache<number>(maxCost, (value) => value);
        let model: (readonly [string, number])[] = [];
        for (const [kind, key, value] of operations) {
          const found = model.find(([k]) => k === key);
          if (kind === "get") {
            expect(cache.get(key)).toBe(found?.[1]);
            if (found) model = [...model.filter((entry) => entry !== found), found];
            continue;
          }
          model = model.filter(([k]) => k !== key);
          if (kind === "delete") cache.delete(key);
          else {
            cache.set(key, value);
            if (value <= maxCost) model.push([key, value]);
            while (model.reduce((sum, [, cost]) => sum + cost, 0) > maxCost) model.shift();
          }
        }
        expect(cache.size).toBe(model.length);
        for (const [key, value] of model) expect(cache.get(key)).toBe(value);
      }),
    );
  });
});

describe("a revision cache", () => {
  test("derives a value once for each revision of a key", async () => {
    const cache = createRevisionCache<string>(2);
    let derived = 0;
    const derive = (revision: number) => async () => {
      derived++;
      return { revision, value: `at ${revision}` };
    };
    expect(await cache.get("k", 1, derive(1))).toBe("at 1");
    expect(await cache.get("k", 1, derive(1))).toBe("at 1");
    expect(derived).toBe(1);
    expect(await cache.get("k", 2, derive(2))).toBe("at 2");
    expect(derived).toBe(2);
  });

  test("keeps a later revision than the one that was asked for under its own number", async () => {
    const cache = createRevisionCache<string>(1);
    await cache.get("k", 1, async () => ({ revision: 2, value: "later" }));
    expect(await cache.get("k", 2, () => Promise.reject(new Error("derived again")))).toBe("later");
  });
});
