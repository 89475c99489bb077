/** Work of a SQLite store in threads of libsql, so that the event loop goes on meanwhile. */
import { join } from "node:path";
import Database from "libsql";
import ThreadedDatabase from "libsql/promise";
import { expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { folderBlobs } from "../../../src/store/sql/blobs/folder.ts";
import { createSqliteEngine } from "../../../src/store/sql/engines/sqlite-engine.ts";
import { createReaders } from "../../../src/store/sql/engines/sqlite-readers.ts";
import { openSqlStore } from "../../../src/store/sql/sql-store.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { temporaryFolder } from "../open.ts";

const folder = await temporaryFolder();

/** A store, and the statements that it ran in threads. */
async function openRecorded(name: string) {
  const threaded: string[] = [];
  /** The number of statements in threads at each rollback. */
  const besideRollback: number[] = [];
  let running = 0;
  class Watched extends Database {
    override exec(sql: string) {
      if (sql === "rollback") besideRollback.push(running);
      return super.exec(sql);
    }
  }
  class Recorded extends ThreadedDatabase {
    override exec(sql: string) {
      threaded.push(sql);
      return super.exec(sql);
    }
    override async prepare(sql: string) {
      const statement = await super.prepare(sql);
      const all = (parameters: unknown[]) => {
        threaded.push(sql);
        running++;
        return statement.all(parameters).finally(() => running--);
      };
      return { all };
    }
  }
  const path = join(folder, `${name}.db`);
  const driver = { Database: Watched, ThreadedDatabase: Recorded };
  const engine = await createSqliteEngine(driver, { path, create: true, lockWaitMs: 1000 });
  const opened = await openSqlStore(engine, probes as CollectionTable, folderBlobs(`${path}.blobs`), 1_000);
  return { store: opened as unknown as ProbeStore, threaded, besideRollback };
}

const things = Array.from({ length: 3_000 }, (_, i) => thing(`t${i}`, { rank: i }));
const scan = [{ field: "name", op: "contains", value: "absent" }] as const;

test("a commit, which waits for the disk, is in a thread; a short read is not", async () => {
  const { store, threaded } = await openRecorded("commit");
  threaded.length = 0;
  await store.write((tx) => tx.insertMissing("things", things));
  expect(threaded).toEqual(["commit"]);
  expect((await store.read((tx) => tx.get("things", "s", "t7")))?.rank).toBe(7);
  expect(threaded).toEqual(["commit"]);
  await store.close();
});

/** Reads until the read counts as long; at max as often as takes far longer. */
async function becomeLong(count: () => Promise<number>, threaded: readonly string[]): Promise<void> {
  for (let i = 0; i < 2_000 && threaded.length === 0; i++) expect(await count()).toBe(0);
  expect(threaded.length).toBeGreaterThan(0);
}

test("the statements of a long read are in threads, one at a time, and have the same results", async () => {
  const { store, threaded } = await openRecorded("scan");
  await store.write((tx) => tx.insertMissing("things", things));
  threaded.length = 0;
  const order = [{ field: "rank", direction: "desc" }] as const;
  const results = await store.read(async (tx) => {
    const first = await tx.find("things", "s", { order, limit: 5 });
    await becomeLong(() => tx.count("things", "s", scan), threaded);
    const pages = [0, 1, 2].map((page) => tx.find("things", "s", { order, limit: 5, offset: page * 5 }));
    return { first, pages: await Promise.all([...pages, tx.find("things", "s", { order })]) };
  });
  const ranks = results.pages.map((page) => page.map(({ rank }) => rank));
  const all = things.map((_, i) => 2_999 - i);
  expect(results.pages[0]).toEqual(results.first);
  expect(ranks).toEqual([all.slice(0, 5), all.slice(5, 10), all.slice(10, 15), all]);
  await store.close();
});

test("a long read that fails while statements run gives back a connection that can be used", async () => {
  const { store, threaded, besideRollback } = await openRecorded("failing");
  await store.write((tx) => tx.insertMissing("things", things));
  for (let i = 0; i < 10; i++) {
    threaded.length = 0;
    const failing = store.read(async (tx) => {
      await becomeLong(() => tx.count("things", "s", scan), threaded);
      tx.count("things", "s", scan).catch(() => {});
      tx.find("things", "s").catch(() => {});
      throw new Error("failed");
    });
    await expect(failing).rejects.toThrow("failed");
    expect(await store.read((tx) => tx.find("things", "s"))).toHaveLength(3_000);
  }
  expect(besideRollback).toEqual(Array(10).fill(0));
  await store.close();
});

test("of several long reads, each has one statement at a time in a thread", async () => {
  const max = { all: 0, one: 0 };
  let all = 0;
  const open = () => {
    let own = 0;
    const none = { rows: [], changed: 0 };
    return {
      exec: () => {},
      execInThread: async () => {},
      pragma: () => {},
      close: () => {},
      run: () => {
        for (const endMs = performance.now() + 11; performance.now() < endMs; );
        return none;
      },
      runInThread: async () => {
        max.one = Math.max(max.one, ++own);
        max.all = Math.max(max.all, ++all);
        await new Promise(setImmediate);
        own--;
        all--;
        return none;
      },
    };
  };
  const readers = createReaders(open, 2);
  const statement = { sql: "select 1", parameters: [] };
  const read = () =>
    readers.use(async (_connection, { run, settled }) => {
      run(statement);
      const last = [run(statement), run(statement)].at(-1);
      await settled();
      return last;
    });
  await Promise.all([read(), read(), read()]);
  expect(max).toEqual({ all: 2, one: 1 });
});
