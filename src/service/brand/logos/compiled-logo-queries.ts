/** The compiled logo queries of an account: an index of their descriptors. */

import type { LogoHit } from "../../../engine/logo/box.ts";
import type { LogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { betterHit } from "../../../engine/logo/find-logos.ts";
import { createLogoIndex, type LogoIndex } from "../../../engine/logo/index/search-index.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";
import { createCompiler } from "../compiled-queries.ts";
import { type AccountSettings, readSettings } from "../settings/account-settings.ts";
import { type FoundLogo, foundLogo } from "./logo-store.ts";
import { type LoadDetectors, maxDenseScore } from "./picture-search.ts";
import type { DescribedScan } from "./scan-record.ts";
import { readStoredDescriptors } from "./stored-descriptors.ts";

/** The logos of an account. */
export interface CompiledLogoQueries {
  readonly revision: number;
  readonly settings: AccountSettings;
  readonly index: LogoIndex;
  readonly queries: ReadonlyMap<number, LogoQueryRecord>;
  /** Id of the newest query; 0 without queries. */
  readonly newest: number;
}

export type LogoQueryCompiler = (account: string) => Promise<CompiledLogoQueries>;

export function createLogoQueryCompiler(context: ServiceContext): LogoQueryCompiler {
  const { store } = context;
  return createCompiler(context, "logos", async (account) => {
    const { revision, settings, queries } = await store.read(async (tx) => ({
      revision: (await readState(tx, account, "logos")).revision,
      settings: await readSettings(tx, context, account),
      queries: await tx.find("brand_logo_queries", account),
    }));
    const index = createLogoIndex({ role: "query" });
    const keys = queries.map(({ store_path }) => store_path);
    const descriptors = await readStoredDescriptors(context, keys, "query");
    for (const [i, { query_id }] of queries.entries()) {
      const descriptor = descriptors[i];
      // A missing descriptor was deleted in the meantime, which also changed the revision.
      if (descriptor) index.add(query_id, descriptor);
    }
    const newest = Math.max(0, ...queries.map(({ query_id }) => query_id));
    const byId = new Map(queries.map((query) => [query.query_id, query]));
    return { revision, settings, index, queries: byId, newest };
  });
}

/** A query whose logo is in a picture, with a score of at least its threshold. */
export type FoundQuery = FoundLogo & { readonly queryId: number };

/** The logos in a picture whose scores reach their thresholds: the better of both searches. */
export async function findLogos(
  scan: DescribedScan,
  compiled: CompiledLogoQueries,
  load: LoadDetectors,
  signal?: AbortSignal,
): Promise<readonly FoundQuery[]> {
  const regions = await findRegions(scan.picture.descriptor, compiled);
  const queries = queriesToSearch(compiled, regions);
  const matches = await scan.search.find(queries, load, signal);
  const found = new Map(regions);
  for (const [i, { query_id }] of queries.entries()) {
    const region = regions.get(query_id) ?? nothingFound;
    found.set(query_id, betterHit(region, matches[i], scan.picture.raster));
  }
  return [...compiled.queries.values()].flatMap(({ query_id, similarity_threshold }) => {
    const finding = found.get(query_id);
    return finding && finding.score >= similarity_threshold ? [{ queryId: query_id, ...finding }] : [];
  });
}

/** Searches for the logos of several accounts at once, so that the picture is prepared once for all of them. */
export async function searchForAll(
  scan: DescribedScan,
  accounts: readonly CompiledLogoQueries[],
  load: LoadDetectors,
  signal?: AbortSignal,
): Promise<void> {
  const queries: LogoQueryRecord[] = [];
  for (const compiled of accounts)
    queries.push(...queriesToSearch(compiled, await findRegions(scan.picture.descriptor, compiled)));
  await scan.search.find(queries, load, signal);
}

/** The score of a region that is below every threshold. */
const nothingFound: LogoHit = { score: -1, kind: "region" };

/** The best regions whose scores reach the smallest threshold, by query. */
async function findRegions(
  picture: LogoDescriptor,
  { index, queries }: CompiledLogoQueries,
): Promise<ReadonlyMap<number, LogoHit>> {
  if (queries.size === 0) return new Map();
  const threshold = Math.min(...[...queries.values()].map((query) => query.similarity_threshold));
  const found = await index.search(picture, { threshold });
  return new Map(found.map((match) => [Number(match.id), foundLogo(match, picture)]));
}

/** The queries for which the dense search can find a better place. */
function queriesToSearch(
  { queries }: CompiledLogoQueries,
  regions: ReadonlyMap<number, LogoHit>,
): readonly LogoQueryRecord[] {
  return [...queries.values()].filter(
    (query) =>
      query.similarity_threshold <= maxDenseScore &&
      (regions.get(query.query_id)?.score ?? 0) < maxDenseScore,
  );
}
