/** Blobs that a process left when it died are removed in time, and none that a transaction has claimed or is to claim. */
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Libsql from "libsql";
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes } from "../../../src/testing/contract/probe.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";
import { agePostgres, ageSqlite } from "../sql/age.ts";

const collections = probes as CollectionTable;
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

interface Place {
  open(): Promise<ProbeStore>;
  /** Lets two days go by for what is not claimed. */
  age(): Promise<void>;
  /** The folder that blobs lie in. */
  readonly blobFolder?: string;
}

function postgresPlace(blobFolder?: string): Place {
  const schema = nextSchema();
  const options = { connectionString: hasty(postgresUrl!), schema, collections, maxConnections: 4 };
  return {
    ...(blobFolder !== undefined && { blobFolder }),
    open: async () =>
      (await openPostgresStore({ ...options, ...(blobFolder && { blobFolder }) })) as unknown as ProbeStore,
    age: () => agePostgres(schema),
  };
}

const places: Record<string, () => Place> = {
  SQLite: () => {
    const path = join(folder, `${randomUUID()}.db`);
    return {
      blobFolder: `${path}.blobs`,
      open: async () => (await openSqliteStore({ path, collections })) as unknown as ProbeStore,
      age: async () => ageSqlite(path),
    };
  },
  PostgreSQL: () => postgresPlace(),
  "PostgreSQL with a folder": () => postgresPlace(join(folder, randomUUID())),
};

async function keysOf(store: ProbeStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.blobs.keys()) keys.push(key);
  return keys;
}

/** Names of the files of blobs. */
async function filesIn(blobFolder: string | undefined): Promise<number> {
  if (blobFolder === undefined) return 0;
  const entries = await readdir(blobFolder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

for (const [name, make] of Object.entries(places)) {
  describe.skipIf(name !== "SQLite" && postgresUrl === undefined)(name, () => {
    const bytes = Uint8Array.of(1);

    test("removes blobs that were unclaimed for a day when it is opened, and keeps the rest", async () => {
      const { open, age, blobFolder } = make();
      const first = await open();
      for (const key of ["claimed", "released", "left"]) await first.blobs.put(key, bytes);
      await first.write((tx) => tx.claimBlobs(["claimed", "released"]));
      await first.write((tx) => tx.releaseBlobs(["released"]));
      await age();
      await first.blobs.put("young", bytes);
      await first.blobs.put("claimed", bytes);
      const second = await open();
      expect(await keysOf(first)).toEqual(["claimed", "young"]);
      if (blobFolder !== undefined) expect(await filesIn(blobFolder)).toBe(2);
      await expect(first.write((tx) => tx.claimBlobs(["left"]))).rejects.toThrow(
        "the blob `left` does not exist any more",
      );
      await first.write((tx) => tx.claimBlobs(["young"]));
      await age();
      await Promise.all([first.close(), second.close()]);
      const third = await open();
      expect(await keysOf(third)).toEqual(["claimed", "young"]);
      await third.close();
    });

    test("lets either a late claim or the removal win, never both", async () => {
      const { open, age, blobFolder } = make();
      const store = await open();
      const keys = Array.from({ length: 60 }, (_, i) => `k${String(i).padStart(2, "0")}`);
      await Promise.all(keys.map((key) => store.blobs.put(key, bytes)));
      await age();
      const claim = async (key: string) => {
        await store.write(async (tx) => {
          await tx.claimBlobs([key]);
          await tx.insert("labels", { scope: "s", id: key, text: key });
        });
      };
      const opened = Array.from({ length: 3 }, () => open());
      const claims = await Promise.allSettled(keys.map(claim));
      for (const other of await Promise.all(opened)) await other.close();
      const won = keys.filter((_, i) => claims[i]!.status === "fulfilled");
      expect(await keysOf(store)).toEqual(won);
      for (const key of won) expect(await store.blobs.get(key)).toBeDefined();
      expect((await store.read((tx) => tx.find("labels", "s"))).map((label) => label.id)).toEqual(won);
      if (blobFolder !== undefined) expect(await filesIn(blobFolder)).toBe(won.length);
      await store.close();
    });
  });
}

test.skipIf(process.platform === "win32")(
  "an interrupted removal is completed at the next start",
  async () => {
    const { open, age, blobFolder } = places["SQLite"]!();
    const store = await open();
    await store.blobs.put("k", Uint8Array.of(1));
    await age();
    await store.close();
    const database = new Libsql(blobFolder!.replace(/\.blobs$/, ""));
    database.exec("update _blobs set provisional = 0");
    const again = await open();
    expect(await keysOf(again)).toEqual([]);
    expect(await filesIn(blobFolder)).toBe(0);
    expect(database.prepare("select count(*) as count from _blobs").all([])).toEqual([{ count: 0 }]);
    database.close();
    await again.close();
  },
);
