/** Prepares the search of stored pictures for the logo of a stored query. */
import type { LogoQueryRecord } from "../../../../store/records/brand.ts";
import type { ServiceContext } from "../../../context.ts";
import type { PrepareSearch } from "../../lookback/lookback-kind.ts";
import { pieceSizes } from "../../lookback/ranges.ts";
import type { Detectors } from "../detectors.ts";
import { readStoredDescriptor } from "../stored-descriptors.ts";
import { type LogoTarget, searchPiece, storedPiece } from "./search-pieces.ts";

/** The searches of logo queries, which never change. */
export function prepareLogoSearch(
  context: ServiceContext,
  detectors: Detectors,
): PrepareSearch<LogoQueryRecord> {
  const { store, compute } = context;
  return async (query, signal) => {
    const { scope: account, query_id: queryId } = query;
    const search = {
      store,
      compute,
      account,
      signal,
      target: await readTarget(context, detectors, query, signal),
    };
    return {
      isCurrent: async () => true,
      searchPieces: async function* ({ before, piece = pieceSizes.pictures }, ranges) {
        for (const range of ranges)
          yield storedPiece(await searchPiece(search, { before, piece }, range), account, queryId);
      },
    };
  };
}

async function readTarget(
  context: ServiceContext,
  detectors: Detectors,
  query: LogoQueryRecord,
  signal: AbortSignal,
): Promise<LogoTarget> {
  const descriptor = await readStoredDescriptor(context, query.store_path, "query");
  const [detector] = await detectors.load([query], signal);
  if (!descriptor || !detector) throw new Error(`the picture of logo query ${query.id} cannot be read`);
  return { descriptor: descriptor.bytes, detector, threshold: query.similarity_threshold };
}
