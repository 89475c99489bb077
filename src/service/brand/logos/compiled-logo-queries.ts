/** An account's logo queries, ready to be sought in pictures: read once for each revision of them. */

import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { createLogoIndex, type LogoIndex } from "../../../engine/logo/index/search-index.ts";
import { descriptorKey, type LogoQueryRecord } from "../../../store/records/brand.ts";
import { requireScope, type ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";

/** The logos of an account. */
export interface LogoWatch {
  readonly revision: number;
  readonly index: LogoIndex;
  readonly queries: ReadonlyMap<number, LogoQueryRecord>;
}

export type OpenLogoWatch = (account: string) => Promise<LogoWatch>;

/** Keeps the logos of the accounts that were used last. */
export function createLogoWatches(context: ServiceContext): OpenLogoWatch {
  const { store, limits } = context;
  const cache = new Map<string, LogoWatch>();

  function remember(account: string, watch: LogoWatch): LogoWatch {
    cache.delete(account);
    cache.set(account, watch);
    if (cache.size > limits.compiledAccounts) cache.delete(cache.keys().next().value!);
    return watch;
  }

  return async (account) => {
    // Held on to: others may take its place in the cache meanwhile.
    const kept = cache.get(account);
    const { revision, queries } = await store.read(async (tx) => {
      await requireScope(tx, "brand", "accounts", account);
      const state = await readState(tx, account, "logos");
      if (kept?.revision === state.revision) return { revision: state.revision };
      return { revision: state.revision, queries: await tx.find("brand_logo_queries", account) };
    });
    return queries ? remember(account, await readLogos(context, revision, queries)) : kept!;
  };
}

async function readLogos(
  { store }: ServiceContext,
  revision: number,
  queries: readonly LogoQueryRecord[],
): Promise<LogoWatch> {
  const index = createLogoIndex({ role: "query" });
  for (const { query_id, store_path } of queries) {
    const descriptor = await store.blobs.get(descriptorKey(store_path));
    // Gone means deleted meanwhile: then the revision is another one, too.
    if (descriptor) index.add(query_id, descriptor);
  }
  return { revision, index, queries: new Map(queries.map((query) => [query.query_id, query])) };
}

/** The logos in a picture, each with its score, as far as their thresholds allow. */
export async function logosIn(
  picture: LogoDescriptor,
  { index, queries }: LogoWatch,
): Promise<readonly { readonly queryId: number; readonly score: number }[]> {
  if (queries.size === 0) return [];
  const threshold = Math.min(...[...queries.values()].map((query) => query.similarity_threshold));
  const found = await index.search(picture, { threshold });
  return found
    .map(({ id, score }) => ({ queryId: Number(id), score }))
    .filter(({ queryId, score }) => score >= queries.get(queryId)!.similarity_threshold);
}
