/** Processes that are killed under load lose nothing they have acknowledged, and leave nothing half done. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes, type Thing, thing } from "../../../src/testing/contract/probe.ts";
import { runs } from "../../support/runs.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";
import { startWorker } from "./processes.ts";
import { coupons, listLength, type Task } from "./worker.ts";

const rounds = runs(20, 3);
/** A process is killed when it has acknowledged up to as many writes as this, and a little later. */
const longestLife = 120;
const longestPauseMs = 20;

const folder = await temporaryFolder();
const collections = probes as CollectionTable;
type Open = () => Promise<ProbeStore>;

async function prepare(store: ProbeStore): Promise<void> {
  const list = Array.from({ length: listLength }, (_, rank) => ({
    ...thing(`l${rank}`, { rank }),
    scope: "list",
  }));
  const all = Array.from({ length: coupons }, (_, i) => ({ ...thing(`c${i}`), scope: "coupons" }));
  await store.write(async (tx) => {
    await tx.insertMissing("things", [...list, ...all]);
  });
}

/** Kills a process at a random moment and returns the writes that it acknowledged. */
async function oneRound(task: Task): Promise<readonly string[]> {
  const worker = startWorker(task);
  await worker.said(1 + Math.floor(Math.random() * longestLife));
  await sleep(Math.random() * longestPauseMs);
  worker.kill();
  return worker.ended;
}

async function check(store: ProbeStore, acknowledged: readonly string[]): Promise<void> {
  const said = (kind: string) =>
    acknowledged.filter((l) => l.startsWith(kind)).map((l) => l.slice(kind.length + 1));
  await store.read(async (tx) => {
    const inserted = new Set((await tx.find("things", "inserted")).map((t) => t.id));
    expect(said("insert").filter((id) => !inserted.has(id))).toEqual([]);
    const ranks = (await tx.find("things", "list")).map((t: Thing) => t.rank).sort();
    expect(ranks).toEqual(Array.from({ length: listLength }, (_, i) => i));
    const used = (await tx.find("things", "used")).map((t) => t.id.split(" ")[0]);
    expect(new Set(used).size).toBe(used.length);
    expect(said("redeem").filter((id) => !used.includes(id))).toEqual([]);
    expect(used.length + (await tx.count("things", "coupons"))).toBe(coupons);
  });
  for (const key of said("blob")) expect((await store.blobs.get(key))?.length).toBe(20_000);
  for await (const key of store.blobs.keys()) {
    const bytes = await store.blobs.get(key);
    expect(bytes?.length, "a blob is whole").toBe(20_000);
    expect(new Set(bytes).size).toBe(1);
  }
}

async function survive(open: Open, task: Omit<Task, "work" | "name">): Promise<void> {
  const first = await open();
  await prepare(first);
  await first.close();
  const acknowledged: string[] = [];
  const kinds = ["insert", "rotate", "redeem", "blob"];
  const unseen = () => kinds.some((kind) => !acknowledged.some((line) => line.startsWith(kind)));
  for (let round = 0; round < rounds || unseen(); round++) {
    acknowledged.push(...(await oneRound({ ...task, work: "load", name: `r${round}` })));
    const store = await open();
    await check(store, acknowledged).finally(() => store.close());
  }
}

describe("after kill -9 under load, every acknowledged write is stored and no transaction is partial", () => {
  test("in SQLite", { timeout: 120_000 }, async () => {
    const path = join(folder, "durable.db");
    const open = () => openSqliteStore({ path, collections }) as Promise<unknown> as Promise<ProbeStore>;
    await survive(open, { sqlite: path });
  });

  const nextSchema = postgresUrl === undefined ? undefined : temporarySchemas();
  test.skipIf(postgresUrl === undefined)("in PostgreSQL", { timeout: 120_000 }, async () => {
    const postgres = { connectionString: postgresUrl!, schema: nextSchema!() };
    const open = () =>
      openPostgresStore({ ...postgres, collections }) as Promise<unknown> as Promise<ProbeStore>;
    await survive(open, { postgres });
  });
});
