/**
 * Listings and counts are the same with chunks of three rows (in PostgreSQL eight, since a statement takes longer) as with
 * thousands: the query cases of the contract with chunks that are hardly ever sufficient.
 */
import { join } from "node:path";
import Database from "libsql";
import ThreadedDatabase from "libsql/promise";
import pg from "pg";
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import type { Store } from "../../../src/store/port.ts";
import { folderBlobs } from "../../../src/store/sql/blobs/folder.ts";
import { tableBlobs } from "../../../src/store/sql/blobs/table.ts";
import type { SqlEngine } from "../../../src/store/sql/engines/engine.ts";
import { createPostgresEngine, poolConfig } from "../../../src/store/sql/engines/postgres-engine.ts";
import { createSqliteEngine } from "../../../src/store/sql/engines/sqlite-engine.ts";
import { openSqlStore } from "../../../src/store/sql/sql-store.ts";
import { mergedListCases } from "../../../src/testing/contract/merged-lists.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { queryCases } from "../../../src/testing/contract/queries.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const chunkRows = { SQLite: 3, PostgreSQL: 8 };
let files = 0;

/** Records the statements of reads. */
function recording(engine: SqlEngine, statements: string[]): SqlEngine {
  return {
    ...engine,
    read: (work) =>
      engine.read((run) =>
        work((statement) => {
          statements.push(statement.sql);
          return run(statement);
        }),
      ),
  };
}

const engines: Record<string, (table: CollectionTable, statements?: string[]) => Promise<Store>> = {
  SQLite: async (table, statements = []) => {
    const path = join(folder, `${files++}.db`);
    const engine = await createSqliteEngine(
      { Database, ThreadedDatabase },
      { path, create: true, lockWaitMs: 1000 },
    );
    return openSqlStore(recording(engine, statements), table, folderBlobs(`${path}.blobs`), chunkRows.SQLite);
  },
  PostgreSQL: async (table, statements = []) => {
    const schema = nextSchema();
    const pool = () =>
      new pg.Pool(
        poolConfig({
          connectionString: hasty(postgresUrl!),
          maxConnections: 4,
          connectTimeoutMs: 5000,
          statementTimeoutMs: 30_000,
          lockTimeoutMs: 250,
        }),
      );
    const engine = createPostgresEngine(pool(), pool(), { schema, conflictMs: 10_000 });
    return openSqlStore(recording(engine, statements), table, tableBlobs, chunkRows.PostgreSQL);
  },
};

for (const [name, open] of Object.entries(engines)) {
  describe.skipIf(name === "PostgreSQL" && postgresUrl === undefined)(name, () => {
    for (const { name: title, run } of [...queryCases, ...mergedListCases])
      test(title, () => expect(run((table) => open(table))).resolves.toBeUndefined());

    test("a query within one chunk takes one statement", async () => {
      const statements: string[] = [];
      const store = (await open(probes as CollectionTable, statements)) as unknown as ProbeStore;
      const things = Array.from({ length: 10 }, (_, i) => thing(`t${i}`, { rank: i, on: i > 2 }));
      await store.write((tx) => tx.insertMissing("things", things));
      const statementsOf = async (work: Parameters<ProbeStore["read"]>[0]) => {
        statements.length = 0;
        await store.read(work);
        return statements.length;
      };
      const order = [{ field: "rank", direction: "asc" }] as const;
      expect(await statementsOf((tx) => tx.find("things", "s", { order, limit: 5 }))).toBe(1);
      expect(await statementsOf((tx) => tx.find("things", "s", { order, limit: 5, offset: 3 }))).toBe(1);
      expect(await statementsOf((tx) => tx.find("things", "s", { order, limit: 5, after: [2, "t2"] }))).toBe(
        1,
      );
      expect(
        await statementsOf((tx) => tx.count("things", "s", [{ field: "on", op: "eq", value: true }])),
      ).toBe(1);
      expect(
        await statementsOf((tx) => tx.find("things", "s", { order, limit: 1, offset: 9 })),
      ).toBeGreaterThan(1);
      expect(await statementsOf((tx) => tx.count("things", "s"))).toBe(1);
      expect(
        await statementsOf((tx) => tx.count("things", "s", [{ field: "rank", op: "gte", value: 0 }])),
      ).toBeGreaterThan(1);
      await store.close();
    });
  });
}
