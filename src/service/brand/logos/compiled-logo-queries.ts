/** The compiled logo queries of an account, with their descriptors. */

import { type LogoDescriptor, readLogoDescriptor } from "../../../engine/logo/descriptor.ts";
import { compareWhole, type WholePicture } from "../../../engine/logo/features/compare.ts";
import { bestHit } from "../../../engine/logo/find-logos.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";
import { createCompiler } from "../compiled-queries.ts";
import { type AccountSettings, readSettings } from "../settings/account-settings.ts";
import type { FoundLogo } from "./logo-store.ts";
import { type LoadDetectors, maxDenseScore } from "./picture-search.ts";
import type { DescribedScan } from "./scan-record.ts";
import { readStoredDescriptors } from "./stored-descriptors.ts";

/** The logos of an account. */
export interface CompiledLogoQueries {
  readonly revision: number;
  readonly settings: AccountSettings;
  /** By query. */
  readonly descriptors: ReadonlyMap<number, LogoDescriptor>;
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
    const keys = queries.map(({ store_path }) => store_path);
    const stored = await readStoredDescriptors(context, keys, "query");
    const descriptors = new Map<number, LogoDescriptor>();
    for (const [i, { query_id }] of queries.entries()) {
      const descriptor = stored[i];
      // A missing descriptor was deleted in the meantime, which also changed the revision.
      if (descriptor) descriptors.set(query_id, readLogoDescriptor(descriptor));
    }
    const newest = Math.max(0, ...queries.map(({ query_id }) => query_id));
    const byId = new Map(queries.map((query) => [query.query_id, query]));
    return { revision, settings, descriptors, queries: byId, newest };
  });
}

/** A query whose logo is in a picture, with a score of at least its threshold. */
export type FoundQuery = FoundLogo & { readonly queryId: number };

/** The logos in a picture whose scores reach their thresholds. */
export async function findLogos(
  scan: DescribedScan,
  compiled: CompiledLogoQueries,
  load: LoadDetectors,
  signal?: AbortSignal,
): Promise<readonly FoundQuery[]> {
  const { descriptor, raster } = scan.picture;
  const wholes = compareWithAll(descriptor, compiled);
  const queries = queriesToSearch(compiled, wholes);
  const matches = await scan.search.find(queries, load, signal);
  const places = new Map(queries.map(({ query_id }, i) => [query_id, matches[i]]));
  return [...compiled.queries.values()].flatMap(({ query_id, similarity_threshold }) => {
    const found = bestHit(wholes.get(query_id) ?? 0, places.get(query_id), raster);
    return found.score >= similarity_threshold ? [{ queryId: query_id, ...found }] : [];
  });
}

/** Searches for the logos of several accounts at once, so that the picture is prepared once for all of them. */
export async function searchForAll(
  scan: DescribedScan,
  accounts: readonly CompiledLogoQueries[],
  load: LoadDetectors,
  signal?: AbortSignal,
): Promise<void> {
  const { descriptor } = scan.picture;
  const queries = accounts.flatMap((compiled) =>
    queriesToSearch(compiled, compareWithAll(descriptor, compiled)),
  );
  await scan.search.find(queries, load, signal);
}

/** The scores of the picture as a whole, by query. */
function compareWithAll(
  picture: WholePicture,
  { descriptors }: CompiledLogoQueries,
): ReadonlyMap<number, number> {
  return new Map([...descriptors].map(([id, descriptor]) => [id, compareWhole(descriptor, picture)]));
}

/** The queries for which the dense search can find a better place. */
function queriesToSearch(
  { queries }: CompiledLogoQueries,
  wholes: ReadonlyMap<number, number>,
): readonly LogoQueryRecord[] {
  return [...queries.values()].filter(
    (query) =>
      query.similarity_threshold <= maxDenseScore && (wholes.get(query.query_id) ?? 0) < maxDenseScore,
  );
}
