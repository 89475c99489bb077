/** Databases of other versions: older ones are brought up to date, newer ones refused, and nothing is half done. */
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../src/store/definition.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { type ProbeStore, thing } from "../../src/testing/store-contract/probe.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "./open.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
type OpenAs = (table: object) => Promise<ProbeStore>;

/** The schemas of PostgreSQL by the name that a test gave. */
const schemas = new Map<string, string>();

const engines: Record<string, (name: string) => OpenAs> = {
  SQLite: (name) => async (table) => {
    const options = { path: join(folder, `${name}.db`), collections: table as CollectionTable };
    return (await openSqliteStore(options)) as unknown as ProbeStore;
  },
  PostgreSQL: (name) => {
    const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
    schemas.set(name, place.schema);
    return async (table) =>
      (await openPostgresStore({ ...place, collections: table as CollectionTable })) as unknown as ProbeStore;
  },
};

const older = { things: { fields: { rank: "number" } } };
const newer = {
  things: {
    fields: { rank: "number", name: "text", on: "boolean", owner: "text?" },
    unique: [["name"]],
    indexes: [["rank"], ["on", "-rank"]],
  },
  labels: { fields: { text: "text" }, unique: [["text"]] },
};
const long = `${"é".repeat(3000)}!`;

async function using<T>(opening: Promise<ProbeStore>, work: (store: ProbeStore) => Promise<T>): Promise<T> {
  const store = await opening;
  return work(store).finally(() => store.close());
}

const fill = (store: ProbeStore) =>
  store.write((tx) =>
    tx.insertMissing("things", [
      ...Array.from({ length: 1203 }, (_, i) =>
        thing(`t${i}`, { rank: i, on: i % 2 === 0, owner: i % 3 ? "o" : null }),
      ),
      thing("long", { name: long, rank: -1 }),
      { ...thing("a\0b"), scope: "other" },
    ]),
  );

/** Makes of a database what an edgeproof of the first format would have left. */
async function asFirstFormat(engine: string, name: string): Promise<void> {
  const statements = [
    "alter table _sequences drop column label",
    `update _meta set value = replace(value, '"format":2', '"format":1')`,
  ];
  if (engine === "SQLite") {
    const database = new Libsql(join(folder, `${name}.db`));
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const options = `-c search_path=${schemas.get(name)}`;
  const client = new pg.Client({ connectionString: postgresUrl, options });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

for (const [engine, make] of Object.entries(engines)) {
  describe.skipIf(engine === "PostgreSQL" && postgresUrl === undefined)(`a database of ${engine}`, () => {
    test("keeps what is in it when it is opened again", async () => {
      const open = make("again");
      await using(open(newer), fill);
      await using(open(newer), async (store) => {
        expect(await store.read((tx) => tx.count("things", "s"))).toBe(1204);
        expect(await store.write((tx) => tx.insertMissing("things", [thing("t5")]))).toBe(0);
      });
    });

    test("of an older version gets new collections, fields and indexes, filled from its records", async () => {
      const open = make("older");
      await using(open(older), fill);
      await using(open(newer), async (store) => {
        const ids = async (field: string, value: string | boolean | null) =>
          (await store.read((tx) => tx.find("things", "s", { where: [{ field, op: "eq", value }] }))).map(
            (t) => t.id,
          );
        expect(await ids("name", "t77")).toEqual(["t77"]);
        expect(await ids("name", long)).toEqual(["long"]);
        expect((await ids("on", true)).length).toBe(602);
        expect((await ids("owner", null)).length).toBe(402);
        await store.write((tx) => tx.insert("labels", { scope: "s", id: "1", text: "new" }));
        const twin = store.write((tx) => tx.insert("things", thing("twin", { name: "t5" })));
        await expect(twin).rejects.toMatchObject({ name: "UniqueViolationError", fields: ["name"] });
      });
    });

    test("gets a field into an index that was only kept before", async () => {
      const open = make("indexed");
      const unindexed = { things: { fields: { name: "text" } } };
      await using(open(unindexed), fill);
      await using(open({ things: { ...unindexed.things, indexes: [["name"]] } }), async (store) => {
        const where = [{ field: "name", op: "eq", value: long }] as const;
        expect(await store.read((tx) => tx.count("things", "s", where))).toBe(1);
      });
    });

    test("of a newer version is refused with a word on what to do, and left as it is", async () => {
      const open = make("newer");
      await using(open(newer), fill);
      await expect(open(older)).rejects.toThrow(/written by a newer edgeproof .*update edgeproof/);
      const noUnique = { ...newer, labels: { fields: { text: "text" } } };
      await expect(open(noUnique)).rejects.toThrow("the unique index `labels_text_key`");
      const otherKind = { ...newer, labels: { fields: { text: "number" } } };
      await expect(open(otherKind)).rejects.toThrow("the field `text` of `labels`");
      await using(open(newer), async (store) => {
        expect(await store.read((tx) => tx.count("things", "s"))).toBe(1204);
      });
    });

    test("of the first format learns the names of its sequences", async () => {
      const open = make("first");
      const take = (name: string) =>
        using(open(older), (store) => store.write((tx) => tx.sequence("z\0", name, 5)));
      for (const name of ["plain", "\ud800 odd", long]) await take(name);
      await asFirstFormat(engine, "first");
      await using(open(older), async (store) => {
        // SQLite cuts nothing.
        const listed = store.read((tx) => tx.sequences());
        if (engine === "PostgreSQL") await expect(listed).rejects.toThrow("was cut");
        else expect(await listed).toHaveLength(3);
        expect(await store.write((tx) => tx.sequence("z\0", long))).toBe(6);
        const names = (await store.read((tx) => tx.sequences())).map((s) => [s.scope, s.name, s.last]);
        expect(names).toHaveLength(3);
        expect(names).toEqual(
          expect.arrayContaining([
            ["z\0", "plain", 5],
            ["z\0", "\ud800 odd", 5],
            ["z\0", long, 6],
          ]),
        );
      });
    });

    test("is left as it was when it cannot be brought up to date", async () => {
      const open = make("stuck");
      await using(open(older), (store) =>
        store.write((tx) => tx.insertMissing("things", [thing("a"), thing("b", { name: "a" })])),
      );
      await expect(open(newer)).rejects.toThrow();
      await using(open(older), async (store) => {
        expect(await store.read((tx) => tx.count("things", "s"))).toBe(2);
      });
    });

    test("is set up once by ten that open it together", async () => {
      const open = make("together");
      const stores = await Promise.all(Array.from({ length: 10 }, () => open(newer)));
      const numbers = await Promise.all(stores.map((store) => store.write((tx) => tx.sequence("s", "n"))));
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      await Promise.all(stores.map((store) => store.close()));
    });
  });
}
