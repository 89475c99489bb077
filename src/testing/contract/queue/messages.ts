/** Cases of the queue contract: messages, keys, dead letters, and the end of a queue. */
import assert from "node:assert/strict";
import { bytes, expectCounts, longMs, onQueue, takeOne, textOf } from "./connect.ts";

export const messageCases = [
  onQueue(
    "messages are delivered with their bytes, each to one taker, and are gone when done",
    longMs,
    async (queue) => {
      const bodies = [bytes("a"), new Uint8Array(), Uint8Array.from({ length: 256 }, (_, i) => i)];
      for (const body of bodies) assert.equal(await queue.put(body), true);
      await expectCounts(queue, { waiting: 3, taken: 0, dead: 0 });
      const taken = [await takeOne(queue), await takeOne(queue), await takeOne(queue)];
      assert.deepEqual(
        taken.map(({ body, key, tries }) => ({ body: [...body], key, tries })),
        bodies.map((body) => ({ body: [...body], key: undefined, tries: 0 })),
      );
      assert.equal(new Set(taken.map(({ id }) => id)).size, 3);
      assert.equal(await queue.take(), undefined);
      await expectCounts(queue, { waiting: 0, taken: 3, dead: 0 });
      for (const each of taken) assert.equal(await each.done(), true);
      for (const each of taken) assert.equal(await each.done(), false);
      await expectCounts(queue, { waiting: 0, taken: 0, dead: 0 });
    },
  ),

  onQueue("a key is in the queue once: waiting, taken or dead", longMs, async (queue) => {
    const key = "é'\"\\$1 ".repeat(40);
    const put = () => queue.put(bytes("a"), { key });
    assert.deepEqual([await put(), await put()], [true, false]);
    assert.equal(await queue.put(bytes("b"), { key: "other" }), true);
    const [a, b] = [await takeOne(queue), await takeOne(queue)];
    assert.deepEqual([a.key, b.key], [key, "other"]);
    assert.equal(await put(), false);
    await a.bury("bad");
    assert.equal(await put(), false);
    assert.equal(await queue.drop(a.id), true);
    assert.deepEqual(await Promise.all([put(), put(), put()]).then((all) => all.sort()), [
      false,
      false,
      true,
    ]);
    await expectCounts(queue, { waiting: 1, taken: 1, dead: 0 });
  }),

  onQueue(
    "a message that is set aside is listed with its reason, and delivered only when revived",
    longMs,
    async (queue) => {
      for (const text of ["a", "b", "c"]) await queue.put(bytes(text), { key: text });
      for (const reason of ["not JSON", "é".repeat(300), ""]) {
        const taken = await takeOne(queue);
        assert.equal(await taken.bury(reason), true);
        assert.equal(await taken.done(), false);
      }
      assert.equal(await queue.take(), undefined);
      const letters = await queue.dead();
      assert.deepEqual(
        letters.map((letter) => [textOf(letter), letter.key, letter.reason]),
        [
          ["a", "a", "not JSON"],
          ["b", "b", "é".repeat(300)],
          ["c", "c", ""],
        ],
      );
      assert.equal((await queue.dead(2)).length, 2);
      const [a, b] = letters.map(({ id }) => id);
      assert.deepEqual([await queue.revive(a ?? ""), await queue.revive(a ?? "")], [true, false]);
      assert.deepEqual([await queue.drop(b ?? ""), await queue.drop(b ?? "")], [true, false]);
      assert.deepEqual([await queue.revive("none"), await queue.drop("none")], [false, false]);
      const revived = await takeOne(queue);
      assert.deepEqual([textOf(revived), revived.tries], ["a", 0]);
      await expectCounts(queue, { waiting: 0, taken: 1, dead: 1 });
    },
  ),

  onQueue("a reason is cut to 2,000 characters, without U+0000", longMs, async (queue) => {
    await queue.put(bytes("a"));
    assert.equal(await (await takeOne(queue)).bury(`\0${"\u1234".repeat(3_000)}`), true);
    const [letter] = await queue.dead();
    assert.equal(letter?.reason, `\ufffd${"\u1234".repeat(1_999)}`);
  }),

  onQueue(
    "bodies, keys, times and limits outside of their bounds are a RangeError",
    longMs,
    async (queue) => {
      for (const key of ["", "x".repeat(401), "a\0"])
        await assert.rejects(queue.put(bytes("a"), { key }), { name: "RangeError" });
      await assert.rejects(queue.put(new Uint8Array(100_000_000)), { name: "RangeError" });
      for (const waitMs of [-1, Number.NaN, 2 ** 31])
        await assert.rejects(queue.take({ waitMs }), { name: "RangeError" });
      for (const limit of [0, 1.5, Number.NaN])
        await assert.rejects(queue.dead(limit), { name: "RangeError" });
      await queue.put(bytes("a"));
      const taken = await takeOne(queue);
      await assert.rejects(taken.retry({ delayMs: -1 }), { name: "RangeError" });
      assert.equal(await taken.done(), true);
    },
  ),

  onQueue(
    "an abort or `close` ends the wait for a message, and a closed queue rejects with a TypeError",
    longMs,
    async (queue, connect) => {
      const stop = new AbortController();
      const waiting = queue.take({ waitMs: longMs, signal: stop.signal });
      stop.abort(new Error("stopped"));
      await assert.rejects(waiting, { message: "stopped" });
      await queue.put(bytes("a"));
      const late = await connect();
      const taken = await takeOne(late);
      assert.equal(await taken.done(), true);
      await late.close();
      await assert.rejects(late.put(bytes("b")), { name: "TypeError" });
      await assert.rejects(late.take(), { name: "TypeError" });
      await assert.rejects(late.status(), { name: "TypeError" });
      const interrupted = await connect();
      const wait = interrupted.take({ waitMs: longMs });
      await interrupted.close();
      await assert.rejects(wait, { name: "TypeError" });
    },
  ),
];
