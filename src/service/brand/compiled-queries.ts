/**
 * Compiles an account's queries once for each revision of them, and keeps those of the most recently used accounts. Callers
 * that ask while one is compiled wait for it: an account's queries are compiled one revision at a time.
 */
import { createRevisionCache } from "../../core/revision-cache.ts";
import { requireScope, type ServiceContext } from "../context.ts";
import { type BrandPart, readState } from "./account-state.ts";

/** Queries that are being compiled, for the revision that was asked for. */
interface Running<V> {
  readonly revision: number;
  readonly value: Promise<V>;
}

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
  const running = new Map<string, Running<V>>();
  const start = (account: string, revision: number): Promise<V> => {
    const value = cache
      .get(account, revision, async () => {
        const value = await compile(account);
        return { revision: value.revision, value };
      })
      .finally(() => running.delete(account));
    running.set(account, { revision, value });
    return value;
  };
  return async (account) => {
    const { revision } = await store.read(async (tx) => {
      await requireScope(tx, "brand", "accounts", account);
      return readState(tx, account, part);
    });
    const earlier = running.get(account);
    if (earlier?.revision === revision) return earlier.value;
    await earlier?.value.catch(() => undefined);
    // One that began in the meantime has read a revision that is at least as late.
    return running.get(account)?.value ?? start(account, revision);
  };
}
