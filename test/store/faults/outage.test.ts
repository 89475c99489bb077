/** A database that goes away is said to be away, nothing hangs, and it is used again when it is back. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";
import { type CuttableProxy, startProxy } from "./proxy.ts";

const collections = probes as CollectionTable;
const folder = await temporaryFolder();
const count = (store: ProbeStore) => store.read((tx) => tx.count("things", "s"));
const add = (store: ProbeStore, id: string) => store.write((tx) => tx.insert("things", thing(id)));
const away = (work: Promise<unknown>) => expect(work).rejects.toThrow(DependencyUnavailableError);

/** Opens a store whose way to the database leads through a proxy. */
async function openBehind(proxy: CuttableProxy, schema: string): Promise<ProbeStore> {
  const url = new URL(postgresUrl!);
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  const waits = { connectTimeoutMs: 400, statementTimeoutMs: 600, conflictMs: 1000 };
  const options = { connectionString: String(url), schema, collections, maxConnections: 4, ...waits };
  return (await openPostgresStore(options)) as unknown as ProbeStore;
}

describe.skipIf(postgresUrl === undefined)("PostgreSQL behind a proxy", () => {
  const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

  async function withProxy(work: (proxy: CuttableProxy, store: ProbeStore) => Promise<void>): Promise<void> {
    const { hostname, port } = new URL(postgresUrl!);
    const proxy = await startProxy({ host: hostname, port: Number(port || 5432) });
    const schema = nextSchema();
    await (await openPostgresStore({ connectionString: postgresUrl!, schema, collections })).close();
    const store = await openBehind(proxy, schema);
    try {
      await work(proxy, store);
    } finally {
      await store.close();
      await proxy.close();
    }
  }

  test("is unavailable while its connections are cut, and works again without a restart", () =>
    withProxy(async (proxy, store) => {
      await Promise.all(["a", "b", "c", "d"].map((id) => add(store, id)));
      await proxy.cut();
      await away(count(store));
      await away(add(store, "e"));
      await away(store.blobs.put("k", new Uint8Array(10)));
      await proxy.restore();
      expect(await count(store)).toBe(4);
      await add(store, "e");
      await store.blobs.put("k", new Uint8Array(10));
      expect(await count(store)).toBe(5);
    }));

  test("hides the loss of idle connections", () =>
    withProxy(async (proxy, store) => {
      await Promise.all(["a", "b", "c", "d"].map((id) => add(store, id)));
      for (let round = 0; round < 3; round++) {
        await proxy.cut();
        await proxy.restore();
        expect(await Promise.all([count(store), count(store), count(store)])).toEqual([4, 4, 4]);
      }
    }));

  test("keeps nothing of a transaction whose connection was cut", () =>
    withProxy(async (proxy, store) => {
      await away(
        store.write(async (tx) => {
          await tx.insert("things", thing("a"));
          await proxy.cut();
          await tx.insert("things", thing("b"));
        }),
      );
      await proxy.restore();
      expect(await count(store)).toBe(0);
    }));

  test("is unavailable even when the work catches the error", () =>
    withProxy(async (proxy, store) => {
      await away(
        store.write(async (tx) => {
          await tx.insert("things", thing("a"));
          await proxy.cut();
          await tx.insert("things", thing("b")).catch(() => {});
        }),
      );
      await proxy.restore();
      expect(await count(store)).toBe(0);
    }));

  test("rejects in time when the server does not answer", () =>
    withProxy(async (proxy, store) => {
      await add(store, "a");
      await away(
        store.write(async (tx) => {
          await tx.insert("things", thing("b"));
          proxy.freeze();
          await tx.insert("things", thing("c"));
        }),
      );
      await Promise.all([away(count(store)), away(add(store, "d"))]);
      await proxy.restore();
      expect(await count(store)).toBe(1);
      await add(store, "b");
    }));

  test("cannot be opened while the server is down", async () => {
    const connectionString = "postgres://unknown@127.0.0.1:1/none";
    await away(openPostgresStore({ connectionString, collections }));
  });

  test("abandons a write that others block for longer than its limit", () =>
    withProxy(async (proxy, store) => {
      await add(store, "a");
      const other = await openBehind(proxy, nextSchema());
      const change = (rank: number) => store.write((tx) => tx.replace("things", thing("a", { rank })));
      await other.close();
      let release = () => {};
      const held = store.write(async (tx) => {
        await tx.replace("things", thing("a", { rank: 1 }));
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      });
      while ((await count(store)) === 0) await new Promise(setImmediate);
      await away(change(2));
      release();
      await held;
      expect(await change(3)).toBe(true);
    }));
});

describe("SQLite", () => {
  const open = async (path: string, lockWaitMs: number) =>
    (await openSqliteStore({ path, collections, lockWaitMs })) as unknown as ProbeStore;

  test("waits for another writer up to its limit", async () => {
    const path = join(folder, "locked.db");
    const [store, other] = [await open(path, 50), await open(path, 50)];
    let release = () => {};
    const held = store.write(async (tx) => {
      await tx.insert("things", thing("a"));
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    expect(await count(other)).toBe(0);
    await expect(add(other, "b")).rejects.toThrow("another process locks it");
    await away(add(other, "b"));
    release();
    await held;
    await add(other, "b");
    expect(await count(store)).toBe(2);
    await Promise.all([store.close(), other.close()]);
  });

  test("reports a file that is not a database and a missing folder", async () => {
    const path = join(folder, "note.txt");
    await writeFile(path, "this is no database, but long enough to be looked at as one".repeat(20));
    await away(open(path, 50));
    await away(open(join(folder, "no", "such", "folder.db"), 50));
    await expect(open(":memory:", 50)).rejects.toThrow(TypeError);
    await expect(open("", 50)).rejects.toThrow(TypeError);
  });

  test("reports a blob folder that cannot be used", async () => {
    const path = join(folder, "blobs.db");
    const store = await open(path, 50);
    await store.blobs.put("k", new Uint8Array(3));
    await rm(`${path}.blobs`, { recursive: true });
    await writeFile(`${path}.blobs`, "a file where the folder was");
    await away(store.blobs.put("k", new Uint8Array(4)));
    await rm(`${path}.blobs`);
    await mkdir(`${path}.blobs`);
    await store.blobs.put("k", new Uint8Array(4));
    expect((await store.blobs.get("k"))?.length).toBe(4);
    await store.close();
  });
});
