/** Counts the changes of zones and accounts, so that a compiled zone can be checked against the current state. */
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { TokenRevisionRecord } from "../../store/records/tokens.ts";

const id = "revision";

/** The account's revision; 0 for an account without any change. */
export async function readAccountRevision(tx: ReadTransaction, account: string): Promise<number> {
  return (await tx.get("account_revisions", account, id))?.revision ?? 0;
}

/** Must be called in the transaction of every change of an account's rulesets or lists. */
export async function bumpAccountRevision(tx: WriteTransaction, account: string): Promise<void> {
  const before = await tx.get("account_revisions", account, id);
  const record = { scope: account, id, revision: (before?.revision ?? 0) + 1 };
  if (before) await tx.replace("account_revisions", record);
  else await tx.insert("account_revisions", record);
}

const untouched = { revision: 0, has_operations: false };

/** The zone's revision; 0 for a zone without any change. */
export async function readRevision(
  tx: ReadTransaction,
  zone: string,
): Promise<Pick<TokenRevisionRecord, "revision" | "has_operations">> {
  return (await tx.get("token_revisions", zone, id)) ?? untouched;
}

/** Must be called in the transaction of every change that affects a compiled zone. */
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
