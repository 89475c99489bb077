/** Cases of the queue contract: deliveries that fail, end late, or compete. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkQueue } from "../../../queue/port.ts";
import { seededRandom } from "../probe.ts";
import { bytes, expectCounts, longMs, onQueue, pastAckWait, shortMs, takeOne, textOf } from "./connect.ts";

/** Works on messages with failures of every kind until all are done. Returns the texts of those that it has done. */
async function workAtRandom(queue: WorkQueue, seed: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const done: string[] = [];
  for (;;) {
    const taken = await queue.take({ waitMs: shortMs * 4 });
    if (!taken) return done;
    const chance = random();
    // Abandoned: a worker that crashes.
    if (chance < 0.1) continue;
    if (chance < 0.3) await taken.retry({ delayMs: random() * 20, counts: random() < 0.5 });
    else if (await taken.done()) done.push(textOf(taken));
  }
}

export const deliveryCases = [
  onQueue(
    "a message that is not finished in time is delivered again, and counts as a try",
    shortMs,
    async (queue) => {
      await queue.put(bytes("a"), { key: "k" });
      await takeOne(queue);
      await pastAckWait();
      const again = await takeOne(queue);
      assert.deepEqual([textOf(again), again.key, again.tries], ["a", "k", 1]);
      assert.equal(await again.done(), true);
    },
  ),

  onQueue("a message that is extended stays with its taker", shortMs, async (queue, connect) => {
    const other = await connect();
    await queue.put(bytes("a"));
    const taken = await takeOne(queue);
    let isFinished = false;
    const extending = (async () => {
      while (!isFinished) {
        assert.equal(await taken.extend(), true);
        await sleep(shortMs / 10);
      }
    })();
    assert.equal(await other.take({ waitMs: shortMs * 2.5 }), undefined);
    isFinished = true;
    await extending;
    assert.equal(await taken.done(), true);
    await other.close();
  }),

  onQueue(
    "a taker that is too late changes nothing, and its delivery is not a try",
    shortMs,
    async (queue, connect) => {
      const other = await connect();
      await queue.put(bytes("a"));
      const late = await takeOne(queue);
      await pastAckWait();
      const second = await takeOne(other);
      assert.equal(second.id, late.id);
      assert.deepEqual([await late.extend(), await late.done(), await late.bury("x")], [false, false, false]);
      assert.equal(await second.retry({ counts: false }), true);
      const third = await takeOne(queue);
      assert.equal(third.tries, 0);
      assert.equal(await third.done(), true);
      await expectCounts(queue, { waiting: 0, taken: 0, dead: 0 });
      await other.close();
    },
  ),

  onQueue(
    "a message that is put back waits for its delay, and counts as a try unless an outage is the cause",
    longMs,
    async (queue) => {
      await queue.put(bytes("a"));
      assert.equal(await (await takeOne(queue)).retry({ delayMs: longMs }), true);
      assert.equal(await queue.take(), undefined);
      await expectCounts(queue, { waiting: 1, taken: 0, dead: 0 });
      await queue.put(bytes("b"));
      for (const [tries, counts] of [
        [0, true],
        [1, false],
        [1, false],
        [1, true],
      ] as const) {
        const taken = await takeOne(queue);
        assert.deepEqual([textOf(taken), taken.tries], ["b", tries]);
        assert.equal(await taken.retry({ delayMs: 1, counts }), true);
        assert.equal(await taken.done(), false);
      }
      const last = await takeOne(queue);
      assert.equal(last.tries, 2);
      assert.equal(await last.done(), true);
    },
  ),

  onQueue(
    "four takers that fail at random lose no message and finish each once",
    shortMs,
    async (queue, connect) => {
      const texts = Array.from({ length: 40 }, (_, i) => `${i}`);
      await Promise.all(texts.map((text) => queue.put(bytes(text), { key: text })));
      const takers = await Promise.all([1, 2, 3, 4].map(connect));
      const done = (await Promise.all(takers.map(workAtRandom))).flat();
      assert.deepEqual(done.toSorted(), texts.toSorted());
      await expectCounts(queue, { waiting: 0, taken: 0, dead: 0 });
      for (const taker of takers) await taker.close();
    },
  ),
];
