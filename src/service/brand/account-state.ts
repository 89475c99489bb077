/** The state of an account that its compiled queries depend on: a revision of the queries, and the account's own options. */
import { aString, requireArgument } from "../../core/arguments.ts";
import type { MatchOptions } from "../../engine/brand/model.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { BrandStateRecord } from "../../store/records/brand.ts";
import type { QueuedWrite } from "../context.ts";

/** The parts of brand protection; each has a revision of its own. */
export type BrandPart = "domains" | "logos";

const initial = { revision: 0, options: {} };

type State = Pick<BrandStateRecord, "revision" | "options">;

/** The account's state; revision 0 for an account without any write. */
export async function readState(tx: ReadTransaction, account: string, part: BrandPart): Promise<State> {
  return (await tx.get("brand_states", account, part)) ?? initial;
}

/** The option of all writes of a part of an account, so that they do not collide. */
export function inQueue(account: string, part: BrandPart): QueuedWrite {
  requireArgument("account", account, aString);
  return { queue: `${account} brand ${part}` };
}

/** Every write that changes compiled queries of an account calls this in its transaction. */
export async function bumpRevision(
  tx: WriteTransaction,
  account: string,
  part: BrandPart,
  change: { readonly options?: MatchOptions } = {},
): Promise<void> {
  const before = await tx.get("brand_states", account, part);
  const { revision, options } = before ?? initial;
  const record = { scope: account, id: part, revision: revision + 1, options, ...change };
  if (before) await tx.replace("brand_states", record);
  else await tx.insert("brand_states", record);
}
