/** Opens stores for tests and clears up after them. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll } from "vitest";

/** The database for test schemas; without it, the PostgreSQL tests are skipped with a warning. */
export const postgresUrl = process.env["EDGEPROOF_POSTGRES_URL"];

if (postgresUrl === undefined)
  console.warn("EDGEPROOF_POSTGRES_URL is not set: the tests of the PostgreSQL store are SKIPPED");

/** The same database without waiting for its disk, for tests that do not check durability. */
export function hasty(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}options=-c%20synchronous_commit%3Doff`;
}

/** A folder that is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns names of schemas that are dropped after the tests of the file. */
export function temporarySchemas(): () => string {
  const names: string[] = [];
  afterAll(async () => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    for (const name of names) await client.query(`drop schema if exists "${name}" cascade`);
    await client.end();
  });
  return () => {
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    names.push(name);
    return name;
  };
}
