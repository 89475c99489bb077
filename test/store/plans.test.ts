/** Lists enter an index at their place, whatever the size of the collection: the plans of both engines say so. */
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlainQuery } from "../../src/store/checks.ts";
import { type CollectionTable, plainDefinitions } from "../../src/store/definition.ts";
import { createPostgresDialect, createSqliteDialect } from "../../src/store/sql/dialects.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { createStatements } from "../../src/store/sql/statements.ts";
import type { ProbeStore } from "../../src/testing/store-contract/probe.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "./open.ts";

/** What a feed of matches may look like. */
const table = {
  matches: {
    fields: { query: "text", domain: "text", seen: "number", dismissed: "boolean", creator: "text?" },
    unique: [["query", "domain"]],
    indexes: [["query", "-seen"], ["query", "dismissed", "-seen"], ["creator", "seen"], ["seen"]],
  },
} as CollectionTable;
const definition = plainDefinitions(table).get("matches")!;
const scopes = 10;
const size = 20_000;

const match = (i: number) => ({
  scope: `account${i % scopes}`,
  id: String(i).padStart(6, "0"),
  query: `q${Math.floor(i / scopes) % 3}`,
  domain: `d${i}.example`,
  seen: Math.floor(i / 100),
  dismissed: i % 7 === 0,
  creator: i % 5 ? `c${i % 5}` : null,
});

const ofQuery = { field: "query", op: "eq", value: "q1" } as const;
const newest = { field: "seen", direction: "desc" } as const;

const lists: Record<string, PlainQuery> = {
  "the first page of a query, newest first": { where: [ofQuery], order: [newest], limit: 50 },
  "a page behind a place": { where: [ofQuery], order: [newest], limit: 50, after: [100, "010000"] },
  "undismissed ones of a query": {
    where: [ofQuery, { field: "dismissed", op: "eq", value: false }],
    order: [newest],
    limit: 50,
  },
  "those of a creator": {
    where: [{ field: "creator", op: "eq", value: "c1" }],
    order: [{ field: "seen", direction: "asc" }],
    limit: 50,
  },
  "all in ascending order, behind a place": {
    order: [{ field: "seen", direction: "asc" }],
    limit: 50,
    after: [199, "000001"],
  },
  "all in descending order, ids too": {
    order: [newest, { field: "id", direction: "desc" }],
    limit: 50,
    after: [199, "000001"],
  },
  "those seen since": {
    where: [ofQuery, { field: "seen", op: "gte", value: 20 }],
    order: [newest],
    limit: 50,
  },
  "without an order, behind an id": { limit: 50, after: ["019000"] },
  "by id": { where: [{ field: "id", op: "in", value: ["000001", "000011"] }] },
  "by domain": { where: [ofQuery, { field: "domain", op: "eq", value: "d11.example" }] },
};

async function fill(store: ProbeStore): Promise<void> {
  const all = Array.from({ length: size }, (_, i) => match(i));
  await store.write((tx) => tx.insertMissing("matches" as never, all as never));
  await store.close();
}

describe("plans of SQLite", async () => {
  const path = join(await temporaryFolder(), "plans.db");
  const statements = createStatements(definition, createSqliteDialect());
  let database: InstanceType<typeof Libsql>;
  beforeAll(async () => {
    await fill((await openSqliteStore({ path, collections: table })) as unknown as ProbeStore);
    database = new Libsql(path);
  });
  afterAll(() => database.close());

  const planOf = (query: PlainQuery): string => {
    const { sql, parameters } = statements.find("account1", query);
    const rows = database.prepare(`explain query plan ${sql}`).all([...parameters]) as { detail: string }[];
    return rows.map((row) => row.detail).join("\n");
  };

  for (const [name, query] of Object.entries(lists))
    test(`${name}: a search in an index, nothing sorted`, () => {
      expect(planOf(query)).toMatch(/SEARCH matches USING INDEX/);
      expect(planOf(query)).not.toMatch(/SCAN matches|TEMP B-TREE/);
    });

  test("the test sees a list that has no index", () => {
    expect(planOf({ order: [{ field: "domain", direction: "asc" }], limit: 50 })).toContain("TEMP B-TREE");
  });
});

describe.skipIf(postgresUrl === undefined)("plans of PostgreSQL", () => {
  const schema = postgresUrl === undefined ? "" : temporarySchemas()();
  const statements = createStatements(definition, createPostgresDialect(schema));
  const client = new pg.Client({ connectionString: postgresUrl });
  beforeAll(async () => {
    const options = { connectionString: hasty(postgresUrl!), schema, collections: table };
    await fill((await openPostgresStore(options)) as unknown as ProbeStore);
    await client.connect();
    await client.query(`analyze "${schema}".matches`);
  });
  afterAll(() => client.end());

  const planOf = async (query: PlainQuery): Promise<string> => {
    const { sql, parameters } = statements.find("account1", query);
    const { rows } = await client.query(`explain ${sql}`, [...parameters]);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };

  for (const [name, query] of Object.entries(lists))
    test(`${name}: an index, and no more sorted than ties and what was looked up by id`, async () => {
      const plan = await planOf(query);
      expect(plan).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
      expect(plan).not.toMatch(/Seq Scan/);
      if (query.limit !== undefined) expect(plan).not.toMatch(/^\s*(->)?\s*Sort /m);
    });

  test("the test sees a list that has no index", async () => {
    expect(await planOf({ order: [{ field: "domain", direction: "asc" }], limit: 50 })).toMatch(/Sort /);
  });
});
