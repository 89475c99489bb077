/** The three kinds of store, for tests of the layers above; each location can be opened several times. */
import { join } from "node:path";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";

export interface StorePlace {
  /** Opens the same location again. In memory there is only one. */
  open(): Promise<Store>;
}

/** Names of the available kinds, each with a function that creates a new location. Call once, at the top of a test file. */
export async function storeKinds(): Promise<Record<string, () => StorePlace>> {
  const folder = await temporaryFolder();
  const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
  let files = 0;
  return {
    memory: () => {
      const store = createMemoryStore();
      return { open: async () => store };
    },
    SQLite: () => {
      const path = join(folder, `${files++}.db`);
      return { open: () => openSqliteStore({ path }) };
    },
    PostgreSQL: () => {
      const place = { connectionString: hasty(postgresUrl!), schema: nextSchema() };
      return { open: () => openPostgresStore({ ...place, maxConnections: 4 }) };
    },
  };
}

/** Whether a kind is not available here. */
export function isMissing(kind: string): boolean {
  return kind === "PostgreSQL" && postgresUrl === undefined;
}
