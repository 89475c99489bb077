/** `edgeproof queue`: the numbers, the settings and the dead letters of a work queue. */

import { formatCount, formatNumber } from "../../../core/format-count.ts";
import type { DeadLetter, WorkQueue } from "../../../queue/port.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { deadList, deadRetry, setup, status } from "../../declarations/queue.ts";
import type { InvocationOf, ValuesOf } from "../../declare.ts";
import { withoutPassword } from "../../input/data-store.ts";
import { isNatsAddress, openQueue, requiredQueue } from "../../input/work-queue.ts";
import type { queueOption } from "../../options/stores.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { printTable } from "../../output/table.ts";
import { explained } from "./export.ts";

/** The input of an action on a queue. */
interface QueueInput {
  readonly options: ValuesOf<typeof queueOption>;
  readonly io: Io;
}

/** The implementation of an action: finds the address of the queue, and explains errors. */
function onQueue<I extends QueueInput>(
  action: (input: I, address: string) => Promise<number>,
): (input: I) => Promise<number> {
  return async (input) => {
    const address = requiredQueue(input.options, input.io);
    input.io.handleSignals?.();
    try {
      return await action(input, address);
    } catch (error) {
      throw explained(error, input.io, "what was changed stays so");
    }
  };
}

/** Opens the queue, which must exist, for one action. */
async function withQueue<T>(address: string, work: (queue: WorkQueue) => Promise<T>): Promise<T> {
  const queue = await openQueue(address, { create: false });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

export const printStatus = onQueue(async ({ options, io }: InvocationOf<typeof status>, address) => {
  const { oldestMs, ...counts } = await withQueue(address, (queue) => queue.status());
  const status = { ...counts, oldest_seconds: Math.round(oldestMs / 1_000) };
  if (options.json) io.stdout.write(formatJson(status));
  else
    io.stdout.write(
      printTable(
        io.stdout,
        ["waiting", "taken", "set aside", "oldest (s)"],
        [Object.values(status).map((value) => formatNumber(value))],
      ),
    );
  return 0;
});

const unsynced =
  "by default a NATS server writes to its disk only every two minutes: after a power failure, messages of this time may be lost although they were acknowledged. Publish them again then, or set `sync_interval: always` (nats-server 2.10 and later) and use --synced";

/** Settings of queues in NATS. */
const natsSettings = { ackWait: "ack-wait", maxSize: "max-size", replicas: "replicas" } as const;

export const setUp = onQueue(async ({ options, io }: InvocationOf<typeof setup>, address) => {
  const { ackWait, maxSize, replicas, synced, json } = options;
  const isNats = isNatsAddress(address);
  const given = Object.entries(natsSettings).find(
    ([name]) => options[name as keyof typeof natsSettings] !== undefined,
  );
  const name = given?.[1] ?? (synced ? "synced" : undefined);
  if (!isNats && name !== undefined)
    throw new UsageError(`--${name} is a setting of queues in NATS; --queue is a database`);
  const settings = {
    ...(ackWait !== undefined && { ackWaitMs: ackWait * 1_000 }),
    ...(maxSize !== undefined && { maxQueueBytes: maxSize * 1_000_000 }),
    ...(replicas !== undefined && { replicas }),
  };
  const existing = await openQueue(address, { ...settings, create: false }).catch(() => undefined);
  // Creates what is missing, or reports why the queue cannot be used.
  const queue = existing ?? (await openQueue(address, settings));
  await queue.close();
  const created = existing === undefined;
  const warnings = isNats && !synced ? [unsynced] : [];
  if (json) io.stdout.write(formatJson({ queue: withoutPassword(address), created, warnings }));
  else {
    const state = created ? "created" : "exists, with the settings that are needed";
    io.stdout.write(`the queue ${withoutPassword(address)}: ${state}\n`);
    for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  }
  return 0;
});

const defaultLimit = 100;

/** A dead letter as it is printed: its body may be a picture. */
function describe({ id, key, reason, body }: DeadLetter) {
  return { id, key: key ?? null, reason, bytes: body.length };
}

export const listDead = onQueue(async ({ options, io }: InvocationOf<typeof deadList>, address) => {
  const letters = await withQueue(address, (queue) => queue.dead(options.limit ?? defaultLimit));
  const rows = letters.map(describe);
  if (options.json) io.stdout.write(formatJson(rows));
  else printLetters(rows, io);
  return 0;
});

function printLetters(letters: readonly ReturnType<typeof describe>[], io: Io): void {
  if (letters.length > 0)
    io.stdout.write(
      printTable(
        io.stdout,
        ["id", "bytes", "key", "reason"],
        letters.map(({ id, bytes, key, reason }) => [id, formatNumber(bytes), key ?? "", reason]),
        // The end of a reason says what to do.
        { unshortened: ["id", "reason"] },
      ),
    );
  io.stderr.write(`${formatCount(letters.length, "message")} set aside\n`);
}

/** Changes the messages with the ids, or all of them. */
function onDead(done: string, change: (queue: WorkQueue, id: string) => Promise<boolean>) {
  return onQueue(async ({ options, words: ids, io }: InvocationOf<typeof deadRetry>, address) => {
    const { all, limit = defaultLimit, json } = options;
    return withQueue(address, async (queue) => {
      const chosen = all ? (await queue.dead(limit)).map(({ id }) => id) : ids;
      const missing: string[] = [];
      for (const id of chosen) {
        io.signal.throwIfAborted();
        if (!(await change(queue, id))) missing.push(id);
      }
      const changed = chosen.length - missing.length;
      if (json) io.stdout.write(formatJson({ changed, missing }));
      else io.stdout.write(`${formatCount(changed, "message")} ${done}\n`);
      for (const id of missing)
        io.stderr.write(`no message with the id \`${escapeControlCharacters(id)}\` is set aside\n`);
      return missing.length > 0 ? 1 : 0;
    });
  });
}

export const retryDead = onDead("retried", (queue, id) => queue.revive(id));

export const dropDead = onDead("dropped", (queue, id) => queue.drop(id));
