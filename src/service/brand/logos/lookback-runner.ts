/**
 * Runs pending lookbacks in the background, one after another. The position is stored with each page, so that any
 * process continues after another one ended; of two that search the same page, one stores it.
 */
import { setTimeout as wait } from "node:timers/promises";
import { DependencyUnavailableError } from "../../../errors.ts";
import type { LogoLookbackRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import type { Detectors } from "./detectors.ts";
import { type LogoTarget, searchScans } from "./logo-lookback.ts";
import { nextScans, storeFailure, storeProgress } from "./pending-lookback.ts";
import { readStoredDescriptor } from "./stored-descriptors.ts";

/** The pending lookbacks of this process. */
export interface LookbackRunner {
  /** Runs the lookback of a query in the background. */
  start(account: string, queryId: string): void;
  /**
   * Continues every pending lookback of the store, and resolves when none is left.
   *
   * @throws {Error} when `stop` is called before
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  settled(): Promise<void>;
  /** Stops the work after the current step; another process, or a later one, continues it. */
  stop(): Promise<void>;
}

/** Time before a store that could not be reached is tried again, in milliseconds. */
const retryMs = 1_000;

type Key = Pick<LogoLookbackRecord, "scope" | "id">;

export function createLookbackRunner(context: ServiceContext, detectors: Detectors): LookbackRunner {
  const abort = new AbortController();
  const { signal } = abort;
  const waiting = new Map<string, Key>();
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    try {
      for (const [name, key] of waiting) {
        await run(context, detectors, key, signal);
        waiting.delete(name);
      }
    } catch {
      // Only an abort ends the work early; what is left stays in the store.
      waiting.clear();
    }
    running = undefined;
  }

  function enqueue(key: Key): void {
    waiting.set(JSON.stringify([key.scope, key.id]), key);
    running ??= runAll();
  }

  return {
    start: (scope, id) => enqueue({ scope, id }),
    settled: async () => {
      for (;;) {
        signal.throwIfAborted();
        const pending = await readPending(context);
        if (pending.length === 0) return;
        for (const key of pending) enqueue(key);
        await running;
      }
    },
    stop: async () => {
      abort.abort(new Error("The edge was closed before all lookbacks were finished."));
      await running;
    },
  };
}

function readPending({ store }: ServiceContext): Promise<readonly Key[]> {
  return store.read(async (tx) => {
    const pending: Key[] = [];
    for (const scope of await tx.scopes("brand_logo_lookbacks"))
      pending.push(...(await tx.find("brand_logo_lookbacks", scope)));
    return pending;
  });
}

/** Runs one lookback to its end. @throws the abort reason */
async function run(context: ServiceContext, detectors: Detectors, key: Key, signal: AbortSignal) {
  for (;;) {
    try {
      return await searchToEnd(context, detectors, key, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DependencyUnavailableError)) {
        if (await isFailureStored(context, key, error)) return;
      }
      await wait(retryMs, undefined, { signal, ref: false });
    }
  }
}

async function searchToEnd(
  { store }: ServiceContext,
  detectors: Detectors,
  { scope, id }: Key,
  signal: AbortSignal,
): Promise<void> {
  let target: LogoTarget | undefined;
  for (;;) {
    signal.throwIfAborted();
    const next = await store.read(async (tx) => {
      const record = await tx.get("brand_logo_lookbacks", scope, id);
      const query = record && (await tx.get("brand_logo_queries", scope, id));
      return query && { record, query, page: await nextScans(tx, record) };
    });
    // It is done, or the query was deleted.
    if (!next) return;
    const { record, query, page } = next;
    if (!target) {
      const descriptor = await readStoredDescriptor(store.blobs, query.store_path, "query");
      const [detector] = await detectors.load([query], signal);
      if (!descriptor || !detector) throw new Error(`the picture of logo query ${id} cannot be read`);
      target = { descriptor, detector, threshold: query.similarity_threshold };
    }
    const found = await searchScans(store.blobs, page, target, record.dense_from, signal);
    await store.write((tx) => storeProgress(tx, record, page, found), inQueue(scope, "logos"));
  }
}

/** Stores that an error ended a lookback; false when that fails too. */
async function isFailureStored({ store }: ServiceContext, key: Key, error: unknown): Promise<boolean> {
  const message = error instanceof Error ? error.message : String(error);
  try {
    await store.write((tx) => storeFailure(tx, key, message), inQueue(key.scope, "logos"));
    return true;
  } catch {
    return false;
  }
}
