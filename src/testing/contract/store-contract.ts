/**
 * The contract of the storage port as cases for any test runner. An adapter that does not pass all of them lists the
 * gaps with reasons through `contractWithGaps`.
 */
import { aString, recordOf, requireArgument } from "../../core/arguments.ts";
import { blobCases } from "./blobs.ts";
import { listingCases } from "./listings.ts";
import { mergedListCases } from "./merged-lists.ts";
import type { ContractCase } from "./probe.ts";
import { queryCases } from "./queries.ts";
import { recordCases } from "./records.ts";
import { transactionCases } from "./transactions.ts";

export type { ContractCase, OpenStore } from "./probe.ts";

/**
 * All requirements of a store. A case receives a function that opens an empty store with the given collections, and
 * rejects when the store does not conform to the docstrings of the port.
 *
 * @example
 * ```ts
 * for (const { name, run } of storeContract) test(name, () => run(async (table) => createMyStore(table)));
 * ```
 */
export const storeContract: readonly ContractCase[] = [
  ...recordCases,
  ...queryCases,
  ...mergedListCases,
  ...transactionCases,
  ...listingCases,
  ...blobCases,
];

/** A case that an adapter may not pass. */
export interface ContractCaseWithGap extends ContractCase {
  /** The reason why the adapter does not pass; undefined when it passes. */
  readonly gap?: string;
}

/**
 * The contract for an adapter with gaps: each named case carries its reason, so that a test runner can skip it.
 *
 * @param gaps reasons by name of the case
 * @throws {RangeError} when a name is unknown or a reason is empty
 * @example
 * ```ts
 * const cases = contractWithGaps({ "large blobs are kept whole, and of concurrent puts one remains": "no blobs yet" });
 * cases.filter((c) => c.gap).length; // => 1
 * ```
 */
export function contractWithGaps(gaps: Readonly<Record<string, string>>): readonly ContractCaseWithGap[] {
  requireArgument("gaps", gaps, recordOf(aString));
  const names = new Set(storeContract.map((c) => c.name));
  for (const [name, reason] of Object.entries(gaps)) {
    if (!names.has(name)) throw new RangeError(`the contract has no case named "${name}"`);
    if (reason.trim() === "") throw new RangeError(`the gap "${name}" has no reason`);
  }
  return storeContract.map((c) => (Object.hasOwn(gaps, c.name) ? { ...c, gap: gaps[c.name]! } : c));
}
