/** Compiles an account's queries once for each revision of them, and keeps those of the most recently used accounts. */
import { createRevisionCache } from "../../core/revision-cache.ts";
import { requireScope, type ServiceContext } from "../context.ts";
import { type BrandPart, readState } from "./account-state.ts";

/**
 * Makes a function that returns the current compiled queries of an account.
 *
 * @param compile reads and compiles the account's queries; its value names the revision that it read
 */
export function createCompiler<V extends { readonly revision: number }>(
  { store, limits }: ServiceContext,
  part: BrandPart,
  compile: (account: string) => Promise<V>,
): (account: string) => Promise<V> {
  const cache = createRevisionCache<V>(limits.compiledAccounts);
  return async (account) => {
    const { revision } = await store.read(async (tx) => {
      await requireScope(tx, "brand", "accounts", account);
      return readState(tx, account, part);
    });
    return cache.get(account, revision, async () => {
      const value = await compile(account);
      return { revision: value.revision, value };
    });
  };
}
