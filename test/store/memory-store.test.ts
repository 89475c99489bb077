import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { contractWithGaps, storeContract } from "../../src/testing/contract/store-contract.ts";

describe("the memory store keeps the contract", () => {
  for (const { name, run } of storeContract) test(name, () => run(async (table) => createMemoryStore(table)));
});

test("the docstring's example", async () => {
  const store = createMemoryStore();
  await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "Example" } as never));
  expect(await store.read((tx) => tx.count("accounts", "world"))).toBe(1);
});

describe("gaps in the contract", () => {
  const name = "large blobs are kept whole, and racing writers leave one of theirs";

  test("are carried by their case, with the reason", () => {
    const cases = contractWithGaps({ [name]: "no blobs yet" });
    expect(cases.filter((c) => c.gap)).toMatchObject([{ name, gap: "no blobs yet" }]);
    expect(cases).toHaveLength(storeContract.length);
  });

  test("cannot name what does not exist, nor stand without a reason", () => {
    expect(() => contractWithGaps({ "no such case": "why" })).toThrow(RangeError);
    expect(() => contractWithGaps({ [name]: " " })).toThrow(RangeError);
  });

  test("are not needed for names that repeat", () => {
    expect(new Set(storeContract.map((c) => c.name)).size).toBe(storeContract.length);
  });
});
