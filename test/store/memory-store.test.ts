import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { contractWithGaps, storeContract } from "../../src/testing/contract/store-contract.ts";

describe("the memory store keeps the contract", () => {
  for (const { name, run } of storeContract)
    test(name, () => expect(run(async (table) => createMemoryStore(table))).resolves.toBeUndefined());
});

test("the example of the docstring works", async () => {
  const store = createMemoryStore();
  await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" } as never));
  expect(await store.read((tx) => tx.count("accounts", "world"))).toBe(1);
});

describe("gaps in the contract", () => {
  const name = "large blobs are kept whole, and of concurrent puts one remains";

  test("are attached to their case, with the reason", () => {
    const cases = contractWithGaps({ [name]: "no blobs yet" });
    expect(cases.filter((c) => c.gap)).toMatchObject([{ name, gap: "no blobs yet" }]);
    expect(cases).toHaveLength(storeContract.length);
  });

  test("must name an existing case and a reason", () => {
    expect(() => contractWithGaps({ "no such case": "why" })).toThrow(RangeError);
    expect(() => contractWithGaps({ [name]: " " })).toThrow(RangeError);
  });

  test("can be named without ambiguity: case names are unique", () => {
    expect(new Set(storeContract.map((c) => c.name)).size).toBe(storeContract.length);
  });
});
