/**
 * Stores with a bucket keep the contract: all of it in SQLite; in PostgreSQL the cases with blobs and transactions, since
 * the others are those of the store without a bucket.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { blobCases } from "../../../src/testing/contract/blobs.ts";
import { storeContract } from "../../../src/testing/contract/store-contract.ts";
import { transactionCases } from "../../../src/testing/contract/transactions.ts";
import { startBucketServer } from "../../support/bucket-server.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

const folder = await temporaryFolder();
const server = await startBucketServer();
afterAll(server.stop);

/** Another S3-compatible server to use instead: the options as JSON, in a variable. */
const given = process.env["EDGEPROOF_TEST_BUCKET"];
const options = given === undefined ? server.options : JSON.parse(given);
const nextBucket = () => ({ ...options, prefix: `tests/${randomUUID()}` });

describe("SQLite with a bucket keeps the contract", () => {
  for (const { name, run } of storeContract)
    test(name, () =>
      expect(
        run((collections) =>
          openSqliteStore({
            path: join(folder, `${randomUUID()}.db`),
            blobBucket: nextBucket(),
            collections,
          }),
        ),
      ).resolves.toBeUndefined(),
    );
});

describe.skipIf(postgresUrl === undefined)("PostgreSQL with a bucket keeps the contract", () => {
  const nextSchema = temporarySchemas();
  for (const { name, run } of [...transactionCases, ...blobCases])
    test(name, () =>
      expect(
        run((collections) =>
          openPostgresStore({
            connectionString: hasty(postgresUrl!),
            schema: nextSchema(),
            blobBucket: nextBucket(),
            collections,
          }),
        ),
      ).resolves.toBeUndefined(),
    );
});

test.skipIf(given !== undefined)("blobs were in the bucket, under names without their keys", () => {
  const names = [...server.objects.keys()];
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) expect(name).toMatch(/^tests\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
});
