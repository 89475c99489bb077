/** Observes a feed batch by batch, and reports progress, matches and invalid records. Names and pictures share it. */
import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
import { quote } from "../../errors.ts";
import { batchesOf, type Feed } from "./feed-batches.ts";

/** A record of a feed that is not valid; the other records are stored. */
export interface InvalidRecord {
  /** Position in the feed, from 1. */
  readonly line: number;
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
}

/** A record that is not a name alone: a URL, a host with a port, a wildcard, a certificate. */
export interface UsedPart {
  /** Position in the feed, from 1. */
  readonly line: number;
  /** The name as it was given. */
  readonly given: string;
  /** The host name in it, which is matched and stored. */
  readonly domain: string;
}

/** The progress of a feed. */
export interface ObserveProgress {
  /** Records that were read, invalid ones included. */
  readonly records: number;
  /** Records that match a query. */
  readonly matched: number;
  /** Records that are not valid. */
  readonly invalid: number;
}

/** The outcome of a feed. */
export interface ObserveCounts extends ObserveProgress {
  /** Matches that are new. */
  readonly matches: number;
  /** The first 100 invalid records. */
  readonly invalidRecords: readonly InvalidRecord[];
}

/** How a feed is observed. */
export interface ObserveOptions {
  /** Default true. False: records without a match are not stored, so that lookback does not find them. */
  readonly retain?: boolean;
  /** Ends the feed; the call then throws the abort reason, and stored records stay. */
  readonly signal?: AbortSignal;
  /** Called after each batch of 1,000 names, or after each picture. */
  readonly onProgress?: (progress: ObserveProgress) => void;
  /** Called for each invalid record. */
  readonly onInvalidRecord?: (record: InvalidRecord) => void;
  /** Called for each name that is only a part of what was given, such as the host of a URL. */
  readonly onPartUsed?: (part: UsedPart) => void;
}

const observeOptions = optionsOf<ObserveOptions>("observe", {
  retain: anyValue,
  signal: anyValue,
  onProgress: anyValue,
  onInvalidRecord: anyValue,
  onPartUsed: anyValue,
});

/** The outcome of one batch. */
export interface StoredBatch {
  readonly matched: number;
  /** Matches that are new. */
  readonly added: number;
  readonly invalid: readonly InvalidRecord[];
  /** Names that are parts of what was given; only feeds of names have them. */
  readonly parts?: readonly UsedPart[];
}

/** Maximum of `ObserveCounts.invalidRecords`. */
const maxInvalidRecords = 100;

/**
 * Stores the records of a feed.
 *
 * @param storeBatch stores a batch; `line` is the position of its first record in the feed, from 1
 * @throws {TypeError} for a feed that is not iterable
 * @throws the abort reason
 */
export async function observeFeed(
  feed: Feed<unknown>,
  options: ObserveOptions,
  batchSize: number,
  storeBatch: (batch: readonly unknown[], line: number) => Promise<StoredBatch>,
): Promise<ObserveCounts> {
  assertFeed(feed);
  requireArgument("options", options, observeOptions);
  const { signal, onProgress, onInvalidRecord, onPartUsed } = options;
  const progress = { records: 0, matched: 0, invalid: 0 };
  const invalidRecords: InvalidRecord[] = [];
  let matches = 0;
  for await (const batch of batchesOf(feed, batchSize, signal)) {
    const { matched, added, invalid, parts = [] } = await storeBatch(batch, progress.records + 1);
    for (const record of invalid) onInvalidRecord?.(record);
    for (const part of parts) onPartUsed?.(part);
    progress.records += batch.length;
    progress.matched += matched;
    progress.invalid += invalid.length;
    matches += added;
    invalidRecords.push(...invalid.slice(0, maxInvalidRecords - invalidRecords.length));
    onProgress?.({ ...progress });
    // The event loop runs once, so that an abort can arrive.
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
  }
  return { ...progress, matches, invalidRecords };
}

function assertFeed(feed: unknown): void {
  const isFeed =
    typeof feed === "object" && feed !== null && (Symbol.iterator in feed || Symbol.asyncIterator in feed);
  if (!isFeed) {
    throw new TypeError(`The feed must be an array, an iterable or an async iterable; found ${quote(feed)}.`);
  }
}
