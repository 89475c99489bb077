/** Cases of the store contract: lists over several values of a field, positions, distinct values, counts of changes. */
import assert from "node:assert/strict";
import type { PlainCondition, PlainOrder, PlainQuery } from "../../store/argument-checks.ts";
import { memberOf, modelFind, randomCondition, randomQuery, randomThings } from "./model.ts";
import {
  by,
  expectRejection,
  fill,
  idsOf,
  is,
  onStore,
  type ProbeStore,
  pick,
  seededRandom,
  type Thing,
  thing,
} from "./probe.ts";

/** Lists that an index of the probes has in order for each value of a field. */
const merged: readonly { readonly where: PlainCondition[]; readonly order: PlainOrder[] }[] = [
  { where: [is("on", "in", [true, false])], order: [by("rank", "desc"), by("name", "asc")] },
  { where: [is("on", "in", [false])], order: [by("rank", "desc"), by("name", "asc")] },
  { where: [is("owner", "in", ["o", "p", "é", "😀", "unknown", "o"])], order: [by("rank", "asc")] },
  {
    where: [is("owner", "in", ["p", "o"]), is("name", "contains", "a")],
    order: [by("rank", "asc"), by("id", "asc")],
  },
  { where: [is("owner", "in", [])], order: [by("rank", "asc")] },
  { where: [is("owner", "in", ["o", null])], order: [by("rank", "asc")] },
  { where: [is("rank", "in", [2, -2, 0])], order: [] },
  { where: [is("owner", "in", ["o", "p"]), is("rank", "eq", 1)], order: [] },
];

const changesOf = (store: ProbeStore, ranks: readonly number[]) =>
  store.read((tx) => tx.changes("things", "s", "rank", ranks));

export const mergedListCases = [
  onStore("pages of lists over several values of a field are those of a plain model", async (store) => {
    const random = seededRandom(11);
    const all = randomThings(random, 150);
    // One value has most of the first records, so that the lists are read at different speeds.
    const many = Array.from({ length: 60 }, (_, i) =>
      thing(`many${i}`, { name: "a", rank: 2, on: true, owner: "p", weight: -i - 1 }),
    );
    await fill(store, [...all, ...many]);
    const things = [...all, ...many];
    for (const { where, order } of merged) {
      for (const [offset, limit] of [
        [0, 1],
        [0, 30],
        [25, 60],
        [90, 40],
        [1_000, 5],
        [0, 1_000],
      ] as const) {
        for (const after of [undefined, pick(random, things), pick(random, things)]) {
          const position = after && [...order.map((o) => memberOf(after, o.field)), after.id];
          const query: PlainQuery = { where, order, offset, limit, ...(position && { after: position }) };
          assert.deepEqual(await idsOf(store, query), modelFind(things, query), JSON.stringify(query));
        }
      }
    }
  }),

  onStore("positions are those of the records that find returns", async (store) => {
    const random = seededRandom(12);
    const all = randomThings(random, 150);
    const long = "x".repeat(700);
    all.push(thing("long", { name: `${long}1`, on: true }), thing(`${long}2`, { name: long }));
    await fill(store, all);
    const queries: PlainQuery[] = Array.from({ length: 60 }, () => randomQuery(random, all));
    for (const query of merged) queries.push({ ...query, limit: 50 }, { ...query, limit: 1_000, offset: 3 });
    for (const query of queries) {
      const { order = [] } = query;
      await store.read(async (tx) => {
        const found = await tx.find("things", "s", query);
        const positionOf = (t: Thing) => [...order.map((o) => memberOf(t, o.field)), t.id];
        assert.deepEqual(await tx.positions("things", "s", query), found.map(positionOf));
      });
    }
  }),

  onStore("countDistinct returns the number of distinct values of a plain model", async (store) => {
    const random = seededRandom(13);
    const all = randomThings(random, 120);
    await fill(store, all);
    const conditions: PlainCondition[][] = Array.from({ length: 30 }, () =>
      [0, 1, 2].filter(() => random() < 0.4).map(() => randomCondition(random)),
    );
    conditions.push(...merged.map(({ where }) => where));
    for (const where of conditions) {
      const ids = new Set(modelFind(all, { where }));
      const found = all.filter((item) => ids.has(item.id));
      for (const field of ["rank", "name", "on", "id"]) {
        const distinct = new Set(found.map((item) => memberOf(item, field))).size;
        const counted = await store.read((tx) => tx.countDistinct("things", "s", field, where));
        assert.equal(counted, distinct, `${field} ${JSON.stringify(where)}`);
      }
    }
    assert.equal(await store.read((tx) => tx.countDistinct("things", "nowhere", "rank")), 0);
  }),

  onStore("changes increases with every change of the records with a value, and only then", async (store) => {
    assert.equal(await changesOf(store, [1, 2]), 0);
    let [ofOne, ofTwo] = [0, 0];
    const expectChanged = async (first: boolean, two: boolean, work: Parameters<ProbeStore["write"]>[0]) => {
      await store.write(work);
      const [nextOne, nextTwo] = [await changesOf(store, [1]), await changesOf(store, [2])];
      assert.equal(nextOne > ofOne, first, `changes of 1: from ${ofOne} to ${nextOne}`);
      assert.equal(nextTwo > ofTwo, two, `changes of 2: from ${ofTwo} to ${nextTwo}`);
      assert.ok(nextOne >= ofOne && nextTwo >= ofTwo);
      assert.equal(await changesOf(store, [1, 2, 1]), nextOne + nextTwo);
      [ofOne, ofTwo] = [nextOne, nextTwo];
    };
    const inserted = thing("a", { rank: 1 });
    await expectChanged(true, false, (tx) => tx.insert("things", inserted));
    await expectChanged(false, false, (tx) => tx.insertMissing("things", [inserted]));
    await expectChanged(false, true, (tx) => tx.insertMissing("things", [inserted, thing("b", { rank: 2 })]));
    await expectChanged(true, false, (tx) => tx.replace("things", { ...inserted, rest: "other" }));
    await expectChanged(true, true, (tx) => tx.replace("things", { ...inserted, rank: 2 }));
    await expectChanged(false, false, (tx) => tx.replace("things", thing("unknown", { rank: 1 })));
    await expectChanged(false, false, (tx) => tx.insert("things", { ...inserted, scope: "t" }));
    await expectChanged(false, true, (tx) => tx.delete("things", "s", "a"));
    await expectChanged(false, false, (tx) => tx.delete("things", "s", "a"));
    await expectChanged(false, true, (tx) => tx.deleteWhere("things", "s", [is("rank", "eq", 2)]));
    await expectChanged(true, false, (tx) => tx.insert("things", inserted));
    await store.write(async (tx) => {
      await tx.delete("things", "s", "a");
      assert.ok((await tx.changes("things", "s", "rank", [1])) > ofOne, "a transaction sees its own changes");
    });
  }),

  onStore("an invalid count of distinct values or changes is a TypeError", async (store) => {
    await store.read(async (tx) => {
      await expectRejection("TypeError", () => tx.countDistinct("things", "s", "rest"));
      await expectRejection("TypeError", () => tx.countDistinct("things", "s", "owner"));
      await expectRejection("TypeError", () =>
        tx.countDistinct("things", "s", "rank", [is("rest", "eq", 1)]),
      );
      await expectRejection("TypeError", () => tx.changes("things", "s", "on", [true]));
      await expectRejection("TypeError", () => tx.changes("things", "s", "rank", ["1"]));
      await expectRejection("TypeError", () => tx.positions("things", "s", { limit: -1 }));
    });
  }),
];
