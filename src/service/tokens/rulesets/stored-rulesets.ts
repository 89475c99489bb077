/** Reads and creates stored rulesets and lists. */

import type { CollectionName } from "../../../store/collections.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { RuleListRecord, RulesetRecord } from "../../../store/records/rulesets.ts";
import { bumpAccountRevision, bumpRevision } from "../revision.ts";

/** Who has rulesets: the collection, and the count of changes that compiled zones depend on. */
export const rulesetOwners = {
  zones: { collection: "zone_rulesets", bump: (tx, zone) => bumpRevision(tx, zone) },
  accounts: { collection: "account_rulesets", bump: bumpAccountRevision },
} as const satisfies Record<
  "zones" | "accounts",
  { collection: CollectionName; bump: (tx: WriteTransaction, owner: string) => Promise<void> }
>;

/** Zones or accounts. */
export type RulesetOwner = keyof typeof rulesetOwners;

const order = [{ field: "sequence", direction: "asc" }] as const;

/** The rulesets of a zone or an account, in order of creation. */
export async function findRulesets(
  tx: ReadTransaction,
  kind: RulesetOwner,
  owner: string,
): Promise<readonly RulesetRecord[]> {
  return tx.find(rulesetOwners[kind].collection, owner, { order });
}

/** The entry point of a phase among the rulesets of a zone or an account. */
export function entryPointOf(all: readonly RulesetRecord[], phase: string): RulesetRecord | undefined {
  return all.find((record) => record.phase === phase && record.kind !== "custom");
}

/** The lists of an account, in order of creation. */
export async function findLists(tx: ReadTransaction, account: string): Promise<readonly RuleListRecord[]> {
  return tx.find("rule_lists", account, { order });
}

/** The version after one; the first without one. */
export function nextVersion(version: string | undefined): string {
  return version === undefined ? "1" : String(Number(version) + 1);
}

/** Stores new rulesets after the others. */
export async function createRulesets(
  tx: WriteTransaction,
  kind: RulesetOwner,
  owner: string,
  rulesets: readonly Omit<RulesetRecord, "scope" | "sequence">[],
): Promise<void> {
  const { collection, bump } = rulesetOwners[kind];
  for (const ruleset of rulesets) {
    const sequence = await tx.sequence(owner, collection);
    await tx.insert(collection, { scope: owner, sequence, ...ruleset });
  }
  await bump(tx, owner);
}

/** Stores new lists after the others. */
export async function createLists(
  tx: WriteTransaction,
  account: string,
  lists: readonly Omit<RuleListRecord, "scope" | "sequence">[],
): Promise<void> {
  for (const list of lists) {
    const sequence = await tx.sequence(account, "rule_lists");
    await tx.insert("rule_lists", { scope: account, sequence, ...list });
  }
  await bumpAccountRevision(tx, account);
}
