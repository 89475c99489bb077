/** Makes unclaimed blobs two days older. */
import Libsql from "libsql";
import pg from "pg";
import { postgresUrl } from "../open.ts";

const older = "update _blobs set provisional = provisional - 172800000 where provisional > 0";

export function ageSqlite(path: string): void {
  const database = new Libsql(path);
  database.exec(older);
  database.close();
}

export async function agePostgres(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
  await client.connect();
  await client.query(older);
  await client.end();
}
