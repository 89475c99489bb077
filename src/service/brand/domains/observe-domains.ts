/** The feed of observed names: read, matched and stored in batches, each in one transaction. */
import type { ServiceContext } from "../../context.ts";
import { readState } from "../account-state.ts";
import { batchesOf, type Feed } from "./batches.ts";
import type { OpenWatch } from "./compiled-domain-queries.ts";
import { storeNames } from "./domain-store.ts";
import type { DomainRecord } from "./feed-record.ts";
import { type InvalidRecord, judgeBatch } from "./validate-batch.ts";

/** How far a feed is. */
export interface ObserveProgress {
  /** Names read, those that are none included. */
  readonly names: number;
  /** Of these, names that belong to a query. */
  readonly matched: number;
  /** Of these, what is no name or has a wrong member. */
  readonly invalid: number;
}

export interface ObserveReport extends ObserveProgress {
  /** Matches that were not known before. */
  readonly matches: number;
  /** The first of the bad records, at most 100. */
  readonly invalidRecords: readonly InvalidRecord[];
}

export interface ObserveOptions {
  /** Default true. False: names that match nothing are forgotten at once, and lookback finds none of them. */
  readonly retain?: boolean;
  readonly signal?: AbortSignal;
  /** Called after each batch. */
  readonly onProgress?: (progress: ObserveProgress) => void;
  /** Called for each bad record. */
  readonly onInvalidRecord?: (bad: InvalidRecord) => void;
}

/**
 * Takes observed names in, and matches them against the account's domain queries. Observing the same name again
 * changes nothing but what is newly known of it. What was taken in before an abort stays.
 *
 * @throws {ApiError} when a world has no such account
 * @throws {TypeError} for a feed that is none
 * @throws the abort reason
 */
export type Observe = (
  account: string,
  feed: Feed<string | DomainRecord>,
  options?: ObserveOptions,
) => Promise<ObserveReport>;

/** Names that are matched and stored together. */
const batchSize = 1_000;

/** Bad records that a report tells of. */
const maxFaults = 100;

export function createObserve(context: ServiceContext, openWatch: OpenWatch): Observe {
  return async (account, feed, options = {}) => {
    assertFeed(feed);
    const { retain = true, signal, onProgress, onInvalidRecord } = options;
    const report = { names: 0, matched: 0, invalid: 0, matches: 0, invalidRecords: [] as InvalidRecord[] };
    await openWatch(account);
    for await (const batch of batchesOf<unknown>(feed, batchSize, signal)) {
      const stored = await storeBatch(context, openWatch, account, { batch, line: report.names + 1, retain });
      for (const fault of stored.bad) onInvalidRecord?.(fault);
      report.names += batch.length;
      report.invalid += stored.bad.length;
      report.matched += stored.matched;
      report.matches += stored.added;
      report.invalidRecords.push(...stored.bad.slice(0, maxFaults - report.invalidRecords.length));
      const { names, matched, invalid } = report;
      onProgress?.({ names, matched, invalid });
      // Gives others their turn, so that an abort can arrive.
      await new Promise((resume) => setImmediate(resume));
      signal?.throwIfAborted();
    }
    return report;
  };
}

function assertFeed(feed: unknown): void {
  const iterable =
    typeof feed === "object" && feed !== null && (Symbol.iterator in feed || Symbol.asyncIterator in feed);
  if (!iterable) throw new TypeError("observe takes an array, an iterable or a stream of names or records");
}

interface Batch {
  readonly batch: readonly unknown[];
  /** Position of its first element in the feed. */
  readonly line: number;
  readonly retain: boolean;
}

/** Matches outside of the transaction, and again when the queries have changed meanwhile. */
async function storeBatch(
  { store, clock }: ServiceContext,
  openWatch: OpenWatch,
  account: string,
  { batch, line, retain }: Batch,
) {
  const nowMs = clock();
  for (;;) {
    const watch = await openWatch(account);
    const { names, bad } = await judgeBatch(batch, line, watch, nowMs);
    const stored = await store.write(async (tx) => {
      const { revision } = await readState(tx, account, "domains");
      return revision === watch.revision ? storeNames(tx, account, names, watch, retain) : undefined;
    });
    if (stored) return { ...stored, bad };
  }
}
