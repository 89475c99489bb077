/**
 * Runs pending lookbacks in the background, one after another. The progress is stored with its matches, so that any
 * process continues after another one ended, and several processes can share a lookback.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  aString,
  integerFrom,
  objectWith,
  oneOf,
  optional,
  requireArgument,
} from "../../../core/arguments.ts";
import type { LookbackProgress, LookbackRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import { AccountSettingsError } from "../settings/account-settings.ts";
import { type LookbackKey, lookbackCollections, type PrepareSearches } from "./lookback-kind.ts";
import { isAbandoned, takeOver } from "./pending-lookback.ts";
import { joinedPieces, pendingPieces } from "./ranges.ts";
import { createSearchStep, failLookback } from "./search-step.ts";

/** A part of a pending lookback: stored names or pictures of an account that are to be searched for a query. */
export interface LookbackRange {
  /** The kind of the query: `domains` over names, `logos` over pictures. Default `logos`. */
  readonly part?: "domains" | "logos";
  /** Id of the account. */
  readonly account: string;
  /** Id of the query. */
  readonly queryId: string;
  /** First position, from 1. Names, and pictures, have ascending positions in the order of their arrival. */
  readonly from: number;
  /** Position after the last one; larger than `from`. */
  readonly to: number;
}

/** The outcome of a range. */
export interface RangeOutcome {
  /** Names or pictures that this call searched, and stored the matches of; 0 when others had searched all of them. */
  readonly searched: number;
  /** Matches that are new. */
  readonly added: number;
  /** The state of the whole lookback afterwards; absent when the query was deleted. */
  readonly state?: LookbackProgress["state"];
}

/** The pending lookbacks of a store. */
export interface LookbackRunner {
  /** Runs the lookback of a query in the background. */
  start(part: LookbackKey["part"], account: string, queryId: string): void;
  /**
   * Continues every pending lookback of the store, and resolves when none is left.
   *
   * @throws {Error} when `stop` is called before
   * @throws {AccountSettingsError} when another version of edgeproof has written an account, whose lookbacks stay pending
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  settled(): Promise<void>;
  /**
   * The open part of all pending lookbacks, in ranges that take seconds each: of each query the newest records first. For
   * processes that share the work; `settled`, and the process that created the query, work on the same records.
   *
   * @param limit maximum number of ranges, an integer from 1; default 1,000
   * @throws {RangeError} for another limit
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  pendingRanges(limit?: number): Promise<readonly LookbackRange[]>;
  /**
   * Searches what is left of a range. It is stored some thousand records at a time, so that a further call continues after
   * a process that was killed, and a record that another process has searched meanwhile changes nothing. Records that
   * cannot be read end the lookback as failed.
   *
   * @throws {TypeError | RangeError} for a value that is not a range
   * @throws {AccountSettingsError} when another version of edgeproof has written the account
   * @throws {DependencyUnavailableError} when the store cannot be reached
   * @throws the abort reason of `signal`, and an Error when `stop` is called before
   */
  searchRange(range: LookbackRange, options?: { readonly signal?: AbortSignal }): Promise<RangeOutcome>;
  /** Stops the work after the current step; another process, or a later one, continues it. */
  stop(): Promise<void>;
}

/** Time before a store that could not be reached is tried again, in milliseconds. */
const retryMs = 1_000;
const defaultRanges = 1_000;

/** With `lookbackCheckMs` in the context, looks so often for lookbacks that another process has left. */
export function createLookbackRunner(context: ServiceContext, prepare: PrepareSearches): LookbackRunner {
  const abort = new AbortController();
  const { signal } = abort;
  const waiting = new Map<string, LookbackKey>();
  /** Lookbacks that this process must leave to others. */
  const left = new Map<string, AccountSettingsError>();
  let running: Promise<void> | undefined;
  const looks = repeat(context.lookbackCheckMs, async () => {
    for (const key of await readPending(context)) {
      if (waiting.has(nameOf(key)) || !isAbandoned(key, context.clock())) continue;
      if (await isTakenOver(context, key)) enqueue(key);
    }
  });

  async function runAll(): Promise<void> {
    try {
      for (const name of waiting.keys()) {
        let done: LookbackKey | undefined;
        // A query that is changed at the end of its lookback has another one.
        for (let key = waiting.get(name); key && key !== done; key = waiting.get(name)) {
          const error = await run(context, prepare, key, signal);
          if (error) left.set(name, error);
          done = key;
        }
        waiting.delete(name);
      }
    } catch {
      // Only an abort ends the work early; what is left stays in the store.
      waiting.clear();
    }
    running = undefined;
  }

  function enqueue({ part, scope, id }: LookbackKey): void {
    if (signal.aborted) return;
    waiting.set(nameOf({ part, scope, id }), { part, scope, id });
    running ??= runAll();
  }

  return {
    start: (part, scope, id) => enqueue({ part, scope, id }),
    settled: async () => {
      left.clear();
      for (;;) {
        signal.throwIfAborted();
        const pending = await readPending(context);
        if (pending.length === 0) return;
        for (const key of pending) {
          const error = left.get(nameOf(key));
          if (error) throw error;
        }
        for (const key of pending) enqueue(key);
        await running;
      }
    },
    pendingRanges: async (limit = defaultRanges) => {
      requireArgument("limit", limit, integerFrom(1));
      return rangesOf(await readPending(context), limit);
    },
    searchRange: async (range, options = {}) => {
      checkRange(range);
      const either = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
      return searchRange(context, prepare, range, either);
    },
    stop: async () => {
      abort.abort(new Error("The edge was closed before all lookbacks were finished."));
      await looks.stop();
      await running;
    },
  };
}

function nameOf({ part, scope, id }: LookbackKey): string {
  return JSON.stringify([part, scope, id]);
}

/** Calls `work` every so often, one call at a time; not at all without an interval. Errors end only the call. */
function repeat(intervalMs: number | undefined, work: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const call = () => {
    running ??= work()
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
  };
  const timer = intervalMs ? setInterval(call, intervalMs).unref() : undefined;
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** A pending lookback of either kind. */
type PendingLookback = LookbackRecord & LookbackKey;

function readPending({ store }: ServiceContext): Promise<readonly PendingLookback[]> {
  return store.read(async (tx) => {
    const pending: PendingLookback[] = [];
    for (const { part, lookbacks } of Object.values(lookbackCollections))
      for (const scope of await tx.scopes(lookbacks))
        for (const record of await tx.find(lookbacks, scope)) pending.push({ ...record, part });
    return pending;
  });
}

function isTakenOver({ store, clock }: ServiceContext, key: LookbackKey): Promise<boolean> {
  return store.write((tx) => takeOver(tx, key, clock()), inQueue(key.scope, key.part));
}

function rangesOf(pending: readonly PendingLookback[], limit: number): readonly LookbackRange[] {
  const ranges: LookbackRange[] = [];
  for (const record of pending) {
    for (const [from, to] of joinedPieces(pendingPieces(record))) {
      if (ranges.length === limit) return ranges;
      const { part, scope: account, id: queryId } = record;
      ranges.push({ ...(part !== "logos" && { part }), account, queryId, from, to });
    }
  }
  return ranges;
}

const aRange = objectWith({
  part: optional(oneOf(...Object.keys(lookbackCollections))),
  account: aString,
  queryId: aString,
  from: integerFrom(1),
});

/** @throws {TypeError | RangeError} */
function checkRange(range: LookbackRange): void {
  requireArgument("range", range, aRange);
  requireArgument("range.to", range.to, integerFrom(range.from + 1));
}

/** Runs one lookback to its end; returns why it must be left to another process. @throws the abort reason */
async function run(
  context: ServiceContext,
  prepare: PrepareSearches,
  key: LookbackKey,
  signal: AbortSignal,
): Promise<AccountSettingsError | undefined> {
  const step = createSearchStep(context, prepare, key, signal);
  // Processes on the same lookback begin at the newest records; one that is later than another goes elsewhere.
  let startAt = 0;
  for (;;) {
    try {
      const stored = await step({ startAt });
      if (!stored) return undefined;
      if (stored.searched === 0 && !stored.isOutdated)
        startAt = Number.parseInt(context.ids.hex(8), 16) / 2 ** 32;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AccountSettingsError) return error;
      if (await isFailureStored(context, key, error)) return undefined;
      await wait(retryMs, undefined, { signal, ref: false });
    }
  }
}

async function isFailureStored(context: ServiceContext, key: LookbackKey, error: unknown): Promise<boolean> {
  try {
    await failLookback(context, key, error);
    return true;
  } catch {
    return false;
  }
}

async function searchRange(
  context: ServiceContext,
  prepare: PrepareSearches,
  { part = "logos", account, queryId, from, to }: LookbackRange,
  signal: AbortSignal,
): Promise<RangeOutcome> {
  const key = { part, scope: account, id: queryId };
  const step = createSearchStep(context, prepare, key, signal);
  let total = { searched: 0, added: 0 };
  try {
    for (let stored = await step({ range: [from, to] }); stored; stored = await step({ range: [from, to] }))
      total = { searched: total.searched + stored.searched, added: total.added + stored.added };
  } catch (error) {
    signal.throwIfAborted();
    await failLookback(context, key, error);
  }
  const { queries } = lookbackCollections[part];
  const query = await context.store.read((tx) => tx.get(queries, account, queryId));
  return { ...total, ...(query?.lookback && { state: query.lookback.state }) };
}
