/** Cases of the store contract: single records, what they hold, and what is unique. */
import assert from "node:assert/strict";
import { expectIds, expectRejection, fill, fillEach, idsOf, is, onStore, thing } from "./probe.ts";

/** Texts on which encodings and comparisons stumble. */
export const awkwardTexts = [
  "",
  " ",
  "a\0b",
  "\0",
  "\u0001",
  "\u0002\u0001",
  "'\"`; drop table things; --",
  "100%_\\",
  "é",
  "e\u0301",
  "\uffff",
  "😀",
  "\ud800",
  "\udc00x",
  "İı",
  "null",
  "x".repeat(5000),
  `${"x".repeat(5000)}y`,
];

const nested = JSON.parse(
  `{"__proto__":{"a":1},"constructor":null,"":[[],{},[{"deep":[[[1]]]}]],"tiny":5e-324,"huge":1.7976931348623157e308,
    "safe":9007199254740991,"low":-1e-7,"text":"\\u0000\\ud800 \\u2028","z":1,"a":2,"10":3,"9":4}`,
);

/** Asserts that work violates the uniqueness of fields. */
async function expectTaken(fields: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const error = await expectRejection("UniqueViolationError", work);
  assert.deepEqual((error as Error & { fields: unknown }).fields, fields);
}

export const recordCases = [
  onStore("get returns an inserted record, and undefined for others", async (store) => {
    await fill(store, [thing("a", { rank: 7, on: true, owner: "o", weight: 1.5, rest: ["x"] })]);
    await store.read(async (tx) => {
      const expected = {
        scope: "s",
        id: "a",
        name: "a",
        rank: 7,
        on: true,
        owner: "o",
        weight: 1.5,
        rest: ["x"],
      };
      assert.deepEqual(await tx.get("things", "s", "a"), expected);
      assert.equal(await tx.get("things", "s", "b"), undefined);
      assert.equal(await tx.get("things", "t", "a"), undefined);
      assert.equal(await tx.get("labels", "s", "a"), undefined);
    });
  }),

  onStore("members are returned deeply equal, whatever they hold", async (store) => {
    await fill(store, [thing("a", { rest: nested }), thing("b", { rest: {} }), thing("c", { owner: null })]);
    await store.read(async (tx) => {
      const found = await tx.get("things", "s", "a");
      assert.deepEqual(found?.rest, nested);
      assert.equal(JSON.stringify(found?.rest), JSON.stringify(nested), "the order of members is kept");
      assert.ok(Object.hasOwn(found?.rest as object, "__proto__"));
      assert.deepEqual((await tx.find("things", "s", { where: [is("id", "eq", "b")] }))[0]?.rest, {});
      assert.equal((await tx.get("things", "s", "c"))?.owner, null);
    });
  }),

  onStore("a member that is undefined is left out", async (store) => {
    await fill(store, [thing("a", { owner: undefined, rest: { x: undefined } })]);
    const found = await store.read((tx) => tx.get("things", "s", "a"));
    assert.deepEqual(Object.keys(found ?? {}).sort(), ["id", "name", "on", "rank", "rest", "scope"]);
    assert.deepEqual(found?.rest, {});
  }),

  onStore("scopes, ids and fields distinguish any strings", async (store) => {
    const all = awkwardTexts.flatMap((scope) =>
      awkwardTexts.map((id) => ({ ...thing(id), scope, owner: id })),
    );
    await fill(store, all);
    await store.read(async (tx) => {
      for (const text of awkwardTexts) {
        assert.equal((await tx.get("things", text, text))?.name, text);
        assert.equal(await tx.count("things", text), awkwardTexts.length);
        const byField = await tx.find("things", text, { where: [is("owner", "eq", text)] });
        assert.deepEqual([byField.length, byField[0]?.id], [1, text]);
        const bySet = await tx.find("things", text, { where: [is("name", "in", [text])] });
        assert.deepEqual([bySet.length, bySet[0]?.id], [1, text]);
      }
    });
  }),

  onStore("numbers in fields are kept exactly", async (store) => {
    const numbers = [0, -1, 0.1, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, -(2 ** 53), 1e21, 1 / 3];
    await fillEach(store, numbers, (rank, i) => thing(String(i), { rank }));
    for (const [i, rank] of numbers.entries()) {
      await expectIds(store, [is("rank", "eq", rank)], [String(i)]);
      await expectIds(store, [is("rank", "in", [rank])], [String(i)]);
    }
  }),

  onStore(
    "records are copied on insert, and changes of returned records do not reach the store",
    async (store) => {
      const given = { ...thing("a"), rest: { list: [1] } };
      await fill(store, [given]);
      given.rest.list.push(2);
      const found = await store.read((tx) => tx.get("things", "s", "a"));
      try {
        (found!.rest as typeof given.rest).list.push(3);
      } catch {
        // A store may return frozen records.
      }
      const again = await store.read((tx) => tx.get("things", "s", "a"));
      assert.deepEqual(again?.rest, { list: [1] });
    },
  ),

  onStore("scopes are independent of each other", async (store) => {
    await fill(store, [thing("a"), { ...thing("a"), scope: "t", rank: 2 }, { ...thing("b"), scope: "t" }]);
    await store.write(async (tx) => {
      await tx.insert("labels", { scope: "s", id: "1", text: "x" });
      await tx.insert("labels", { scope: "t", id: "1", text: "x" });
      assert.equal(await tx.deleteWhere("things", "s", []), 1);
      assert.equal(await tx.replace("things", thing("b")), false);
      assert.equal(await tx.delete("things", "s", "b"), false);
    });
    await store.read(async (tx) => {
      assert.equal(await tx.count("things", "s"), 0);
      const others = (await tx.find("things", "t")).map((t) => t.id);
      assert.deepEqual(others, ["a", "b"]);
    });
  }),

  onStore("replace replaces the whole record and returns whether it existed", async (store) => {
    await fill(store, [thing("a", { owner: "o", rest: 1 })]);
    await store.write(async (tx) => {
      assert.equal(await tx.replace("things", thing("a", { rank: 5 })), true);
      assert.equal(await tx.replace("things", thing("b")), false);
      assert.deepEqual(await tx.get("things", "s", "a"), thing("a", { rank: 5 }));
    });
    await expectIds(store, [is("rank", "eq", 5)], ["a"]);
    await expectIds(store, [is("owner", "eq", "o")], []);
    assert.deepEqual(await idsOf(store), ["a"]);
  }),

  onStore("delete removes one record, deleteWhere all matching records", async (store) => {
    await fillEach(store, ["a", "b", "c", "d"], (id, rank) => thing(id, { rank }));
    await store.write(async (tx) => {
      assert.equal(await tx.delete("things", "s", "a"), true);
      assert.equal(await tx.delete("things", "s", "a"), false);
      assert.equal(await tx.deleteWhere("things", "s", [is("rank", "gte", 2)]), 2);
      assert.equal(await tx.deleteWhere("things", "s", [is("rank", "gte", 2)]), 0);
    });
    assert.deepEqual(await idsOf(store), ["b"]);
  }),

  onStore("an id is unique, and the transaction continues after a violation", async (store) => {
    await store.write(async (tx) => {
      await tx.insert("things", thing("a"));
      await expectTaken(["id"], () => tx.insert("things", thing("a", { rank: 2 })));
      await tx.insert("things", thing("b"));
    });
    assert.deepEqual(await idsOf(store), ["a", "b"]);
    await expectIds(store, [is("rank", "eq", 0)], ["a", "b"]);
  }),

  onStore("a declared combination is unique, in insert and in replace", async (store) => {
    await fill(store, [thing("a", { owner: "o", weight: 1 }), thing("b", { owner: "o", weight: 2 })]);
    await store.write(async (tx) => {
      const taken = { owner: "o", weight: 1 };
      await expectTaken(["owner", "weight"], () => tx.insert("things", thing("c", taken)));
      await expectTaken(["owner", "weight"], () => tx.replace("things", thing("b", taken)));
      const own = await tx.replace("things", thing("a", { ...taken, rank: 9 }));
      assert.equal(own, true, "its own combination is free");
      assert.equal(await tx.replace("things", thing("missing", taken)), false, "no record to replace");
    });
    await expectIds(store, [is("weight", "eq", 2)], ["b"]);
    await expectIds(store, [is("rank", "eq", 9)], ["a"]);
  }),

  onStore("a released combination can be used again", async (store) => {
    await fill(store, [thing("a", { owner: "o", weight: 1 }), thing("b", { owner: "o", weight: 2 })]);
    await store.write(async (tx) => {
      await tx.delete("things", "s", "a");
      await tx.replace("things", thing("b", { owner: "o", weight: 1 }));
      await tx.insert("things", thing("c", { owner: "o", weight: 2 }));
    });
    assert.deepEqual(await idsOf(store), ["b", "c"]);
  }),

  onStore("a combination that contains null is not compared", async (store) => {
    await fill(store, [
      thing("a", { owner: "o" }),
      thing("b", { owner: "o", weight: null }),
      thing("c"),
      thing("d"),
    ]);
    await fill(store, [thing("e", { owner: null, weight: 1 }), thing("f", { weight: 1 })]);
    assert.equal((await idsOf(store)).length, 6);
  }),

  onStore(
    "insertMissing adds the records without a violation, in order, and returns their number",
    async (store) => {
      await fill(store, [thing("a", { owner: "o", weight: 1 })]);
      await store.write(async (tx) => {
        const batch = [
          thing("a", { rank: 1 }),
          thing("b", { owner: "o", weight: 1 }),
          thing("c", { owner: "o", weight: 3, rank: 1 }),
          thing("c", { rank: 2 }),
          thing("d", { owner: "o", weight: 3 }),
        ];
        assert.equal(await tx.insertMissing("things", batch), 1);
        assert.equal(await tx.insertMissing("things", batch), 0);
        assert.equal(await tx.insertMissing("things", []), 0);
        assert.equal((await tx.get("things", "s", "c"))?.rank, 1);
      });
      assert.deepEqual(await idsOf(store), ["a", "c"]);
    },
  ),

  onStore("insertMissing accepts batches of thousands over several scopes", async (store) => {
    const batch = Array.from({ length: 5000 }, (_, i) => ({
      ...thing(`t${i}`, { rank: i }),
      scope: `s${i % 3}`,
    }));
    assert.equal(await store.write((tx) => tx.insertMissing("things", batch.slice(0, 2500))), 2500);
    assert.equal(await store.write((tx) => tx.insertMissing("things", batch)), 2500);
    assert.equal(await store.read((tx) => tx.count("things", "s1")), 1667);
  }),

  onStore("a declared field accepts only its kind", async (store) => {
    const wrong = [{ rank: "1" }, { rank: Number.NaN }, { on: 1 }, { name: null }, { owner: 5 }, { id: 7 }];
    await store.write(async (tx) => {
      for (const members of wrong) {
        const record = thing("a", members as never);
        await expectRejection("TypeError", () => tx.insert("things", record));
        await expectRejection("TypeError", () => tx.insertMissing("things", [record]));
        await expectRejection("TypeError", () => tx.replace("things", record));
      }
    });
    assert.deepEqual(await idsOf(store), []);
  }),
];
