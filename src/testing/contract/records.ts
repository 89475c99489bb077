/** Cases of the store contract: single records, what they hold, and what is unique. */
import assert from "node:assert/strict";
import { expectRejection, fill, idsOf, onStore, thing } from "./probe.ts";

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

function assertTaken(error: Error, fields: readonly string[]): void {
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
      assert.deepEqual(
        (await tx.find("things", "s", { where: [{ field: "id", op: "eq", value: "b" }] }))[0]?.rest,
        {},
      );
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
        const byField = await tx.find("things", text, { where: [{ field: "owner", op: "eq", value: text }] });
        assert.deepEqual(
          byField.map((t) => t.id),
          [text],
        );
        const bySet = await tx.find("things", text, { where: [{ field: "name", op: "in", value: [text] }] });
        assert.deepEqual(
          bySet.map((t) => t.id),
          [text],
        );
      }
    });
  }),

  onStore("numbers in fields are kept exactly", async (store) => {
    const numbers = [0, -1, 0.1, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, -(2 ** 53), 1e21, 1 / 3];
    await fill(
      store,
      numbers.map((rank, i) => thing(String(i), { rank })),
    );
    for (const [i, rank] of numbers.entries()) {
      assert.deepEqual(await idsOf(store, { where: [{ field: "rank", op: "eq", value: rank }] }), [
        String(i),
      ]);
      assert.deepEqual(await idsOf(store, { where: [{ field: "rank", op: "in", value: [rank] }] }), [
        String(i),
      ]);
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
      assert.deepEqual(
        (await tx.find("things", "t")).map((t) => t.id),
        ["a", "b"],
      );
    });
  }),

  onStore("replace replaces the whole record and returns whether it existed", async (store) => {
    await fill(store, [thing("a", { owner: "o", rest: 1 })]);
    await store.write(async (tx) => {
      assert.equal(await tx.replace("things", thing("a", { rank: 5 })), true);
      assert.equal(await tx.replace("things", thing("b")), false);
      assert.deepEqual(await tx.get("things", "s", "a"), thing("a", { rank: 5 }));
    });
    assert.deepEqual(await idsOf(store, { where: [{ field: "rank", op: "eq", value: 5 }] }), ["a"]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "owner", op: "eq", value: "o" }] }), []);
    assert.deepEqual(await idsOf(store), ["a"]);
  }),

  onStore("delete removes one record, deleteWhere all matching records", async (store) => {
    await fill(
      store,
      ["a", "b", "c", "d"].map((id, rank) => thing(id, { rank })),
    );
    await store.write(async (tx) => {
      assert.equal(await tx.delete("things", "s", "a"), true);
      assert.equal(await tx.delete("things", "s", "a"), false);
      assert.equal(await tx.deleteWhere("things", "s", [{ field: "rank", op: "gte", value: 2 }]), 2);
      assert.equal(await tx.deleteWhere("things", "s", [{ field: "rank", op: "gte", value: 2 }]), 0);
    });
    assert.deepEqual(await idsOf(store), ["b"]);
  }),

  onStore("an id is unique, and the transaction continues after a violation", async (store) => {
    await store.write(async (tx) => {
      await tx.insert("things", thing("a"));
      assertTaken(
        await expectRejection("UniqueViolationError", () => tx.insert("things", thing("a", { rank: 2 }))),
        ["id"],
      );
      await tx.insert("things", thing("b"));
    });
    assert.deepEqual(await idsOf(store), ["a", "b"]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "rank", op: "eq", value: 0 }] }), ["a", "b"]);
  }),

  onStore("a declared combination is unique, in insert and in replace", async (store) => {
    await fill(store, [thing("a", { owner: "o", weight: 1 }), thing("b", { owner: "o", weight: 2 })]);
    await store.write(async (tx) => {
      const taken = { owner: "o", weight: 1 };
      assertTaken(
        await expectRejection("UniqueViolationError", () => tx.insert("things", thing("c", taken))),
        ["owner", "weight"],
      );
      assertTaken(
        await expectRejection("UniqueViolationError", () => tx.replace("things", thing("b", taken))),
        ["owner", "weight"],
      );
      assert.equal(
        await tx.replace("things", thing("a", { ...taken, rank: 9 })),
        true,
        "its own combination is free",
      );
      assert.equal(await tx.replace("things", thing("missing", taken)), false, "no record to replace");
    });
    assert.deepEqual(await idsOf(store, { where: [{ field: "weight", op: "eq", value: 2 }] }), ["b"]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "rank", op: "eq", value: 9 }] }), ["a"]);
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
