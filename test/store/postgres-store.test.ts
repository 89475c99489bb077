import { describe, expect, test } from "vitest";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { storeContract } from "../../src/testing/contract/store-contract.ts";
import { hasty, postgresUrl, temporarySchemas } from "./open.ts";

describe.skipIf(postgresUrl === undefined)("the PostgreSQL store keeps the contract", () => {
  const nextSchema = temporarySchemas();
  for (const { name, run } of storeContract)
    test(name, () =>
      expect(
        run((collections) =>
          openPostgresStore({ connectionString: hasty(postgresUrl!), schema: nextSchema(), collections }),
        ),
      ).resolves.toBeUndefined(),
    );
});
