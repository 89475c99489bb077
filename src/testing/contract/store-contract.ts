/**
 * The contract of the storage port as cases that any test runner can run. Every adapter passes all of them; one
 * that does not says which and why through `contractWithGaps`, never silently.
 */
import { blobCases } from "./blobs.ts";
import { listingCases } from "./listings.ts";
import type { ContractCase } from "./probe.ts";
import { queryCases } from "./queries.ts";
import { recordCases } from "./records.ts";
import { transactionCases } from "./transactions.ts";

export type { ContractCase, OpenStore } from "./probe.ts";

/**
 * All demands on a store. A case gets a function that opens an empty store which keeps the given collections,
 * and rejects when the store does not do what the port's docstrings say.
 *
 * @example
 * ```ts
 * for (const { name, run } of storeContract) test(name, () => run(async (table) => createMyStore(table)));
 * ```
 */
export const storeContract: readonly ContractCase[] = [
  ...recordCases,
  ...queryCases,
  ...transactionCases,
  ...listingCases,
  ...blobCases,
];

/** A case, and why an adapter does not meet it. */
export interface ContractCaseWithGap extends ContractCase {
  readonly gap?: string;
}

/**
 * The contract for an adapter that does not meet all of it: each case that is named carries its reason, so that
 * it can be listed as skipped.
 *
 * @throws {RangeError} when there is no case of a name, or a reason is empty
 * @example
 * ```ts
 * const cases = contractWithGaps({ "large blobs are kept whole, and racing writers leave one of theirs": "no blobs yet" });
 * cases.filter((c) => c.gap).length; // => 1
 * ```
 */
export function contractWithGaps(gaps: Readonly<Record<string, string>>): readonly ContractCaseWithGap[] {
  const names = new Set(storeContract.map((c) => c.name));
  for (const [name, reason] of Object.entries(gaps)) {
    if (!names.has(name)) throw new RangeError(`the contract has no case named "${name}"`);
    if (reason.trim() === "") throw new RangeError(`the gap "${name}" has no reason`);
  }
  return storeContract.map((c) => (Object.hasOwn(gaps, c.name) ? { ...c, gap: gaps[c.name]! } : c));
}
