/** The lists of the interface enter an index of the real collections: checked by the plans of both engines. */
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlainQuery } from "../../src/store/argument-checks.ts";
import { collections } from "../../src/store/collections.ts";
import { plainDefinitions } from "../../src/store/definition.ts";
import { maintainedCountFor } from "../../src/store/maintained-counts.ts";
import type { Store } from "../../src/store/port.ts";
import { createPostgresDialect, createSqliteDialect } from "../../src/store/sql/engines/dialects.ts";
import type { SqlDialect } from "../../src/store/sql/engines/engine.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { statementsOfFind } from "./listings.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "./open.ts";

const size = 20_000;
const account = "account1";
const definitions = plainDefinitions(collections);

const match = (i: number) => ({
  scope: `account${i % 4}`,
  id: `d${i}.example ${1 + (Math.floor(i / 4) % 3)}`,
  match_id: i,
  query_id: 1 + (Math.floor(i / 4) % 3),
  domain_id: i,
  domain: `d${i}.example`,
  first_seen: Math.floor(i / 50),
  registrar: `r${i % 20}`,
  dismissed: i % 100 >= 4,
});

const image = (i: number) => ({
  scope: `account${i % 4}`,
  id: `i${i}`,
  sequence: i,
  uploaded: new Date(1_700_000_000_000 + Math.floor(i / 10) * 1000).toISOString(),
  draft: i % 100 === 0,
  creator: i % 50 > 3 ? `c${i % 9}` : null,
  requireSignedURLs: false,
  upload_token: null,
  expires_at: null,
});

async function fill(store: Store): Promise<void> {
  const all = Array.from({ length: size }, (_, i) => i);
  await store.write(async (tx) => {
    await tx.insertMissing("brand_domain_matches", all.map(match) as never);
    await tx.insertMissing("images", all.map(image) as never);
  });
  await store.close();
}

const ofQuery = { field: "query_id", op: "eq", value: 1 } as const;
const shown = { field: "dismissed", op: "eq", value: false } as const;
const part = { field: "domain", op: "contains", value: "77" } as const;
const ordered = (field: string, direction: "asc" | "desc") => [{ field, direction }];
const stored = { field: "draft", op: "eq", value: false } as const;
const by = (direction: "asc" | "desc") =>
  [
    { field: "uploaded", direction },
    { field: "sequence", direction },
  ] as const;
const place = [new Date(1_700_001_000_000).toISOString(), 10_001, "\u{10ffff}"];

/** The queries of the services (`service/brand/domains/domain-matches.ts`, `service/images/listing/listing.ts`). */
interface List {
  readonly collection: string;
  readonly query: PlainQuery;
}

const lists: Record<string, List> = {
  "matches of a query, newest first": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery], order: ordered("first_seen", "desc"), limit: 50 },
  },
  "matches of a query, oldest first": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery], order: ordered("first_seen", "asc"), limit: 50 },
  },
  "matches that are not dismissed": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery, shown], order: ordered("first_seen", "desc"), limit: 50 },
  },
  "matches that are not dismissed, oldest first": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery, shown], order: ordered("first_seen", "asc"), limit: 50 },
  },
  "matches by domain": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery, shown], order: ordered("domain", "asc"), limit: 50 },
  },
  "matches by registrar": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery], order: ordered("registrar", "asc"), limit: 50 },
  },
  "matches that are not dismissed, by registrar, backwards": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery, shown], order: ordered("registrar", "desc"), limit: 50 },
  },
  "matches after a position, as lists over several queries are merged": {
    collection: "brand_domain_matches",
    query: {
      where: [ofQuery, shown],
      order: ordered("first_seen", "desc"),
      limit: 50,
      after: [200, "d10000.example 1"],
    },
  },
  "matches by a substring of the domain": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery, shown, part], order: ordered("first_seen", "desc"), limit: 50 },
  },
  "matches at a deep offset": {
    collection: "brand_domain_matches",
    query: { where: [ofQuery], order: ordered("first_seen", "desc"), limit: 50, offset: 900_000 },
  },
  "matches by domain, as for the update of a query": {
    collection: "brand_domain_matches",
    query: {
      where: [ofQuery],
      order: [{ field: "domain", direction: "asc" }],
      limit: 500,
      after: ["d1", "d1 1"],
    },
  },
  "images, newest first": { collection: "images", query: { where: [stored], order: by("desc"), limit: 100 } },
  "images after a continuation token": {
    collection: "images",
    query: { where: [stored], order: by("desc"), limit: 101, after: place },
  },
  "images after a continuation token, oldest first": {
    collection: "images",
    query: { where: [stored], order: by("asc"), limit: 101, after: place },
  },
  "images of a creator": {
    collection: "images",
    query: { where: [stored, { field: "creator", op: "eq", value: "c1" }], order: by("desc"), limit: 100 },
  },
  "images without a creator": {
    collection: "images",
    query: { where: [stored, { field: "creator", op: "eq", value: null }], order: by("desc"), limit: 100 },
  },
};

function statementsOf(dialect: SqlDialect, name: string) {
  const { collection, query } = lists[name]!;
  return statementsOfFind({ definition: definitions.get(collection)!, dialect, scope: account }, query);
}

/** The filtered rows of a chunk may be sorted again. */
const outer = /SCAN chunk\n.*ORDER BY/;

/** The fields that the conditions of a list equate. */
const equated = (name: string) => lists[name]!.query.where!.filter((c) => c.op === "eq").map((c) => c.field);

describe("SQLite", async () => {
  const path = join(await temporaryFolder(), "lists.db");
  let database: InstanceType<typeof Libsql>;
  beforeAll(async () => {
    await fill(await openSqliteStore({ path }));
    database = new Libsql(path);
  });
  afterAll(() => database.close());

  test.each(Object.keys(lists))(
    "%s: uses an index with every equated field and sorts only ties",
    async (name) => {
      for (const { sql, parameters } of await statementsOf(createSqliteDialect(), name)) {
        const rows = database.prepare(`explain query plan ${sql}`).all([...parameters]) as {
          detail: string;
        }[];
        const plan = rows.map((row) => row.detail).join("\n");
        expect(plan).toMatch(/SEARCH \w+ USING (COVERING )?INDEX/);
        for (const field of equated(name)) expect(plan).toContain(`${field}=?`);
        // Many matches can tie; images cannot.
        if (name.startsWith("matches")) expect(plan.replace(outer, "")).not.toContain("TEMP B-TREE");
        expect(plan.replace(outer, "")).not.toMatch(/SCAN (images|brand)|TEMP B-TREE FOR ORDER BY$/m);
      }
    },
  );
});

describe.skipIf(postgresUrl === undefined)("PostgreSQL", () => {
  const schema = postgresUrl === undefined ? "" : temporarySchemas()();
  const client = new pg.Client({ connectionString: postgresUrl });
  beforeAll(async () => {
    await fill(await openPostgresStore({ connectionString: hasty(postgresUrl!), schema }));
    await client.connect();
    // With little data, sorting is faster. The check is whether an index makes it unnecessary.
    await client.query("set enable_sort = off; set enable_bitmapscan = off");
    await client.query(`analyze "${schema}".images`);
    await client.query(`analyze "${schema}".brand_domain_matches`);
  });
  afterAll(() => client.end());

  test.each(Object.keys(lists))(
    "%s: uses an index with every equated field and sorts only ties",
    async (name) => {
      for (const { sql, parameters } of await statementsOf(createPostgresDialect(schema), name)) {
        const { rows } = await client.query(`explain ${sql}`, [...parameters]);
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        expect(plan).toMatch(/Index (Only )?Scan/);
        const [, condition] = /Index Cond: (.*)/.exec(plan)!;
        // After the greatest possible id, the range of ids alone is empty.
        if (!condition!.includes("(id >"))
          for (const field of equated(name)) expect(condition).toContain(field);
        const indexed = plan.slice(plan.indexOf("Subquery Scan") + 1);
        expect(indexed).not.toMatch(/Seq Scan|^\s*(->)?\s*Sort\s+\(cost/m);
        if (name.startsWith("matches")) expect(indexed).not.toContain("Incremental Sort");
      }
    },
  );
});

test.each(Object.keys(lists))("%s: how many there are is kept", (name) => {
  const { collection, query } = lists[name]!;
  const where = query.where!.filter((c) => c.op !== "contains");
  expect(maintainedCountFor(definitions.get(collection)!, where)).toBeDefined();
});
