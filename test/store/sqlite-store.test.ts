import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { storeContract } from "../../src/testing/contract/store-contract.ts";
import { temporaryFolder } from "./open.ts";

const folder = await temporaryFolder();
let opened = 0;

describe("the SQLite store keeps the contract", () => {
  for (const { name, run } of storeContract)
    test(name, () =>
      expect(
        run((collections) => openSqliteStore({ path: join(folder, `contract-${opened++}.db`), collections })),
      ).resolves.toBeUndefined(),
    );
});
