/** One step of a pending lookback: reads what is left, searches some of it, and stores the result. */
import { DependencyUnavailableError } from "../../../../errors.ts";
import type { LogoLookbackRecord, LogoQueryRecord, PositionRange } from "../../../../store/records/brand.ts";
import type { ServiceContext } from "../../../context.ts";
import { inQueue } from "../../account-state.ts";
import { AccountSettingsError, readSettings } from "../../settings/account-settings.ts";
import type { Detectors } from "../detectors.ts";
import { readStoredDescriptor } from "../stored-descriptors.ts";
import { type StoredPieces, storeEnd, storeFailure, storePieces } from "./pending-lookback.ts";
import { pendingPieces } from "./ranges.ts";
import { searchPieces } from "./search-pieces.ts";
import type { LogoTarget } from "./search-scans.ts";

/** Identifies a lookback: the account, and the id of the query. */
export type LookbackKey = Pick<LogoLookbackRecord, "scope" | "id">;

/** The scope of a step. */
export interface StepOptions {
  /** Positions; by default all. */
  readonly range?: PositionRange;
  /** Where to begin, as a share of what is left, 0 to below 1. Default 0: at the newest pictures. */
  readonly startAt?: number;
}

/**
 * Searches and stores a part of what is left of a lookback; undefined when nothing is left, or the query was deleted.
 *
 * @throws the abort reason, and any error of the store, of a stored picture, or of the settings of the account
 */
export type SearchStep = (options?: StepOptions) => Promise<Omit<StoredPieces, "outdated"> | undefined>;

/** Prepares the steps of a lookback, which keep the logo in memory. */
export function createSearchStep(
  context: ServiceContext,
  detectors: Detectors,
  key: LookbackKey,
  signal: AbortSignal,
): SearchStep {
  const { store, compute, clock } = context;
  const { scope: account, id } = key;
  const queue = inQueue(account, "logos");
  let target: LogoTarget | undefined;
  return async ({ range, startAt = 0 } = {}) => {
    signal.throwIfAborted();
    const pending = await store.read(async (tx) => {
      const record = await tx.get("brand_logo_lookbacks", account, id);
      const query = record && (await tx.get("brand_logo_queries", account, id));
      // Descriptors of another version are left to the processes of that version.
      if (query) await readSettings(tx, context, account);
      return query && { record, query };
    });
    if (!pending) return undefined;
    const { record, query } = pending;
    const pieces = [...pendingPieces(record, range)];
    if (pieces.length === 0) {
      await store.write((tx) => storeEnd(tx, key), queue);
      return undefined;
    }
    target ??= await readTarget(context, detectors, query, signal);
    const search = { store, compute, account, target, denseFrom: record.dense_from, signal };
    const first = Math.floor(startAt * pieces.length);
    const searched = await searchPieces(search, [...pieces.slice(first), ...pieces.slice(0, first)]);
    const { outdated, ...stored } = await store.write((tx) => storePieces(tx, key, searched, clock()), queue);
    for (const blob of outdated) await store.blobs.delete(blob);
    return stored;
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

/**
 * Stores that an error ended a lookback.
 *
 * @throws the error itself when it says that the store cannot be reached, or that another version of edgeproof has
 * written the account: that ends no lookback
 * @throws {Error} when the failure cannot be stored
 */
export async function failLookback(
  { store }: ServiceContext,
  key: LookbackKey,
  error: unknown,
): Promise<void> {
  if (error instanceof DependencyUnavailableError || error instanceof AccountSettingsError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  await store.write((tx) => storeFailure(tx, key, message), inQueue(key.scope, "logos"));
}
