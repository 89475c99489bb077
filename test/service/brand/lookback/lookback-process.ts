/** A process of its own that finishes the lookbacks of a store, which its one argument names. */
import { createEdge } from "../../../../src/edge.ts";
import { openPostgresStore } from "../../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../../src/store/sql/sqlite.ts";

/** The store. */
export interface Location {
  readonly sqlite?: string;
  readonly postgres?: { readonly connectionString: string; readonly schema: string };
}

/** Opens the store of a location. */
export function openAt({ sqlite, postgres }: Location) {
  return sqlite ? openSqliteStore({ path: sqlite }) : openPostgresStore(postgres!);
}

const location = JSON.parse(process.argv[2] ?? "null") as Location | null;
if (location && process.send) {
  const edge = createEdge({ store: await openAt(location) });
  process.send("ready");
  await edge.settled();
  await edge.close();
  process.disconnect();
}
