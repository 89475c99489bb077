/** Cases of the store contract: listings of the whole contents, for exports. */
import assert from "node:assert/strict";
import { expectRejection, onStore, type ProbeReads, type ProbeStore, thing } from "./probe.ts";
import { awkwardTexts } from "./records.ts";

/** Scopes in code point order. */
const ordered = ["", "\0", "\u0001", " ", "a", "a\0b", "ab", "b c", "é", "\uffff", "😀", "\u{10ffff}x"];

async function fillScopes(store: ProbeStore, scopes: readonly string[]): Promise<void> {
  await store.write(async (tx) => {
    for (const scope of scopes.toReversed()) {
      await tx.insert("things", { ...thing("a"), scope });
      await tx.insert("things", { ...thing("b"), scope });
    }
  });
}

/** A whole listing, read a few entries at a time. */
async function allPages<T>(read: (after: T | undefined) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const page = await read(found.at(-1));
    if (page.length === 0) return found;
    found.push(...page);
  }
}

const scopesBy = (tx: ProbeReads, limit: number) =>
  allPages<string>((after) => tx.scopes("things", { limit, ...(after !== undefined && { after }) }));

export const listingCases = [
  onStore("scopes lists the scopes with a record of the collection, in order", async (store) => {
    await fillScopes(store, ordered);
    await store.write(async (tx) => {
      await tx.insert("labels", { scope: "labels only", id: "l", text: "t" });
      await tx.insert("things", { ...thing("a"), scope: "emptied" });
    });
    await store.write((tx) => tx.delete("things", "emptied", "a"));
    await store.read(async (tx) => {
      assert.deepEqual(await tx.scopes("things"), ordered);
      assert.deepEqual(await tx.scopes("labels"), ["labels only"]);
      assert.deepEqual(await tx.scopes("things", { limit: 2 }), ordered.slice(0, 2));
      assert.deepEqual(await tx.scopes("things", { after: "a", limit: 2 }), ["a\0b", "ab"]);
      assert.deepEqual(await tx.scopes("things", { after: "c" }), ["é", "\uffff", "😀", "\u{10ffff}x"]);
      assert.deepEqual(await tx.scopes("things", { limit: 0 }), []);
      for (const limit of [1, 5]) assert.deepEqual(await scopesBy(tx, limit), ordered);
    });
    await store.write(async (tx) => {
      await tx.insert("things", { ...thing("a"), scope: "new" });
      assert.ok((await tx.scopes("things")).includes("new"), "a transaction sees its own writes");
    });
  }),

  onStore("scopes of any content and length are each listed once", async (store) => {
    await fillScopes(store, awkwardTexts);
    const found = await store.read((tx) => scopesBy(tx, 3));
    assert.equal(found.length, awkwardTexts.length);
    assert.deepEqual(new Set(found), new Set(awkwardTexts));
  }),

  onStore("sequences are listed with their last number", async (store) => {
    assert.deepEqual(await store.read((tx) => tx.sequences()), []);
    await store.write(async (tx) => {
      await tx.sequence("s", "n", 7);
      await tx.sequence("s", "n");
      await tx.sequence("s", "m");
      await tx.sequence("😀", "a");
      await tx.sequence("\uffff", "b");
      assert.equal((await tx.sequences()).length, 4, "a transaction sees its own writes");
    });
    await expectRejection("Error", () =>
      store.write(async (tx) => {
        await tx.sequence("s", "rolled back");
        throw new Error("regret");
      }),
    );
    const all = [
      { scope: "s", name: "m", last: 1 },
      { scope: "s", name: "n", last: 8 },
      { scope: "\uffff", name: "b", last: 1 },
      { scope: "😀", name: "a", last: 1 },
    ];
    await store.read(async (tx) => {
      assert.deepEqual(await tx.sequences(), all);
      assert.deepEqual(await tx.sequences({ limit: 1 }), all.slice(0, 1));
      assert.deepEqual(await tx.sequences({ after: { scope: "s", name: "m" }, limit: 2 }), all.slice(1, 3));
      assert.deepEqual(await tx.sequences({ after: { scope: "t", name: "" } }), all.slice(2));
    });
  }),

  onStore("sequences of any name and length are each listed once", async (store) => {
    await store.write(async (tx) => {
      for (const text of awkwardTexts) await tx.sequence(text, text, 2);
    });
    const found = await store.read((tx) =>
      allPages<{ scope: string; name: string }>((after) =>
        tx.sequences({ limit: 3, ...(after && { after }) }),
      ),
    );
    assert.deepEqual(
      found.map((f) => f.name),
      found.map((f) => f.scope),
    );
    assert.deepEqual(new Set(found.map((f) => f.name)), new Set(awkwardTexts));
    assert.equal(found.length, awkwardTexts.length);
  }),

  onStore("an invalid listing is a TypeError", async (store) => {
    await store.read(async (tx) => {
      await expectRejection("TypeError", () => tx.scopes("nothings" as never));
      await expectRejection("TypeError", () => tx.scopes("things", { limit: -1 }));
      await expectRejection("TypeError", () => tx.sequences({ limit: 0.5 }));
    });
  }),
];
