/** Observes a feed of names: reads, matches and stores them in batches, each in one transaction. */
import type { ServiceContext } from "../../context.ts";
import { type ObserveCounts, type ObserveOptions, observeFeed, type StoredBatch } from "../feed.ts";
import type { Feed } from "../feed-batches.ts";
import { writeAtRevision } from "../write-at-revision.ts";
import type { QueryCompiler } from "./compiled-domain-queries.ts";
import { storeNames } from "./domain-store.ts";
import type { DomainRecord } from "./feed-record.ts";
import { validateBatch } from "./validate-batch.ts";

/**
 * Stores observed names and their matches with the account's domain queries. A name that was observed before is
 * updated with the new facts. Of a URL, a host with a port or a wildcard (`*.`), the host is observed; a record of
 * certificate transparency has all names of its certificate. Names that were stored before an abort stay.
 *
 * @throws {ApiError} when a world does not have the account, or this process must not use it (`AccountSettingsError`)
 * @throws {TypeError} for a feed that is not iterable
 * @throws the abort reason
 */
export type Observe = (
  account: string,
  feed: Feed<string | DomainRecord>,
  options?: ObserveOptions,
) => Promise<ObserveCounts>;

/** Names of one transaction. */
export const batchSize = 1_000;

export function createObserve(context: ServiceContext, compile: QueryCompiler): Observe {
  return async (account, feed, options = {}) => {
    const { retain = true } = options;
    await compile(account);
    return observeFeed(feed, options, batchSize, (batch, line) =>
      storeBatch(context, compile, account, batch, line, retain),
    );
  };
}

/** The outcome of a batch of names. */
export interface StoredNames extends StoredBatch {
  /** Valid names, with those that are repeated. */
  readonly valid: number;
  /** Names that were not stored before. */
  readonly fresh: number;
}

/**
 * Stores a batch of records. Matches before the transaction, and again when the queries have changed in the meantime.
 *
 * @param line position of the first record in the feed
 */
export async function storeBatch(
  context: ServiceContext,
  compile: QueryCompiler,
  account: string,
  batch: readonly unknown[],
  line: number,
  retain: boolean,
): Promise<StoredNames> {
  const nowMs = context.clock();
  for (;;) {
    const compiled = await compile(account);
    const { names, valid, invalid, parts } = await validateBatch(batch, line, compiled, nowMs);
    const stored = await writeAtRevision(context, account, "domains", compiled, (tx) =>
      storeNames(tx, account, names, compiled, retain),
    );
    if (stored) return { ...stored, valid, invalid, parts };
  }
}
