/** Matching a stream of names: lazily, with progress and abort. */

import type { DomainMatch } from "../model.ts";
import { type HostFault, normalizeHost } from "../names/host.ts";

/** A record about a name; whatever else it carries is handed through. */
export interface NamedRecord {
  readonly domain: string;
}

/** A name that matched. */
export interface Scanned<T> {
  /** The name or record as it came. */
  readonly name: T;
  /** At least one. */
  readonly matches: readonly DomainMatch[];
}

/** How far a scan is. */
export interface ScanProgress {
  readonly names: number;
  readonly matched: number;
  /** Names that are no host names. */
  readonly bad: number;
}

/** A name that is no host name. */
export interface BadName {
  /** Position in the stream, from 1. */
  readonly line: number;
  readonly name: unknown;
  readonly fault: HostFault;
  readonly message: string;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Called every `progressEvery` names, and at the end. */
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Default 10,000. */
  readonly progressEvery?: number;
  /** Called for each name that is no host name. */
  readonly onBadName?: (bad: BadName) => void;
}

/** What a scan reads: names or records one by one, or arrays of them, which cost less where they come from a stream. */
export type NameSource<T> = Iterable<T | readonly T[]> | AsyncIterable<T | readonly T[]>;

const defaultProgressEvery = 10_000;

/** The matches of a host; undefined for what is no host name. */
export type MatchOrFault = (host: string) => readonly DomainMatch[] | undefined;

/**
 * Matches names as they are asked for. Names of a plain iterable are taken without waiting in between; every so many, whoever
 * else has work gets a turn, so that an abort can arrive.
 */
export async function* scanNames<T extends string | NamedRecord>(
  match: MatchOrFault,
  names: NameSource<T>,
  options: ScanOptions = {},
): AsyncGenerator<Scanned<T>, void, undefined> {
  const { signal } = options;
  const run = startRun<T>(match, options);
  const items = Symbol.asyncIterator in names ? abortable(names, signal) : names;
  if (Symbol.asyncIterator in items) {
    for await (const item of items) for (const found of run.takeItem(item)) yield found;
  } else {
    for (const item of items) {
      for (const found of run.takeItem(item)) yield found;
      if (run.isTurnOver()) await new Promise((resume) => setImmediate(resume));
    }
  }
  run.report();
}

interface Run<T> {
  takeItem(item: T | readonly T[]): Iterable<Scanned<T>>;
  /** True once after each stretch of names. */
  isTurnOver(): boolean;
  report(): void;
}

const nothing: readonly never[] = [];

function startRun<T extends string | NamedRecord>(match: MatchOrFault, options: ScanOptions): Run<T> {
  const { signal, onProgress, progressEvery = defaultProgressEvery } = options;
  const progress = { names: 0, matched: 0, bad: 0 };
  let turn = 0;

  function take(name: T): Scanned<T> | undefined {
    signal?.throwIfAborted();
    const host = typeof name === "string" ? name : name?.domain;
    const matches = match(host);
    progress.names += 1;
    if (matches === undefined) reportBad(name, host);
    else if (matches.length > 0) progress.matched += 1;
    if (progress.names % progressEvery === 0) onProgress?.({ ...progress });
    return matches?.length ? { name, matches } : undefined;
  }

  function reportBad(name: T, host: unknown): void {
    progress.bad += 1;
    const result = normalizeHost(host);
    if (result.ok) return;
    options.onBadName?.({ line: progress.names, name, fault: result.fault, message: result.message });
  }

  function* takeBatch(names: readonly T[]): Iterable<Scanned<T>> {
    for (const name of names) {
      const found = take(name);
      if (found) yield found;
    }
  }

  return {
    takeItem(item) {
      if (Array.isArray(item)) return takeBatch(item);
      const found = take(item as T);
      return found ? [found] : nothing;
    },
    isTurnOver() {
      const now = Math.floor(progress.names / defaultProgressEvery);
      const over = now !== turn;
      turn = now;
      return over;
    },
    report: () => onProgress?.({ ...progress }),
  };
}

/** Ends the wait for the next item when the signal is aborted, and lets the source go. */
async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncIterable<T> {
  if (!signal) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (
      let next = await nextOrAbort(iterator, signal);
      !next.done;
      next = await nextOrAbort(iterator, signal)
    ) {
      yield next.value;
    }
  } finally {
    // Not awaited: a source that is stuck would hold the abort back.
    void iterator.return?.()?.catch(() => {});
  }
}

/** A listener for each item, taken away with it: one promise for all would keep every item in memory. */
function nextOrAbort<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    iterator.next().then(
      (result) => {
        signal.removeEventListener("abort", abort);
        resolve(result);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}
