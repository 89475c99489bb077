/** Cases of the store contract: conditions, orders and pages. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { PlainCondition, PlainOrder, PlainQuery } from "../../store/argument-checks.ts";
import { compareInStores, compareText, inExactOrder } from "../../store/order.ts";
import { memberOf, modelFind, randomCondition, randomQuery, randomThings, type Value } from "./model.ts";
import {
  expectRejection,
  fill,
  idsOf,
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
  [{ field: "rank", direction: "asc" }],
  [{ field: "rank", direction: "desc" }],
  [
    { field: "rank", direction: "desc" },
    { field: "id", direction: "desc" },
  ],
  [
    { field: "on", direction: "asc" },
    { field: "rank", direction: "desc" },
    { field: "name", direction: "asc" },
  ],
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
    await fill(
      store,
      ids.map((id) => thing(id, { owner: owners[id], weight: weights[id] })),
    );
    const expected: [PlainCondition["op"], number, string[]][] = [
      ["eq", 2, ["two"]],
      ["ne", 2, ["one", "three"]],
      ["lt", 2, ["one"]],
      ["lte", 2, ["one", "two"]],
      ["gt", 2, ["three"]],
      ["gte", 2, ["three", "two"]],
    ];
    for (const [op, value, found] of expected) {
      assert.deepEqual(
        await idsOf(store, { where: [{ field: "weight", op, value }] }),
        found,
        `number ${op}`,
      );
      assert.deepEqual(
        await idsOf(store, { where: [{ field: "owner", op, value: "b" }] }),
        found,
        `text ${op}`,
      );
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
      assert.deepEqual(
        await idsOf(store, { where: [{ field: "weight", op, value }] }),
        found,
        `${op} ${value}`,
      );
    }
  }),

  onStore("booleans can be compared and ordered, false first", async (store) => {
    await fill(store, [thing("a", { on: true }), thing("b"), thing("c", { on: true })]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "on", op: "eq", value: true }] }), ["a", "c"]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "on", op: "ne", value: true }] }), ["b"]);
    assert.deepEqual(await idsOf(store, { where: [{ field: "on", op: "in", value: [false] }] }), ["b"]);
    assert.deepEqual(await idsOf(store, { order: [{ field: "on", direction: "asc" }] }), ["b", "a", "c"]);
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
    await fill(
      store,
      sorted.toReversed().map((name, i) => thing(`t${i}`, { name })),
    );
    const found = await store.read((tx) =>
      tx.find("things", "s", { order: [{ field: "name", direction: "asc" }] }),
    );
    assert.deepEqual(
      found.map((t) => t.name),
      sorted,
    );
    const above = await idsOf(store, { where: [{ field: "name", op: "gt", value: "\uffff" }] });
    assert.deepEqual(above.sort(), ["t0", "t1"]);
  }),

  onStore("strings are ordered by their first 400 bytes at least, in both directions", async (store) => {
    const names = longNames(seededRandom(4));
    await fill(
      store,
      names.map((name, i) => thing(`t${i}`, { name, on: true })),
    );
    const where = [{ field: "on", op: "eq", value: true }] as const;
    for (const [direction, sign] of [
      ["asc", 1],
      ["desc", -1],
    ] as const) {
      const order = [{ field: "name", direction }] as const;
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
    await fill(
      store,
      ["b", "é", "a", "😀", "\uffff", "B"].map((id) => thing(id)),
    );
    const byId = ["B", "a", "b", "é", "\uffff", "😀"];
    assert.deepEqual(await idsOf(store), byId);
    assert.deepEqual(await idsOf(store, { order: [{ field: "rank", direction: "desc" }] }), byId);
    assert.deepEqual(await idsOf(store, { order: [{ field: "id", direction: "desc" }] }), byId.toReversed());
  }),

  onStore("contains treats every character literally", async (store) => {
    await fill(
      store,
      awkwardTexts.map((name, i) => thing(String(i), { name })),
    );
    for (const value of ["%", "_", "\\", "'", "x", "É", "e", "\0", "\u0001", "😀", ""]) {
      const expected = awkwardTexts.flatMap((text, i) => (text.includes(value) ? [String(i)] : [])).sort();
      assert.deepEqual(
        await idsOf(store, { where: [{ field: "name", op: "contains", value }] }),
        expected,
        value,
      );
    }
  }),

  onStore("`in` accepts many values", async (store) => {
    await fill(
      store,
      Array.from({ length: 50 }, (_, i) => thing(`t${i}`, { rank: i })),
    );
    const ids = Array.from({ length: 40_000 }, (_, i) => `t${i * 10}`);
    const ranks = Array.from({ length: 40_000 }, (_, i) => i + 45.0);
    assert.equal((await idsOf(store, { where: [{ field: "id", op: "in", value: ids }] })).length, 5);
    assert.equal((await idsOf(store, { where: [{ field: "rank", op: "in", value: ranks }] })).length, 5);
  }),

  onStore("offset and limit select a page of the list", async (store) => {
    await fill(
      store,
      Array.from("abcdef", (id) => thing(id)),
    );
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
    await fill(
      store,
      Array.from("abcdef", (id, rank) => thing(id, { rank, owner: rank % 2 ? "o" : null })),
    );
    await store.read(async (tx) => {
      assert.equal(await tx.count("things", "s"), 6);
      assert.equal(await tx.count("things", "nowhere"), 0);
      assert.equal(await tx.count("things", "s", [{ field: "owner", op: "eq", value: "o" }]), 3);
      const both = [
        { field: "owner", op: "eq", value: null },
        { field: "rank", op: "lt", value: 3 },
      ] as const;
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
        const counted = await tx.count("things", "s", query.where);
        assert.equal(
          counted,
          modelFind(all, { where: query.where ?? [] }).length,
          JSON.stringify(query.where),
        );
      }
    });
    const where = [randomCondition(random), randomCondition(random)];
    await store.write((tx) => tx.deleteWhere("things", "s", where));
    const gone = new Set(modelFind(all, { where }));
    assert.deepEqual(
      await idsOf(store),
      modelFind(
        all.filter((t) => !gone.has(t.id)),
        {},
      ),
    );
  }),

  onStore("consecutive pages are the whole list", async (store) => {
    const all = randomThings(seededRandom(2), 120);
    await fill(store, all);
    for (const order of ordersToPage) {
      for (const where of [[], [{ field: "on", op: "eq", value: true }]] as PlainCondition[][]) {
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
      assert.deepEqual(
        found.filter((id) => kept.includes(id)),
        kept,
        "each record that stayed is listed once, in order",
      );
      assert.equal(new Set(found).size, found.length, "no record is listed twice");
    }
  }),

  onStore("an invalid query is a TypeError", async (store) => {
    const wrong: PlainQuery[] = [
      { where: [{ field: "rest", op: "eq", value: 1 }] },
      { where: [{ field: "toString", op: "eq", value: "" }] },
      { where: [{ field: "__proto__", op: "eq", value: "" }] },
      { where: [{ field: "scope", op: "eq", value: "s" }] },
      { where: [{ field: "rank", op: "eq", value: "1" }] },
      { where: [{ field: "rank", op: "in", value: [1, "1"] }] },
      { where: [{ field: "rank", op: "contains", value: "1" }] },
      { where: [{ field: "rank", op: "lt", value: Number.POSITIVE_INFINITY }] },
      { order: [{ field: "rest", direction: "asc" }] },
      { order: [{ field: "owner", direction: "asc" }] },
      { order: [{ field: "rank", direction: "asc" }], after: ["id"] },
      { after: [1] },
      { limit: -1 },
      { offset: 0.5 },
    ];
    await fill(store, [thing("a")]);
    for (const query of wrong) {
      const error = await expectRejection("TypeError", () => idsOf(store, query));
      assert.ok(error.message.length > 10, JSON.stringify(query));
    }
    await expectRejection("TypeError", () => store.read((tx) => tx.count("things", "s", wrong[0]!.where)));
    await expectRejection("TypeError", () =>
      store.write((tx) => tx.deleteWhere("things", "s", wrong[0]!.where!)),
    );
    await expectRejection("TypeError", () => store.read((tx) => tx.get("nothing" as never, "s", "a")));
    assert.deepEqual(await idsOf(store), ["a"]);
  }),
];
