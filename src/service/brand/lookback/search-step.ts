/** One step of a pending lookback: reads what is left, searches some of it, and stores the result. */
import { messageOf } from "../../../core/message-of.ts";
import { DependencyUnavailableError } from "../../../errors.ts";
import type { DomainQueryRecord, LogoQueryRecord, PositionRange } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import { AccountSettingsError, readSettings } from "../settings/account-settings.ts";
import {
  type LookbackKey,
  type LookbackQuery,
  lookbackCollections,
  type PrepareSearches,
  type QuerySearch,
  type SearchedPiece,
} from "./lookback-kind.ts";
import { type StoredPieces, storeEnd, storeFailure, storePieces } from "./pending-lookback.ts";
import { pendingPieces } from "./ranges.ts";

/** The scope of a step. */
export interface StepOptions {
  /** Positions; by default all. */
  readonly range?: PositionRange;
  /** Where to begin, as a share of what is left, 0 to below 1. Default 0: at the newest records. */
  readonly startAt?: number;
}

/**
 * Searches and stores a part of what is left of a lookback; undefined when nothing is left, or the query was deleted.
 *
 * @throws the abort reason, and any error of the store, of a stored record, or of the settings of the account
 */
export type SearchStep = (options?: StepOptions) => Promise<StoredPieces | undefined>;

/** Prepares the steps of a lookback, which keep its search in memory. */
export function createSearchStep(
  context: ServiceContext,
  prepare: PrepareSearches,
  key: LookbackKey,
  signal: AbortSignal,
): SearchStep {
  const { store, clock } = context;
  const { part, scope: account, id } = key;
  const { queries, lookbacks } = lookbackCollections[part];
  const queue = inQueue(account, part);
  let search: QuerySearch | undefined;
  return async ({ range, startAt = 0 } = {}) => {
    signal.throwIfAborted();
    const pending = await store.read(async (tx) => {
      const record = await tx.get(lookbacks, account, id);
      const query = record && (await tx.get(queries, account, id));
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
    const own = search ?? (await prepareSearch(prepare, part, query, signal));
    const first = Math.floor(startAt * pieces.length);
    const inOrder = [...pieces.slice(first), ...pieces.slice(0, first)];
    const searched = await takeWorthOfWrite(own.searchPieces(record, inOrder));
    const stored = await store.write((tx) => storePieces(tx, key, own, searched, clock()), queue);
    search = stored.isOutdated ? undefined : own;
    return stored;
  };
}

/** Time and matches after which progress is written, also before the end of the pieces. */
const writeLimits = { ms: 300, matches: 1_000 } as const;

/** Searched pieces until they are worth a write. */
async function takeWorthOfWrite(pieces: AsyncIterable<SearchedPiece>): Promise<readonly SearchedPiece[]> {
  const searched: SearchedPiece[] = [];
  const end = performance.now() + writeLimits.ms;
  let matches = 0;
  for await (const piece of pieces) {
    searched.push(piece);
    matches += piece.matches;
    if (piece.dense || performance.now() >= end || matches >= writeLimits.matches) break;
  }
  return searched;
}

function prepareSearch(
  { domains, logos }: PrepareSearches,
  part: LookbackKey["part"],
  query: LookbackQuery,
  signal: AbortSignal,
): Promise<QuerySearch> {
  return part === "domains"
    ? domains(query as DomainQueryRecord, signal)
    : logos(query as LogoQueryRecord, signal);
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
  const message = messageOf(error);
  await store.write((tx) => storeFailure(tx, key, message), inQueue(key.scope, key.part));
}
