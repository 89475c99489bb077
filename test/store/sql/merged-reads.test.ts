/** A page of merged lists reads again only the lists that run short, and the records by the keys of their rows. */
import { join } from "node:path";
import Libsql from "libsql";
import ThreadedDatabase from "libsql/promise";
import { expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { folderBlobs } from "../../../src/store/sql/blobs/folder.ts";
import type { SqlEngine, Statement } from "../../../src/store/sql/engines/engine.ts";
import { createSqliteEngine } from "../../../src/store/sql/engines/sqlite-engine.ts";
import { openSqlStore } from "../../../src/store/sql/sql-store.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { temporaryFolder } from "../open.ts";

test("one list with all of the first records is read again without the others", async () => {
  const path = join(await temporaryFolder(), "merged.db");
  const engine = await createSqliteEngine(
    { Database: Libsql, ThreadedDatabase },
    { path, create: true, lockWaitMs: 1000 },
  );
  const statements: Statement[] = [];
  const recording: SqlEngine = {
    ...engine,
    read: (work) =>
      engine.read((run) =>
        work((statement) => {
          statements.push(statement);
          return run(statement);
        }),
      ),
  };
  const opened = await openSqlStore(
    recording,
    probes as CollectionTable,
    folderBlobs(`${path}.blobs`),
    1_000,
  );
  const store = opened as unknown as ProbeStore;
  const owners = Array.from({ length: 20 }, (_, i) => `owner${i}`);
  const things = Array.from({ length: 400 }, (_, i) =>
    thing(`t${i}`, { rank: i, owner: i < 200 ? "owner0" : (owners[i % 20] ?? "") }),
  );
  await store.write((tx) => tx.insertMissing("things", things));

  statements.length = 0;
  const where = [{ field: "owner", op: "in", value: owners }] as const;
  const order = [{ field: "rank", direction: "asc" }] as const;
  const found = await store.read((tx) => tx.find("things", "s", { where, order, limit: 100 }));
  expect(found.map(({ rank }) => rank)).toEqual(Array.from({ length: 100 }, (_, i) => i));

  const heads = statements.filter(({ sql }) => sql.includes("json_group_array"));
  const listsOf = ({ parameters }: Statement) =>
    parameters.filter((value) => typeof value === "string" && value.startsWith("[")).at(-1);
  expect(heads.map(listsOf)).toEqual([JSON.stringify(owners), '["owner0"]']);
  const [records, ...others] = statements.filter((statement) => !heads.includes(statement));
  expect(others).toEqual([]);
  expect(records?.sql).toContain('"rowid" in');
  const plan = new Libsql(path).prepare(`explain query plan ${records?.sql}`).all(records?.parameters);
  expect(JSON.stringify(plan)).toContain("USING INTEGER PRIMARY KEY");
  await store.close();
});
