/** Cases of the store contract: atomicity, isolation and concurrency. */
import assert from "node:assert/strict";
import type { PlainCondition } from "../../store/argument-checks.ts";
import {
  by,
  expectIds,
  expectRejection,
  fill,
  fillEach,
  idsOf,
  is,
  onStore,
  type ProbeReads,
  type ProbeStore,
  type ProbeWrites,
  pick,
  seededRandom,
  type Thing,
  thing,
} from "./probe.ts";

class RollbackRequest extends Error {
  override readonly name = "RollbackRequest";
}

/** Runs work in a transaction that is rolled back. */
async function rolledBack(store: ProbeStore, work: (tx: ProbeWrites) => Promise<void>): Promise<void> {
  const failing = async (tx: ProbeWrites) => {
    await work(tx);
    throw new RollbackRequest();
  };
  await expectRejection("RollbackRequest", () => store.write(failing));
}

const state = (store: ProbeStore) => store.read((tx) => tx.find("things", "s"));

const parallel = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

/** Moves one thing to another position and closes the gap, as in an ordered list of rules. */
async function move(tx: ProbeWrites, id: string, to: number): Promise<void> {
  const all = await tx.find("things", "s", { order: [by("rank", "asc")] });
  const moved = all.find((t) => t.id === id)!;
  const others = all.filter((t) => t.id !== id);
  const next = others.toSpliced(to, 0, moved);
  for (const [rank, record] of next.entries()) {
    if (record.rank !== rank) await tx.replace("things", { ...record, rank } as Thing);
  }
}

async function randomStep(tx: ProbeWrites, random: () => number): Promise<void> {
  const id = pick(random, ["a", "b", "c", "d", "e"]);
  const record = thing(id, {
    rank: Math.floor(random() * 4),
    on: random() < 0.5,
    owner: pick(random, ["o", "p"]),
    weight: pick(random, [1, 2, null]),
  });
  const steps = [
    () => tx.insertMissing("things", [record]),
    () => tx.insert("things", record).catch(() => {}),
    () => tx.replace("things", record).catch(() => {}),
    () => tx.delete("things", "s", id),
    () => tx.deleteWhere("things", "s", [is("rank", "eq", record.rank)]),
    () => tx.sequence("s", "n", 3),
  ];
  await pick(random, steps)();
}

export const transactionCases = [
  onStore("read and write settle as their work does", async (store) => {
    assert.equal(await store.read(async () => 5), 5);
    assert.equal(await store.write(async () => "x"), "x");
    await expectRejection("RollbackRequest", () => store.read(() => Promise.reject(new RollbackRequest())));
    await rolledBack(store, async () => {});
  }),

  onStore("a transaction reads its own writes, and others do so after its end", async (store) => {
    await fill(store, [thing("a")]);
    await store.write(async (tx) => {
      await tx.insert("things", thing("b"));
      await tx.delete("things", "s", "a");
      assert.deepEqual(await tx.find("things", "s"), [thing("b")]);
      assert.equal(await tx.count("things", "s"), 1);
      assert.equal(await tx.get("things", "s", "a"), undefined);
    });
    assert.deepEqual(await idsOf(store), ["b"]);
  }),

  onStore("everything is rolled back when work rejects", async (store) => {
    await fill(store, [thing("a", { owner: "o", weight: 1 }), thing("b", { rank: 2 })]);
    await store.write((tx) => tx.sequence("s", "n", 4));
    const before = await state(store);
    await rolledBack(store, async (tx) => {
      await tx.replace("things", thing("a", { rank: 9 }));
      await tx.insert("things", thing("c", { owner: "o", weight: 1 }));
      await tx.delete("things", "s", "b");
      await tx.insertMissing("things", [thing("d"), thing("e")]);
      await tx.deleteWhere("things", "s", [is("id", "in", ["c", "d"])]);
      await tx.insert("things", { ...thing("z"), scope: "t" });
      assert.equal(await tx.sequence("s", "n"), 5);
    });
    assert.deepEqual(await state(store), before);
    await expectIds(store, [is("rank", "gte", 1)], ["b"]);
    assert.equal(await store.read((tx) => tx.count("things", "t")), 0);
    assert.equal(await store.write((tx) => tx.sequence("s", "n")), 5, "the number is returned again");
    await store.write((tx) =>
      expectRejection("UniqueViolationError", () =>
        tx.insert("things", thing("x", { owner: "o", weight: 1 })),
      ),
    );
    await fill(store, [thing("c", { owner: "o", weight: 2 })]);
  }),

  onStore("maintained counts are right after any change and after rollbacks", async (store) => {
    const random = seededRandom(8);
    const conditions: PlainCondition[][] = [
      [is("on", "eq", true)],
      [is("rank", "eq", 1), is("owner", "eq", "o")],
      [is("owner", "eq", null), is("rank", "eq", 0)],
      [is("on", "eq", true), is("on", "eq", false)],
      [is("on", "ne", true)],
    ];
    for (let round = 0; round < 60; round++) {
      const transaction = store.write(async (tx) => {
        for (let step = 0; step < 3; step++) await randomStep(tx, random);
        if (random() < 0.3) throw new RangeError("back");
        if (random() < 0.3) await tx.insert("things", thing(`none${round}`, { owner: null }));
      });
      await transaction.catch((error: Error) => assert.equal(error.name, "RangeError"));
      await store.read(async (tx) => {
        for (const where of conditions) {
          const found = await tx.find("things", "s", { where });
          assert.equal(await tx.count("things", "s", where), found.length, JSON.stringify(where));
          assert.equal(await tx.count("things", "elsewhere", where), 0);
        }
      });
    }
  }),

  onStore("rolled back random transactions do not affect lists", async (store) => {
    const random = seededRandom(4);
    const things = Array.from({ length: 100 }, (_, i) => thing(`t${i}`, { rank: i % 7 }));
    await fill(store, things);
    const byRank = { order: [by("rank", "desc")] } as const;
    for (let i = 0; i < 30; i++) {
      const before = await idsOf(store, byRank);
      await rolledBack(store, async (tx) => {
        for (let step = 0; step < 6; step++) {
          await randomStep(tx, random);
          await tx.find("things", "s", byRank);
        }
      });
      assert.deepEqual(await idsOf(store, byRank), before);
      await store.write((tx) => randomStep(tx, random));
    }
  }),

  onStore("sequences start at 1, return consecutive numbers, and are independent", async (store) => {
    await store.write(async (tx) => {
      assert.equal(await tx.sequence("s", "n"), 1);
      assert.equal(await tx.sequence("s", "n", 10), 2);
      assert.equal(await tx.sequence("s", "n"), 12);
      assert.equal(await tx.sequence("s", "m"), 1);
      assert.equal(await tx.sequence("t", "n"), 1);
      assert.equal(await tx.sequence("a b", "c"), 1);
      assert.equal(await tx.sequence("b", "c a"), 1);
      assert.equal(await tx.sequence("a", "b c"), 1);
      await expectRejection("TypeError", () => tx.sequence("s", "n", 0));
    });
    assert.equal(await store.write((tx) => tx.sequence("s", "n")), 13);
  }),

  onStore("a read sees one consistent state", async (store) => {
    await fill(store, [thing("a", { rank: 1 }), thing("b", { rank: -1 })]);
    const shift = (by: number) =>
      store.write(async (tx) => {
        for (const record of await tx.find("things", "s"))
          await tx.replace("things", {
            ...record,
            rank: record.id === "a" ? record.rank + by : record.rank - by,
          });
      });
    const look = () =>
      store.read(async (tx) => {
        const a = await tx.get("things", "s", "a");
        await new Promise((resolve) => setTimeout(resolve, 2));
        const b = await tx.get("things", "s", "b");
        assert.equal(a!.rank + b!.rank, 0);
      });
    await parallel(20, (i) => (i % 2 ? shift(i) : look()));
  }),

  onStore("a committed write is visible to every later read", async (store) => {
    for (let i = 0; i < 20; i++) {
      await store.write((tx) => tx.insert("things", thing(`t${i}`)));
      assert.equal(await store.read((tx) => tx.count("things", "s")), i + 1);
    }
  }),

  onStore("concurrent updates are not lost", async (store) => {
    await fill(store, [thing("a")]);
    await parallel(40, () =>
      store.write(async (tx) => {
        const found = (await tx.get("things", "s", "a"))!;
        await tx.replace("things", { ...found, rank: found.rank + 1 });
      }),
    );
    assert.equal((await store.read((tx) => tx.get("things", "s", "a")))?.rank, 40);
  }),

  onStore("concurrent decisions on absent records are serialized", async (store) => {
    const outcomes = await parallel(20, (i) =>
      store.write(async (tx) => {
        if ((await tx.count("things", "s")) >= 3) return false;
        await tx.insert("things", thing(`t${i}`));
        return true;
      }),
    );
    assert.equal(outcomes.filter(Boolean).length, 3);
    assert.equal((await idsOf(store)).length, 3);
  }),

  onStore("positions stay a permutation under parallel moves", async (store) => {
    const ids = Array.from("abcdefgh");
    await fillEach(store, ids, (id, rank) => thing(id, { rank }));
    const random = seededRandom(5);
    await parallel(24, () => {
      const [id, to] = [pick(random, ids), Math.floor(random() * ids.length)];
      return store.write((tx) => move(tx, id, to));
    });
    const ranks = (await state(store)).map((t) => t.rank).sort();
    assert.deepEqual(ranks, [...ids.keys()]);
  }),

  onStore("of many concurrent inserts with one id or combination exactly one succeeds", async (store) => {
    const race = (work: (tx: ProbeWrites, i: number) => Promise<void>) =>
      parallel(12, (i) =>
        store
          .write((tx) => work(tx, i))
          .then(
            () => "won",
            (error: Error) => error.name,
          ),
      );
    const won = (outcomes: string[]) => outcomes.toSorted().join();
    const oneOf12 = [...Array(11).fill("UniqueViolationError"), "won"].join();
    assert.equal(won(await race((tx) => tx.insert("things", thing("a")))), oneOf12);
    const place = { owner: "o", weight: 1 };
    assert.equal(won(await race((tx, i) => tx.insert("things", thing(`t${i}`, place)))), oneOf12);
    const numbers = await parallel(12, (i) =>
      store.write((tx) => tx.insertMissing("things", [thing("m", { rank: i })])),
    );
    const inserted = numbers.reduce((a, b) => a + b);
    assert.equal(inserted, 1);
  }),

  onStore("numbers of a sequence are returned once", async (store) => {
    const first = await parallel(30, (i) => store.write((tx) => tx.sequence("s", "n", (i % 3) + 1)));
    const given = first.flatMap((from, i) => Array.from({ length: (i % 3) + 1 }, (_, k) => from + k));
    given.sort((a, b) => a - b);
    assert.deepEqual(given, [...Array(61).keys()].slice(1));
  }),

  onStore("operations of one transaction can run in parallel", async (store) => {
    await store.write(async (tx) => {
      await parallel(20, (i) => tx.insert("things", thing(`t${i}`, { rank: i })));
      const counts = await parallel(5, () => tx.count("things", "s"));
      assert.deepEqual(counts, [20, 20, 20, 20, 20]);
    });
    await rolledBack(store, async (tx) => {
      await parallel(5, (i) => tx.delete("things", "s", `t${i}`));
    });
    assert.equal((await idsOf(store)).length, 20);
  }),

  onStore("a transaction cannot be used after its end", async (store) => {
    const ended = await store.write(async (tx) => tx);
    await expectRejection("TypeError", () => ended.insert("things", thing("a")));
    await expectRejection("TypeError", () => ended.get("things", "s", "a"));
    await expectRejection("TypeError", () => ended.sequence("s", "n"));
    await expectRejection("TypeError", () => ended.delete("things", "s", "a"));
    const failed: ProbeWrites[] = [];
    await rolledBack(store, async (tx) => {
      failed.push(tx);
    });
    for (const tx of failed) await expectRejection("TypeError", () => tx.count("things", "s"));
    assert.equal(failed.length > 0, true);
    assert.deepEqual(await idsOf(store), []);
  }),

  onStore("a transaction inside another is a TypeError and has no effect", async (store) => {
    await store.write(async (tx) => {
      await tx.insert("things", thing("a"));
      await expectRejection("TypeError", () => store.write(async () => {}));
      await expectRejection("TypeError", () => store.read(async () => {}));
    });
    await store.read(() => expectRejection("TypeError", () => store.read(async () => {})));
    await store.read(() => expectRejection("TypeError", () => store.write(async () => {})));
    assert.deepEqual(await idsOf(store), ["a"]);
  }),

  onStore("a flat transaction inside one that is not flat is a TypeError", async (store) => {
    const flat = { flat: true };
    await store.write(async (tx) => {
      await tx.insert("things", thing("a"));
      await expectRejection("TypeError", () => store.write(async () => {}, flat));
      await expectRejection("TypeError", () => store.read(async () => {}, flat));
    });
    assert.deepEqual(await idsOf(store), ["a"]);
  }),

  onStore("a flat transaction reads, writes, ends and rolls back as others do", async (store) => {
    const flat = { flat: true };
    let ended: ProbeReads | undefined;
    await store.write(async (tx) => {
      ended = tx;
      await tx.insert("things", thing("a"));
      assert.equal(await tx.count("things", "s"), 1);
    }, flat);
    await expectRejection("TypeError", async () => ended?.count("things", "s"));
    const failing = store.write(async (tx) => {
      await tx.delete("things", "s", "a");
      throw new RangeError("stop");
    }, flat);
    await expectRejection("RangeError", () => failing);
    assert.equal((await store.read((tx) => tx.get("things", "s", "a"), flat))?.id, "a");
  }),

  onStore("blobs can be read inside a flat transaction", async (store) => {
    await store.blobs.put("k", new Uint8Array([1, 2]));
    const read = await store.write(() => store.blobs.get("k"), { flat: true });
    assert.deepEqual([...(read ?? [])], [1, 2]);
  }),

  {
    name: "close waits for running operations, and the store rejects new ones",
    run: onStore("", async (store) => {
      let done = false;
      const under = store.write(async (tx) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await tx.insert("things", thing("a"));
        done = (await tx.count("things", "s")) === 1;
      });
      await store.close();
      assert.ok(done);
      await under;
      await expectRejection("TypeError", () => store.read(async () => {}));
      await expectRejection("TypeError", () => store.write(async () => {}));
      await store.close();
    }).run,
  },
];
