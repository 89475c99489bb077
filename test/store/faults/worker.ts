/** A process of its own that works on a store: what its one argument says. Each line it prints is acknowledged. */
import { writeSync } from "node:fs";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import {
  type ProbeStore,
  type ProbeWrites,
  probes,
  type Thing,
  thing,
} from "../../../src/testing/contract/probe.ts";

/** Which store, and what to do with it. */
export interface Task {
  readonly sqlite?: string;
  readonly postgres?: { readonly connectionString: string; readonly schema: string };
  readonly work: "start" | "load" | "race" | "cross" | "hold";
  readonly name: string;
}

export const listLength = 6;
export const coupons = 2000;
export const racesEach = 15;
export const crossings = 10;
/** The queues of `cross`; `hold` holds the first. */
export const queueNames = ["a", "b"] as const;

function open({ sqlite, postgres }: Task): Promise<ProbeStore> {
  const collections = probes as CollectionTable;
  const opened = sqlite
    ? openSqliteStore({ path: sqlite, collections, lockWaitMs: 30_000 })
    : openPostgresStore({ ...postgres!, collections, maxConnections: 4, conflictMs: 30_000 });
  return opened as Promise<unknown> as Promise<ProbeStore>;
}

const say = (line: string) => writeSync(1, `${line}\n`);

/** Moves the last of the list to the front, and all others one place down. */
async function rotate(tx: ProbeWrites): Promise<void> {
  const list = await tx.find("things", "list", { order: [{ field: "rank", direction: "asc" }] });
  for (const thing of list)
    await tx.replace("things", { ...thing, rank: (thing.rank + 1) % list.length } as Thing);
}

/** Uses a coupon that can be used once. */
async function redeem(tx: ProbeWrites, by: string): Promise<string | undefined> {
  const [coupon] = await tx.find("things", "coupons", { limit: 1 });
  if (!coupon) return undefined;
  await tx.delete("things", "coupons", coupon.id);
  await tx.insert("things", { ...thing(`${coupon.id} ${by}`), scope: "used" });
  return coupon.id;
}

/** The work of every kind under load, and its message at the end. */
function loads(store: ProbeStore, name: string): Record<string, (i: number) => Promise<string | undefined>> {
  return {
    insert: async (i) => {
      await store.write((tx) => tx.insert("things", { ...thing(`${name} ${i}`), scope: "inserted" }));
      return `${name} ${i}`;
    },
    rotate: async () => {
      await store.write(rotate);
      return "";
    },
    redeem: (i) => store.write((tx) => redeem(tx, `${name} ${i}`)),
    blob: async (i) => {
      await store.blobs.put(`${name} ${i}`, new Uint8Array(20_000).fill(i));
      return `${name} ${i}`;
    },
  };
}

async function load(store: ProbeStore, name: string): Promise<void> {
  const forEver = async ([kind, work]: [string, (i: number) => Promise<string | undefined>]) => {
    for (let i = 0; ; i++) {
      const done = await work(i);
      if (done !== undefined) say(`${kind} ${done}`);
      // SQLite answers at once; without a turn of the event loop no file would ever be written.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Object.entries(loads(store, name)).map(forEver));
}

async function race(store: ProbeStore, name: string): Promise<void> {
  for (let i = 0; i < racesEach; i++) {
    await store.write(async (tx) => {
      const counter = (await tx.get("things", "counter", "n"))!;
      await tx.replace("things", { ...counter, rank: counter.rank + 1 });
      await rotate(tx);
    });
    say(`number ${await store.write((tx) => tx.sequence("s", "n"))}`);
    const won = await store.write((tx) =>
      tx.insertMissing("things", [{ ...thing(`race ${i}`), scope: "won" }]),
    );
    if (won) say(`won ${i}`);
    const used = await store.write((tx) => redeem(tx, name));
    say(`used ${used}`);
  }
}

/** Counts up in both queues at once, in an order of its own. */
async function cross(store: ProbeStore, name: string): Promise<void> {
  const order = Number(name) % 2 === 0 ? queueNames : queueNames.toReversed();
  const countUp = (queue: string) =>
    store.write(
      async (tx) => {
        const counter = (await tx.get("things", queue, "counter"))!;
        await tx.replace("things", { ...counter, rank: counter.rank + 1 });
        await tx.insert("things", { ...thing(`${name} ${await tx.sequence(queue, "n")}`), scope: queue });
      },
      { queue },
    );
  for (let i = 0; i < crossings; i++) await Promise.all(order.map(countUp));
}

/** Enters a queue and stays in it. */
function hold(store: ProbeStore): Promise<void> {
  const work = async (tx: ProbeWrites) => {
    await tx.insert("things", { ...thing("abandoned"), scope: queueNames[0] });
    say("held");
    // A timer, so that the process does not end.
    await new Promise(() => setInterval(() => {}, 1_000));
  };
  return store.write(work, { queue: queueNames[0] });
}

const task = JSON.parse(process.argv[2] ?? "null") as Task | null;
if (task) {
  const store = await open(task);
  say("ready");
  if (task.work === "load") await load(store, task.name);
  if (task.work === "race") await race(store, task.name);
  if (task.work === "cross") await cross(store, task.name);
  if (task.work === "hold") await hold(store);
  await store.close();
}
