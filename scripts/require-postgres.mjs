/** Fails loudly when the database that the tests are to use is not there. */
import pg from "pg";

const url = process.env.EDGEPROOF_POSTGRES_URL;
const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
try {
  await client.connect();
  await client.query("select 1");
  await client.end();
} catch (error) {
  console.error(`PostgreSQL is not reachable at ${url}: ${error.message}`);
  process.exit(1);
}
