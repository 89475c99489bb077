/** Counts the changes of a zone, so that a compiled zone is known to be current or not. */
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { TokenRevisionRecord } from "../../store/records/tokens.ts";

const id = "revision";

const untouched = { revision: 0, has_operations: false };

/** The zone's revision; 0 for a zone that nobody has written to. */
export async function readRevision(
  tx: ReadTransaction,
  zone: string,
): Promise<Pick<TokenRevisionRecord, "revision" | "has_operations">> {
  return (await tx.get("token_revisions", zone, id)) ?? untouched;
}

/** Every write to what a compiled zone depends on calls this in the same transaction. */
export async function bumpRevision(
  tx: WriteTransaction,
  zone: string,
  change: { readonly has_operations?: boolean } = {},
): Promise<void> {
  const before = await tx.get("token_revisions", zone, id);
  const { revision, has_operations } = before ?? untouched;
  const record = { scope: zone, id, revision: revision + 1, has_operations, ...change };
  if (before) await tx.replace("token_revisions", record);
  else await tx.insert("token_revisions", record);
}
