/** What is compiled of an account's queries depends on this: a count of their changes, and the account's own options. */
import type { MatchOptions } from "../../engine/brand/model.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { BrandStateRecord } from "../../store/records/brand.ts";

/** The two halves of brand protection count for themselves. */
export type Half = "domains" | "logos";

const untouched = { revision: 0, options: {} };

type State = Pick<BrandStateRecord, "revision" | "options">;

/** The account's state; revision 0 for one that nobody has written to. */
export async function readState(tx: ReadTransaction, account: string, half: Half): Promise<State> {
  return (await tx.get("brand_states", account, half)) ?? untouched;
}

/** Every write to what is compiled of an account calls this in the same transaction. */
export async function bumpRevision(
  tx: WriteTransaction,
  account: string,
  half: Half,
  change: { readonly options?: MatchOptions } = {},
): Promise<void> {
  const before = await tx.get("brand_states", account, half);
  const { revision, options } = before ?? untouched;
  const record = { scope: account, id: half, revision: revision + 1, options, ...change };
  if (before) await tx.replace("brand_states", record);
  else await tx.insert("brand_states", record);
}
