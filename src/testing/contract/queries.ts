/** Cases of the store contract: conditions, orders and pages. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { PlainCondition, PlainOrder, PlainQuery } from "../../store/argument-checks.ts";
import { compareInStores, compareText, inExactOrder } from "../../store/order.ts";
import { memberOf, modelFind, randomCondition, randomQuery, randomThings, type Value } from "./model.ts";
import {
  by,
  expectIds,
  expectRejection,
  fill,
  fillEach,
  idsOf,
  is,
  onStore,
  type ProbeStore,
  pick,
  seededRandom,
  type Thing,
  thing,
} from "./probe.ts";
import { awkwardTexts } from "./records.ts";

function positionOf(order: readonly PlainOrder[], record: Thing): Value[] {
  return [...order.map((o) => memberOf(record, o.field)), record.id];
}

/** Reads a listing page by page, each after the last record of the previous one. */
async function allPages(store: ProbeStore, query: PlainQuery, between?: (page: Thing[]) => Promise<void>) {
  const found: string[] = [];
  for (let after: PlainQuery["after"]; ; ) {
    const page = await store.read((tx) => tx.find("things", "s", { ...query, ...(after ? { after } : {}) }));
    found.push(...page.map((t) => t.id));
    if (page.length === 0) return found;
    after = positionOf(query.order ?? [], page.at(-1)!);
    await between?.(page);
  }
}

const ordersToPage: PlainOrder[][] = [
  [],
  [by("rank", "asc")],
  [by("rank", "desc")],
  [by("rank", "desc"), by("id", "desc")],
  [by("on", "asc"), by("rank", "desc"), by("name", "asc")],
];

/** Strings with few differences, most of them about 400 bytes from the start. */
function longNames(random: () => number): string[] {
  const starts = [0, 380, 388, 389, 390, 391, 396, 397, 398, 399, 400, 401, 500, 600];
  const ends = ["", "a", "é", "\uffff", "😀", "\0", "\ud800", `b${"y".repeat(200)}`];
  return Array.from(
    { length: 150 },
    () => "x".repeat(pick(random, starts)) + pick(random, ends) + pick(random, ends),
  );
}

export const queryCases = [
  onStore("every condition selects the right records, also with null", async (store) => {
    const weights = { none: undefined, nil: null, one: 1, two: 2, three: 3 };
    const owners = { none: undefined, nil: null, one: "a", two: "b", three: "c" };
    const ids = Object.keys(weights) as (keyof typeof weights)[];
    await fillEach(store, ids, (id) => thing(id, { owner: owners[id], weight: weights[id] }));
    const expected: [PlainCondition["op"], number, string[]][] = [
      ["eq", 2, ["two"]],
      ["ne", 2, ["one", "three"]],
      ["lt", 2, ["one"]],
      ["lte", 2, ["one", "two"]],
      ["gt", 2, ["three"]],
      ["gte", 2, ["three", "two"]],
    ];
    for (const [op, value, found] of expected) {
      await expectIds(store, [is("weight", op, value)], found, `number ${op}`);
      await expectIds(store, [is("owner", op, "b")], found, `text ${op}`);
    }
    const ofNull: [PlainCondition["op"], Value | Value[], string[]][] = [
      ["eq", null, ["nil", "none"]],
      ["ne", null, ["one", "three", "two"]],
      ["lt", null, []],
      ["gte", null, []],
      ["in", [null, 3], ["nil", "none", "three"]],
      ["in", [3, 3, 1], ["one", "three"]],
      ["in", [], []],
    ];
    for (const [op, value, found] of ofNull) {
      await expectIds(store, [is("weight", op, value)], found, `${op} ${value}`);
    }
  }),

  onStore("booleans can be compared and ordered, false first", async (store) => {
    await fill(store, [thing("a", { on: true }), thing("b"), thing("c", { on: true })]);
    await expectIds(store, [is("on", "eq", true)], ["a", "c"]);
    await expectIds(store, [is("on", "ne", true)], ["b"]);
    await expectIds(store, [is("on", "in", [false])], ["b"]);
    assert.deepEqual(await idsOf(store, { order: [by("on", "asc")] }), ["b", "a", "c"]);
  }),

  onStore("strings are ordered by code point, lone surrogates after U+0004", async (store) => {
    const sorted = [
      "",
      "\0",
      "\0\0",
      "\u0001",
      "\u0004",
      "\ud800",
      "\ud800a",
      "\udfff",
      "\u0005",
      "A",
      "Z",
      "a",
      "a\0",
      "aa",
      "b",
      "é",
      "\uffff",
      "😀",
      "\u{10ffff}",
    ];
    await fillEach(store, sorted.toReversed(), (name, i) => thing(`t${i}`, { name }));
    const found = await store.read((tx) => tx.find("things", "s", { order: [by("name", "asc")] }));
    const names = found.map((t) => t.name);
    assert.deepEqual(names, sorted);
    const above = await idsOf(store, { where: [is("name", "gt", "\uffff")] });
    assert.deepEqual(above.sort(), ["t0", "t1"]);
  }),

  onStore("strings are ordered by their first 400 bytes at least, in both directions", async (store) => {
    const names = longNames(seededRandom(4));
    await fillEach(store, names, (name, i) => thing(`t${i}`, { name, on: true }));
    const where = [is("on", "eq", true)] as const;
    for (const [direction, sign] of [
      ["asc", 1],
      ["desc", -1],
    ] as const) {
      const order = [by("name", direction)] as const;
      const found = await store.read((tx) => tx.find("things", "s", { where, order }));
      found.slice(1).forEach(({ name }, i) => {
        assert.ok(sign * compareInStores(found[i]?.name ?? null, name) <= 0, `${direction} ${i}`);
      });
      const compare = (a: Thing, b: Thing) => sign * compareText(a.name, b.name) || compareText(a.id, b.id);
      const exact: Thing[] = [];
      const pages = Readable.from([found.slice(0, 70), found.slice(70)]);
      for await (const page of inExactOrder(pages, ({ name }) => [name], compare)) exact.push(...page);
      assert.deepEqual(exact, [...found].sort(compare), direction);
    }
  }),

  onStore("ties and lists without an order are ordered by id", async (store) => {
    await fillEach(store, ["b", "é", "a", "😀", "\uffff", "B"], (id) => thing(id));
    const byId = ["B", "a", "b", "é", "\uffff", "😀"];
    assert.deepEqual(await idsOf(store), byId);
    assert.deepEqual(await idsOf(store, { order: [by("rank", "desc")] }), byId);
    assert.deepEqual(await idsOf(store, { order: [by("id", "desc")] }), byId.toReversed());
  }),

  onStore("contains treats every character literally", async (store) => {
    await fillEach(store, awkwardTexts, (name, i) => thing(String(i), { name }));
    for (const value of ["%", "_", "\\", "'", "x", "É", "e", "\0", "\u0001", "😀", ""]) {
      const expected = awkwardTexts.flatMap((text, i) => (text.includes(value) ? [String(i)] : [])).sort();
      await expectIds(store, [is("name", "contains", value)], expected, value);
    }
  }),

  onStore("`in` accepts many values", async (store) => {
    const things = Array.from({ length: 50 }, (_, i) => thing(`t${i}`, { rank: i }));
    await fill(store, things);
    const ids = Array.from({ length: 40_000 }, (_, i) => `t${i * 10}`);
    const ranks = Array.from({ length: 40_000 }, (_, i) => i + 45.0);
    assert.equal((await idsOf(store, { where: [is("id", "in", ids)] })).length, 5);
    assert.equal((await idsOf(store, { where: [is("rank", "in", ranks)] })).length, 5);
  }),

  onStore("offset and limit select a page of the list", async (store) => {
    await fillEach(store, [..."abcdef"], (id) => thing(id));
    const cases: [PlainQuery, string][] = [
      [{ limit: 2 }, "ab"],
      [{ limit: 0 }, ""],
      [{ offset: 4 }, "ef"],
      [{ offset: 4, limit: 5 }, "ef"],
      [{ offset: 6, limit: 1 }, ""],
      [{ after: ["b"], offset: 1, limit: 2 }, "de"],
      [{ after: ["bb"], limit: 1 }, "c"],
      [{ after: ["f"] }, ""],
    ];
    for (const [query, ids] of cases)
      assert.equal((await idsOf(store, query)).join(""), ids, JSON.stringify(query));
  }),

  onStore("count returns the number of records that find returns", async (store) => {
    await fillEach(store, [..."abcdef"], (id, rank) => thing(id, { rank, owner: rank % 2 ? "o" : null }));
    await store.read(async (tx) => {
      assert.equal(await tx.count("things", "s"), 6);
      assert.equal(await tx.count("things", "nowhere"), 0);
      assert.equal(await tx.count("things", "s", [is("owner", "eq", "o")]), 3);
      const both = [is("owner", "eq", null), is("rank", "lt", 3)] as const;
      assert.equal(await tx.count("things", "s", both), 2);
    });
  }),

  onStore("find, count and deleteWhere agree with a plain model on random queries", async (store) => {
    const random = seededRandom(1);
    const all = randomThings(random, 150);
    await fill(store, all);
    await store.read(async (tx) => {
      for (let i = 0; i < 400; i++) {
        const query = randomQuery(random, all);
        const found = (await tx.find("things", "s", query)).map((t) => t.id);
        assert.deepEqual(found, modelFind(all, query), JSON.stringify(query));
        const { where = [] } = query;
        const counted = await tx.count("things", "s", where);
        assert.equal(counted, modelFind(all, { where }).length, JSON.stringify(where));
      }
    });
    const where = [randomCondition(random), randomCondition(random)];
    await store.write((tx) => tx.deleteWhere("things", "s", where));
    const gone = new Set(modelFind(all, { where }));
    const kept = all.filter((t) => !gone.has(t.id));
    assert.deepEqual(await idsOf(store), modelFind(kept, {}));
  }),

  onStore("consecutive pages are the whole list", async (store) => {
    const all = randomThings(seededRandom(2), 120);
    await fill(store, all);
    for (const order of ordersToPage) {
      for (const where of [[], [is("on", "eq", true)]] as PlainCondition[][]) {
        const found = await allPages(store, { where, order, limit: 7 });
        assert.deepEqual(found, modelFind(all, { where, order }), JSON.stringify(order));
      }
    }
  }),

  onStore("paging continues at its position while records are added and removed", async (store) => {
    const all = randomThings(seededRandom(3), 90);
    await fill(store, all);
    let added = 0;
    for (const order of ordersToPage) {
      const gone = new Set<string>();
      const before = await idsOf(store, { order });
      const found = await allPages(store, { order, limit: 10 }, async (page) => {
        const last = page.at(-1)!;
        gone.add(last.id);
        await store.write(async (tx) => {
          await tx.delete("things", "s", last.id);
          await tx.insert("things", thing(`new${added++}`, { rank: -9, on: added % 2 === 0 }));
        });
      });
      const kept = before.filter((id) => !gone.has(id));
      const keptFound = found.filter((id) => kept.includes(id));
      assert.deepEqual(keptFound, kept, "each record that stayed is listed once, in order");
      assert.equal(new Set(found).size, found.length, "no record is listed twice");
    }
  }),

  onStore("an invalid query is a TypeError", async (store) => {
    const wrong: PlainQuery[] = [
      { where: [is("rest", "eq", 1)] },
      { where: [is("toString", "eq", "")] },
      { where: [is("__proto__", "eq", "")] },
      { where: [is("scope", "eq", "s")] },
      { where: [is("rank", "eq", "1")] },
      { where: [is("rank", "in", [1, "1"])] },
      { where: [is("rank", "contains", "1")] },
      { where: [is("rank", "lt", Number.POSITIVE_INFINITY)] },
      { order: [by("rest", "asc")] },
      { order: [by("owner", "asc")] },
      { order: [by("rank", "asc")], after: ["id"] },
      { after: [1] },
      { limit: -1 },
      { offset: 0.5 },
    ];
    await fill(store, [thing("a")]);
    for (const query of wrong) {
      const error = await expectRejection("TypeError", () => idsOf(store, query));
      assert.ok(error.message.length > 10, JSON.stringify(query));
    }
    const where = [is("rest", "eq", 1)];
    await expectRejection("TypeError", () => store.read((tx) => tx.count("things", "s", where)));
    await expectRejection("TypeError", () => store.write((tx) => tx.deleteWhere("things", "s", where)));
    await expectRejection("TypeError", () => store.read((tx) => tx.get("nothing" as never, "s", "a")));
    assert.deepEqual(await idsOf(store), ["a"]);
  }),
];
