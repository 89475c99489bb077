/** Prepares the search of stored pictures for the logo of a stored query. */
import type { LogoQueryRecord } from "../../../../store/records/brand.ts";
import type { ServiceContext } from "../../../context.ts";
import type { PrepareSearch } from "../../lookback/lookback-kind.ts";
import type { Detectors } from "../detectors.ts";
import { readStoredDescriptor } from "../stored-descriptors.ts";
import { searchPieces } from "./search-pieces.ts";
import type { LogoTarget } from "./search-scans.ts";

/** The searches of logo queries, which never change. */
export function prepareLogoSearch(
  context: ServiceContext,
  detectors: Detectors,
): PrepareSearch<LogoQueryRecord> {
  const { store, compute } = context;
  return async (query, signal) => {
    const { scope: account, query_id: queryId } = query;
    const target = await readTarget(context, detectors, query, signal);
    return {
      isCurrent: async () => true,
      searchPieces: ({ dense_from: denseFrom = Number.MAX_SAFE_INTEGER }, pieces) =>
        searchPieces({ store, compute, account, queryId, target, denseFrom, signal }, pieces),
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
  if (!descriptor) throw unreadable(query);
  const loadDetector = async () => {
    const [detector] = await detectors.load([query], signal);
    if (!detector) throw unreadable(query);
    return detector;
  };
  return { descriptor, threshold: query.similarity_threshold, loadDetector };
}

function unreadable({ id }: LogoQueryRecord): Error {
  return new Error(`the picture of logo query ${id} cannot be read`);
}
