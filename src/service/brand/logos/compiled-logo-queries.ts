/** The compiled logo queries of an account: an index of their descriptors. */

import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { createLogoIndex, type LogoIndex } from "../../../engine/logo/index/search-index.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";
import { createCompiler } from "../compiled-queries.ts";
import { type FoundLogo, foundLogo } from "./logo-store.ts";
import { readStoredDescriptor } from "./stored-descriptors.ts";

/** The logos of an account. */
export interface CompiledLogoQueries {
  readonly revision: number;
  readonly index: LogoIndex;
  readonly queries: ReadonlyMap<number, LogoQueryRecord>;
}

export type LogoQueryCompiler = (account: string) => Promise<CompiledLogoQueries>;

export function createLogoQueryCompiler(context: ServiceContext): LogoQueryCompiler {
  const { store } = context;
  return createCompiler(context, "logos", async (account) => {
    const { revision, queries } = await store.read(async (tx) => ({
      revision: (await readState(tx, account, "logos")).revision,
      queries: await tx.find("brand_logo_queries", account),
    }));
    const index = createLogoIndex({ role: "query" });
    for (const { query_id, store_path } of queries) {
      const descriptor = await readStoredDescriptor(store.blobs, store_path, "query");
      // A missing descriptor was deleted in the meantime, which also changed the revision.
      if (descriptor) index.add(query_id, descriptor);
    }
    return { revision, index, queries: new Map(queries.map((query) => [query.query_id, query])) };
  });
}

/** The logos in a picture whose scores reach their thresholds. */
export async function findLogos(
  picture: LogoDescriptor,
  { index, queries }: CompiledLogoQueries,
): Promise<readonly (FoundLogo & { readonly queryId: number })[]> {
  if (queries.size === 0) return [];
  const threshold = Math.min(...[...queries.values()].map((query) => query.similarity_threshold));
  const found = await index.search(picture, { threshold });
  return found
    .map((match) => ({ queryId: Number(match.id), ...foundLogo(match, picture) }))
    .filter(({ queryId, score }) => score >= (queries.get(queryId)?.similarity_threshold ?? 2));
}
