/** Lists enter an index at their position, whatever the size of the collection: checked by the plans of both engines. */
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlainCondition, PlainQuery } from "../../../src/store/argument-checks.ts";
import { type CollectionTable, plainDefinitions } from "../../../src/store/definition.ts";
import { createPostgresDialect, createSqliteDialect } from "../../../src/store/sql/engines/dialects.ts";
import type { Statement } from "../../../src/store/sql/engines/engine.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import type { ProbeStore } from "../../../src/testing/contract/probe.ts";
import { statementsOfCount, statementsOfFind, statementsOfPositions } from "../listings.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

/** A collection like the matches of a feed. */
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
  "a page after a position": { where: [ofQuery], order: [newest], limit: 50, after: [100, "010000"] },
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
  "all in ascending order, after a position": {
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
  "without an order, after an id": { limit: 50, after: ["019000"] },
  "by id": { where: [{ field: "id", op: "in", value: ["000001", "000011"] }] },
  "by domain": { where: [ofQuery, { field: "domain", op: "eq", value: "d11.example" }] },
};

/** Counts that are not maintained. */
const counts: Record<string, PlainCondition[]> = {
  "all of a query": [ofQuery],
  "undismissed ones of a query, by a part of the domain": [
    ofQuery,
    { field: "dismissed", op: "eq", value: false },
    { field: "domain", op: "contains", value: "1.ex" },
  ],
  everything: [],
  "those seen since": [{ field: "seen", op: "gte", value: 1 }],
};

async function fill(store: ProbeStore): Promise<void> {
  const all = Array.from({ length: size }, (_, i) => match(i));
  await store.write((tx) => tx.insertMissing("matches" as never, all as never));
  await store.close();
}

describe("plans of SQLite", async () => {
  const path = join(await temporaryFolder(), "plans.db");
  const listed = { definition, dialect: createSqliteDialect(), scope: "account1" };
  let database: InstanceType<typeof Libsql>;
  beforeAll(async () => {
    await fill((await openSqliteStore({ path, collections: table })) as unknown as ProbeStore);
    database = new Libsql(path);
  });
  afterAll(() => database.close());

  const explain = ({ sql, parameters }: Statement): string => {
    const rows = database.prepare(`explain query plan ${sql}`).all([...parameters]) as { detail: string }[];
    return rows.map((row) => row.detail).join("\n");
  };
  const plansOf = async (query: PlainQuery) => (await statementsOfFind(listed, query)).map(explain);

  for (const [name, query] of Object.entries(lists))
    test(`${name}: searches an index and sorts nothing`, async () => {
      const plans = await plansOf(query);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(plan).toMatch(/SEARCH matches USING (COVERING )?INDEX/);
        expect(plan).not.toMatch(/SCAN matches|TEMP B-TREE/);
      }
    });

  for (const [name, where] of Object.entries(counts))
    test(`${name}: every chunk is a search in an index`, async () => {
      const plans = (await statementsOfCount(listed, where)).map(explain);
      expect(plans.length).toBeGreaterThan(2);
      for (const plan of plans) {
        expect(plan).toMatch(/SEARCH matches USING (COVERING )?INDEX/);
        expect(plan).not.toMatch(/SCAN matches|TEMP B-TREE/);
      }
    });

  test("a count with a bound enters an index at the bound, then at the end of each chunk", async () => {
    const plans = (await statementsOfCount(listed, counts["those seen since"]!)).map(explain);
    const [first, ...later] = plans.map((plan) => /INDEX matches_seen_id \(.*\)/.exec(plan)?.[0]);
    const at = "INDEX matches_seen_id (scope=? AND (seen,id)>(?,?))";
    expect(first).toBe("INDEX matches_seen_id (scope=? AND seen>?)");
    expect(new Set(later)).toEqual(new Set([first, at]));
  });

  test("positions after a position are read from the index alone, which is entered there", async () => {
    const query = lists["all in ascending order, after a position"]!;
    const plans = (await statementsOfPositions(listed, query)).map(explain);
    expect(plans).toEqual([
      expect.stringMatching(/COVERING INDEX \S+ \(scope=\? AND \(seen,id\)>\(\?,\?\)\)$/),
    ]);
  });

  test("the check detects a list without an index", async () => {
    const [plan] = await plansOf({ order: [{ field: "domain", direction: "asc" }], limit: 50 });
    expect(plan).toContain("TEMP B-TREE");
  });
});

describe.skipIf(postgresUrl === undefined)("plans of PostgreSQL", () => {
  const schema = postgresUrl === undefined ? "" : temporarySchemas()();
  const listed = { definition, dialect: createPostgresDialect(schema), scope: "account1" };
  const client = new pg.Client({ connectionString: postgresUrl });
  beforeAll(async () => {
    const options = { connectionString: hasty(postgresUrl!), schema, collections: table };
    await fill((await openPostgresStore(options)) as unknown as ProbeStore);
    await client.connect();
    // With little data, sorting is faster. The check is whether an index makes it unnecessary.
    await client.query("set enable_sort = off; set enable_bitmapscan = off");
    await client.query(`analyze "${schema}".matches`);
  });
  afterAll(() => client.end());

  const explain = async ({ sql, parameters }: Statement): Promise<string> => {
    const { rows } = await client.query(`explain ${sql}`, [...parameters]);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };

  for (const [name, query] of Object.entries(lists))
    test(`${name}: uses an index and sorts only ties and records that are looked up by id`, async () => {
      for (const statement of await statementsOfFind(listed, query)) {
        const plan = await explain(statement);
        expect(plan).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
        expect(plan).not.toMatch(/Seq Scan/);
        if (query.limit !== undefined) expect(plan).not.toMatch(/^\s*(->)?\s*Sort /m);
      }
    });

  for (const [name, where] of Object.entries(counts))
    test(`${name}: every chunk uses an index`, async () => {
      for (const statement of await statementsOfCount(listed, where)) {
        const plan = await explain(statement);
        expect(plan).toMatch(/Index (Only )?Scan/);
        expect(plan).not.toMatch(/Seq Scan|^\s*(->)?\s*Sort /m);
      }
    });

  test("the check detects a list without an index", async () => {
    const query = { order: [{ field: "domain", direction: "asc" }], limit: 50 } as const;
    expect(await explain((await statementsOfFind(listed, query))[0]!)).toMatch(/Sort /);
  });
});
