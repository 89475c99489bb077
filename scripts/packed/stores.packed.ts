/** The contract of stores, held by the stores in databases beside the installed version of kysely. */
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "edgeproof/stores/postgres";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import { storeContract } from "edgeproof/testing/stores";
import pg from "pg";
import { afterAll, describe, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "edgeproof-stores-"));

describe("SQLite", () => {
  test.each(storeContract)("$name", ({ run }) =>
    run((collections) => openSqliteStore({ path: join(folder, `${randomUUID()}.db`), collections })),
  );
});

const connectionString = process.env["EDGEPROOF_POSTGRES_URL"];

describe.skipIf(connectionString === undefined)("PostgreSQL", () => {
  const schemas: string[] = [];
  afterAll(async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    for (const schema of schemas) await client.query(`drop schema if exists "${schema}" cascade`);
    await client.end();
  });

  test.each(storeContract)("$name", ({ run }) =>
    run((collections) => {
      const schema = `packed_${randomUUID().replaceAll("-", "")}`;
      schemas.push(schema);
      return openPostgresStore({ connectionString: connectionString ?? "", schema, collections });
    }),
  );
});
