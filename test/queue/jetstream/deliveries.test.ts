/** Deliveries whose requests fail in between: each part of the queue is replaced by one in this process. */
import type { Msg } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { type QueueParts, receive } from "../../../src/queue/jetstream/deliveries.ts";
import { layoutOf } from "../../../src/queue/jetstream/layout.ts";
import type { TriesEntry } from "../../../src/queue/jetstream/tries.ts";

/** Parts with one message (sequence 7), whose calls fail while `failing` has their name. */
function scene({ ackWaitMs = 60_000 } = {}) {
  const failing = new Set<string>();
  const seen: string[] = [];
  let entry: TriesEntry | undefined;
  const step = async (name: string) => {
    if (failing.has(name)) throw new Error(`${name} failed`);
    seen.push(name);
  };
  const parts = {
    layout: layoutOf("q"),
    ackWaitMs,
    requestTimeoutMs: 100,
    certainFrom: async () => 0,
    broker: {
      call: <T>(request: () => Promise<T>) => request(),
      isClosed: () => false,
      nc: { request: (_: string, text: string) => step(text.split(" ")[0] ?? "") },
      jsm: {
        streams: {
          deleteMessage: (_: string, seq: number) => step(`delete ${seq}`).then(() => true),
          getMessage: async () => ({}),
        },
      },
    },
    letters: { add: () => step("letter"), has: async () => false },
    tries: {
      read: async () => entry,
      change: async (_id: string, seq: number, next: (found: TriesEntry | undefined) => TriesEntry) => {
        await step("change");
        const changed = next(entry);
        if (changed) entry = { ...changed, seq };
        return changed && entry;
      },
      mark: () => step("mark"),
      unmark: () => step("unmark"),
      remove: () => step("remove"),
    },
  } as unknown as QueueParts;
  /** The message as the server delivers it for the given time. */
  const take = async (count: number, start = "$JS.ACK") => {
    const reply = `${start}.stream.workers.${count}.7.${count}.1.0${start === "$JS.ACK" ? "" : ".random"}`;
    const message = { subject: "edgeproof.work.q.a", reply, data: new Uint8Array() };
    const delivery = await receive(parts, message as Msg, performance.now());
    if (!delivery) throw new Error("the message was not delivered");
    return delivery;
  };
  return { failing, seen, take, entry: () => entry };
}

test.each(["change", "mark", "-NAK"])(
  "a message that is put back counts as one try, though `%s` failed",
  async (name) => {
    const { failing, take, entry } = scene();
    const delivery = await take(1);
    failing.add(name);
    await expect(delivery.retry()).rejects.toThrow(`${name} failed`);
    await expect(delivery.retry()).rejects.toThrow(`${name} failed`);
    failing.clear();
    expect([await delivery.retry(), entry()?.tries, entry()?.holder]).toEqual([true, 1, null]);
    expect([await delivery.retry(), await delivery.done(), entry()?.tries]).toEqual([false, false, 1]);
  },
);

test("a late taker is forgiven once, however often it asks and its requests fail", async () => {
  const { failing, take, entry } = scene({ ackWaitMs: 0 });
  const late = await take(1);
  await take(2);
  await take(3);
  expect(entry()?.tries).toBe(2);
  failing.add("change");
  await expect(late.done()).rejects.toThrow("change failed");
  failing.clear();
  expect(await Promise.all([late.extend(), late.done(), late.bury("x")])).toEqual([false, false, false]);
  expect(await late.retry()).toBe(false);
  expect(entry()?.tries).toBe(1);
});

test("a message is deleted after its dead letter was acknowledged, and may be set aside again after an error", async () => {
  const { failing, seen, take } = scene();
  const delivery = await take(1);
  failing.add("letter");
  await expect(delivery.bury("x")).rejects.toThrow("letter failed");
  expect(seen).toEqual([]);
  failing.delete("letter");
  failing.add("delete 7");
  await expect(delivery.bury("x")).rejects.toThrow("delete 7 failed");
  failing.clear();
  expect(await delivery.bury("x")).toBe(true);
  expect(seen).toEqual(["letter", "letter", "delete 7"]);
  expect(await delivery.bury("x")).toBe(false);
});

test("a message that could not be handed out is put back, and is not a try", async () => {
  const { failing, seen, take, entry } = scene();
  await (await take(1)).retry();
  failing.add("unmark");
  await expect(take(2)).rejects.toThrow("unmark failed");
  await expect.poll(() => seen.at(-1)).toBe("-NAK");
  expect([entry()?.tries, entry()?.holder]).toEqual([1, null]);
});

test("the sequence is read from the answers of older and newer servers", async () => {
  const { failing, take } = scene();
  failing.add("delete 7");
  for (const start of ["$JS.ACK", "$JS.ACK._.account"])
    await expect((await take(1, start)).done()).rejects.toThrow("delete 7 failed");
});
