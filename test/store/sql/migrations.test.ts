/** Databases of other versions: older ones are updated, newer ones rejected, and no update is partial. */
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { collections } from "../../../src/store/collections.ts";
import type { CollectionTable } from "../../../src/store/definition.ts";
import type { Store } from "../../../src/store/port.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, thing } from "../../../src/testing/contract/probe.ts";
import { clientOf } from "../../support/client.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

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

/** Runs statements on a database past its store. */
async function pastStore<T>(
  engine: string,
  name: string,
  work: (run: (sql: string) => Promise<{ value?: string }[]>) => Promise<T>,
): Promise<T> {
  if (engine === "SQLite") {
    const database = new Libsql(join(folder, `${name}.db`));
    const run = async (sql: string) => {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all([]) as { value: string }[];
      statement.run([]);
      return [];
    };
    return work(run).finally(() => database.close());
  }
  const options = `-c search_path=${schemas.get(name)}`;
  const client = new pg.Client({ connectionString: postgresUrl, options });
  await client.connect();
  return work(async (sql) => (await client.query(sql)).rows).finally(() => client.end());
}

/** Makes of a database what an edgeproof of an older format would have left. */
async function asFormat(format: 1 | 2 | 3 | 4 | 5 | 6, engine: string, name: string): Promise<void> {
  await pastStore(engine, name, async (run) => {
    const [meta] = await run("select value from _meta where name = 'layout'");
    const layout = JSON.parse(meta!.value!);
    if (format < 3)
      for (const table of Object.values(layout.tables)) delete (table as { counted?: unknown }).counted;
    if (format < 5)
      for (const table of Object.values(layout.tables)) delete (table as { changes?: unknown }).changes;
    const value = JSON.stringify({ ...layout, format });
    await run("alter table _blobs drop column object");
    await run("drop table _objects");
    if (format < 6) await run("alter table _blobs drop column claims");
    if (format < 4) await run("alter table _blobs drop column checksums");
    if (format < 3) {
      await run("drop table _counts");
      await run("drop index _blobs_provisional");
      await run("alter table _blobs drop column provisional");
    }
    if (format < 2) await run("alter table _sequences drop column label");
    await run(`update _meta set value = '${value}' where name = 'layout'`);
  });
}

for (const [engine, make] of Object.entries(engines)) {
  describe.skipIf(engine === "PostgreSQL" && postgresUrl === undefined)(`a database of ${engine}`, () => {
    test("keeps its contents when it is opened again", async () => {
      const open = make("again");
      await using(open(newer), fill);
      await using(open(newer), async (store) => {
        expect(await store.read((tx) => tx.count("things", "s"))).toBe(1204);
        expect(await store.write((tx) => tx.insertMissing("things", [thing("t5")]))).toBe(0);
      });
    });

    test("of an older version is updated with new collections, fields and indexes, filled from its records", async () => {
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

    test("fills the index of a field that was not declared before", async () => {
      const open = make("indexed");
      const unindexed = { things: { fields: { name: "text" } } };
      await using(open(unindexed), fill);
      await using(open({ things: { ...unindexed.things, indexes: [["name"]] } }), async (store) => {
        const where = [{ field: "name", op: "eq", value: long }] as const;
        expect(await store.read((tx) => tx.count("things", "s", where))).toBe(1);
      });
    });

    test("of a newer version is rejected with advice and stays unchanged", async () => {
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

    test("of format 1 stores the names of its sequences", async () => {
      const open = make("first");
      const take = (name: string) =>
        using(open(older), (store) => store.write((tx) => tx.sequence("z\0", name, 5)));
      for (const name of ["plain", "\ud800 odd", long]) await take(name);
      await asFormat(1, engine, "first");
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

    test("of format 2 gets maintained counts, and its blobs count as claimed", async () => {
      const open = make("second");
      const counting = { ...newer, things: { ...newer.things, maintainedCounts: [["on"], ["on", "owner"]] } };
      const ask = (store: ProbeStore, where: Record<string, boolean | string | null>) =>
        store.read((tx) =>
          tx.count(
            "things",
            "s",
            Object.entries(where).map(([field, value]) => ({ field, op: "eq", value })),
          ),
        );
      await using(open(newer), async (store) => {
        await fill(store);
        await store.blobs.put("k", new Uint8Array(3));
      });
      await asFormat(2, engine, "second");
      await using(open(counting), async (store) => {
        expect(await ask(store, { on: true })).toBe(602);
        expect(await ask(store, { on: true, owner: null })).toBe(201);
        await store.write((tx) => tx.delete("things", "s", "t0"));
        expect(await ask(store, { on: true })).toBe(601);
        expect(await ask(store, { on: true, owner: null })).toBe(200);
        await store.write((tx) => tx.claimBlobs(["k"]));
      });
      await expect(open(newer)).rejects.toThrow("the count by on of `things`");
    });

    test("of format 3 keeps its blobs, which get a checksum when they are put again", async () => {
      const open = make("third");
      await using(open(newer), (store) => store.blobs.put("k", new Uint8Array(3)));
      await asFormat(3, engine, "third");
      await using(open(newer), async (store) => {
        expect((await store.blobs.get("k"))?.length).toBe(3);
        await store.blobs.put("k", new Uint8Array(4));
        expect((await store.blobs.get("k"))?.length).toBe(4);
      });
    });

    test("of format 4 counts changes from its update on", async () => {
      const open = make("fourth");
      const counting = { ...newer, things: { ...newer.things, changeCounters: ["on"] } };
      const changes = (store: ProbeStore) =>
        store.read((tx) => tx.changes("things", "s", "on", [true, false]));
      await using(open(newer), fill);
      await asFormat(4, engine, "fourth");
      await using(open(counting), async (store) => {
        expect(await changes(store)).toBe(0);
        await store.write((tx) => tx.delete("things", "s", "t0"));
        expect(await changes(store)).toBe(1);
      });
      await expect(open(newer)).rejects.toThrow("the count of changes by on of `things`");
    });

    test("of format 5 has one claim on each claimed blob, and none on others", async () => {
      const open = make("fifth");
      const keys = ["claimed", "put", "both"];
      await using(open(newer), async (store) => {
        for (const key of keys) await store.blobs.put(key, new Uint8Array(3));
        await store.write((tx) => tx.claimBlobs(["claimed", "both"]));
      });
      await asFormat(5, engine, "fifth");
      await using(open(newer), async (store) => {
        expect(await store.read((tx) => tx.countClaims(keys))).toEqual([1, 0, 1]);
        await store.write((tx) => tx.claimBlobs(["both"]));
        await store.write((tx) => tx.releaseBlobs(["claimed", "both"]));
        expect(await store.blobs.removeUnclaimed(0)).toBe(2);
        expect((await store.blobs.get("both"))?.length).toBe(3);
      });
    });

    test("of format 6 keeps its blobs and their claims", async () => {
      const open = make("sixth");
      await using(open(newer), async (store) => {
        await store.blobs.put("k", new Uint8Array(3));
        await store.write((tx) => tx.claimBlobs(["k"]));
      });
      await asFormat(6, engine, "sixth");
      await using(open(newer), async (store) => {
        expect((await store.blobs.get("k"))?.length).toBe(3);
        await store.blobs.put("k", new Uint8Array(4));
        expect((await store.blobs.get("k"))?.length).toBe(4);
        expect(await store.read((tx) => tx.countClaims(["k"]))).toEqual([1]);
      });
    });

    test("stays unchanged when the update fails", async () => {
      const open = make("stuck");
      await using(open(older), (store) =>
        store.write((tx) => tx.insertMissing("things", [thing("a"), thing("b", { name: "a" })])),
      );
      await expect(open(newer)).rejects.toThrow();
      await using(open(older), async (store) => {
        expect(await store.read((tx) => tx.count("things", "s"))).toBe(2);
      });
    });

    test("is set up once by ten stores that open it together", async () => {
      const open = make("together");
      const stores = await Promise.all(Array.from({ length: 10 }, () => open(newer)));
      const numbers = await Promise.all(stores.map((store) => store.write((tx) => tx.sequence("s", "n"))));
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      await Promise.all(stores.map((store) => store.close()));
    });
  });
}

describe("a store whose accounts and zones were stored before they could be removed", () => {
  const { removed_at: _account, ...accountFields } = collections.accounts.fields;
  const { removed_at: _zone, ...zoneFields } = collections.zones.fields;
  const before = {
    ...collections,
    accounts: { ...collections.accounts, fields: accountFields },
    zones: { ...collections.zones, fields: zoneFields },
  } as unknown as CollectionTable;
  const world = { accounts: [{ id: "a1" }], zones: [{ id: "z1", name: "example.com" }] };

  const kinds: Record<string, () => (table?: CollectionTable) => Promise<Store>> = {
    SQLite: () => {
      const path = join(folder, "listed.db");
      return (table) => openSqliteStore({ path, ...(table && { collections: table }) });
    },
    PostgreSQL: () => {
      const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
      return (table) => openPostgresStore({ ...place, ...(table && { collections: table }) });
    },
  };

  for (const [kind, make] of Object.entries(kinds)) {
    test.skipIf(kind === "PostgreSQL" && postgresUrl === undefined)(
      `opens in ${kind}, and its zones exist until a world removes them`,
      async () => {
        const open = make();
        const old = await open(before);
        await old.write(async (tx) => {
          await tx.insert("accounts", { scope: "world", id: "a1", name: "a1" });
          await tx.insert("zones", { scope: "world", id: "z1", name: "example.com", account_id: "a1" });
        });
        await old.close();
        const store = await open();
        const lines: string[] = [];
        const status = async (input: World) => {
          const edge = createEdge({ store, world: input, onNote: (line) => lines.push(line) });
          return (await clientOf(edge)("GET", "/zones/z1/token_validation/rules")).status;
        };
        expect([await status(world), lines]).toEqual([200, []]);
        expect([await status({ zones: [] }), lines.splice(0).length]).toEqual([404, 2]);
        expect([await status(world), lines.length]).toEqual([200, 1]);
        await store.close();
        await expect(open(before)).rejects.toThrow("the field `removed_at` of `accounts`");
      },
    );
  }
});

describe("a store of a version without pending lookbacks", () => {
  const { brand_logo_lookbacks: _, brand_domain_lookbacks: __, ...rest } = collections;
  const before = rest as unknown as CollectionTable;
  const path = join(folder, "lookbacks.db");
  const kinds: Record<string, () => (table?: CollectionTable) => Promise<Store>> = {
    SQLite: () => (table) => openSqliteStore({ path, ...(table && { collections: table }) }),
    PostgreSQL: () => {
      const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
      return (table) => openPostgresStore({ ...place, ...(table && { collections: table }) });
    },
  };
  const query = { query_id: 1, tag: "t", similarity_threshold: 1, uploaded_at: "", store_path: "k" };
  const parameters = { string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
  const times = { created: "", updated: "" };
  const domainQuery = { scope: "a", id: "1", query_id: 1, query_tag: "t", scan: false, ...times, parameters };
  const domains = [1, 2].map((n) => {
    return { scope: "a", id: `paypal-${n}.com`, domain_id: n, position: n, first_seen: n };
  });

  for (const [kind, make] of Object.entries(kinds)) {
    test.skipIf(kind === "PostgreSQL" && postgresUrl === undefined)(
      `keeps its queries in ${kind}, and stores lookbacks from its update on`,
      async () => {
        const open = make();
        const old = await open(before);
        const record = { scope: "a", id: "1", ...query, content_type: "image/png" };
        await old.write((tx) => tx.insert("brand_logo_queries", record));
        await old.write((tx) => tx.insert("brand_domain_queries", domainQuery));
        await old.write((tx) => tx.insertMissing("brand_domains", domains));
        await old.close();
        const store = await open();
        const lookback = { scope: "a", id: "1", before: 9, dense_from: 1, total: 8, searched: 0, dense: 0 };
        await store.write((tx) => tx.insert("brand_logo_lookbacks", lookback));
        expect(await store.read((tx) => tx.get("brand_logo_queries", "a", "1"))).toEqual(record);
        expect(await store.read((tx) => tx.get("brand_logo_lookbacks", "a", "1"))).toEqual(lookback);
        const edge = createEdge({ store, limits: { lookbackNamesAtOnce: 1 } });
        expect((await edge.brand.queries.list("a"))[0]?.lookback).toBeUndefined();
        const { lookback: started } = await edge.brand.queries.edit("a", "1", { search_lookback: true });
        expect(started).toEqual({ state: "pending", total: 2, searched: 0 });
        await edge.brand.logos.queries.delete("a", "1");
        await edge.settled();
        expect((await edge.brand.matches.list("a", { query_id: ["1"] })).total).toBe(2);
        await edge.close();
        await expect(open(before)).rejects.toThrow("the collection `brand_domain_lookbacks`");
      },
    );
  }
});

describe("a store of a version that numbered the rules of a zone from 1 without gaps", () => {
  const { maintainedCounts: _, ...configs } = collections.token_configs;
  const { maintainedCounts: __, ...rules } = collections.token_rules;
  const before = {
    ...collections,
    token_configs: configs,
    token_rules: { ...rules, indexes: [["position"]] },
  } as unknown as CollectionTable;
  const kinds: Record<string, () => (table?: CollectionTable) => Promise<Store>> = {
    SQLite: () => {
      const path = join(folder, "numbered.db");
      return (table) => openSqliteStore({ path, ...(table && { collections: table }) });
    },
    PostgreSQL: () => {
      const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
      return (table) => openPostgresStore({ ...place, ...(table && { collections: table }) });
    },
  };
  const rule = (i: number) => ({
    scope: "z1",
    id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    position: i,
    created_at: "2026-01-01T00:00:00.000000Z",
    last_updated: "2026-01-01T00:00:00.000000Z",
    title: `${i}`,
    description: "",
    action: "log" as const,
    enabled: i % 2 === 0,
    expression: 'http.request.method eq "GET"',
    selector: {},
  });

  for (const [kind, make] of Object.entries(kinds)) {
    test.skipIf(kind === "PostgreSQL" && postgresUrl === undefined)(
      `keeps their order in ${kind}, counts them, and moves them`,
      async () => {
        const open = make();
        const old = await open(before);
        await old.write((tx) => tx.insertMissing("token_rules", [4, 2, 5, 1, 3].map(rule)));
        await old.close();
        const store = await open();
        const client = clientOf(createEdge({ store }), "/zones/z1/token_validation/rules");
        const titles = async (query: string) => {
          const { result, result_info } = await client.ok("GET", query);
          return [result.map(({ title }: { title: string }) => title).join(""), result_info.total_count];
        };
        expect(await titles("")).toEqual(["12345", 5]);
        expect(await titles("?enabled=true&per_page=1&page=2")).toEqual(["4", 2]);
        await client.ok("PATCH", `/${rule(5).id}`, { position: { index: 2 } });
        await client.ok("PATCH", `/${rule(1).id}`, { position: { after: rule(3).id } });
        await client.ok("DELETE", `/${rule(2).id}`);
        const { scope, id, position, created_at, last_updated, ...body } = rule(6);
        await client.ok("POST", "", body);
        expect(await titles("")).toEqual(["53146", 5]);
        expect(await titles("?enabled=false")).toEqual(["531", 3]);
        await store.close();
        await expect(open(before)).rejects.toThrow("the count by");
      },
    );
  }
});
