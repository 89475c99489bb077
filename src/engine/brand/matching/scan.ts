/** Matches a stream of names: lazily, with progress and abort. */

import { nextTurn } from "#next-turn";
import { abortable } from "../../../core/abortable.ts";
import { anyIterable, anyValue, optionsOf, requireArguments } from "../../../core/arguments.ts";
import type { DomainMatch } from "../model.ts";
import { type HostProblemReason, normalizeHost } from "../names/host.ts";

/** A record about a name; its other members are passed through. */
export interface NamedRecord {
  /** The name to match. */
  readonly domain: string;
}

/** A name that matched. */
export interface Scanned<T> {
  /** The name or record as given. */
  readonly name: T;
  /** At least one. */
  readonly matches: readonly DomainMatch[];
}

/** The progress of a scan. */
export interface ScanProgress {
  /** Names that were read, invalid ones included. */
  readonly names: number;
  /** Names with at least one match. */
  readonly matched: number;
  /** Names that are not host names. */
  readonly invalid: number;
}

/** A name that is not a host name. */
export interface InvalidName {
  /** Position in the stream, from 1. */
  readonly line: number;
  /** The name or record as given. */
  readonly name: unknown;
  /** Why the name is not a host name. */
  readonly reason: HostProblemReason;
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
}

/** How a stream of names is matched. */
export interface ScanOptions {
  /** Ends the scan; the scan then throws the abort reason. */
  readonly signal?: AbortSignal;
  /** Called every `progressEvery` names, and at the end. */
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Names between two calls of `onProgress`, at least 1; 10,000 by default. */
  readonly progressEvery?: number;
  /** Called for each name that is not a host name. */
  readonly onInvalidName?: (bad: InvalidName) => void;
}

const scanOptions = optionsOf<ScanOptions>("scan", {
  signal: anyValue,
  onProgress: anyValue,
  progressEvery: anyValue,
  onInvalidName: anyValue,
});

/** The input of a scan: names or records one by one, or arrays of them, which cost less when they come from a stream. */
export type NameSource<T> = Iterable<T | readonly T[]> | AsyncIterable<T | readonly T[]>;

const defaultProgressEvery = 10_000;

/** Returns the matches of a host; undefined for a value that is not a host name. */
export type MatchHost = (host: string) => readonly DomainMatch[] | undefined;

/**
 * Matches names lazily. Names of a plain iterable are read without waiting; after every 10,000 names the event loop
 * runs once, so that an abort can arrive.
 */
export async function* scanNames<T extends string | NamedRecord>(
  match: MatchHost,
  names: NameSource<T>,
  options: ScanOptions = {},
): AsyncGenerator<Scanned<T>, void, undefined> {
  requireArguments({ names: [names, anyIterable], options: [options, scanOptions] });
  const { signal } = options;
  const state = createScanState<T>(match, options);
  const items = Symbol.asyncIterator in names ? abortable(names, signal) : names;
  if (Symbol.asyncIterator in items) {
    for await (const item of items) for (const found of state.readItem(item)) yield found;
  } else {
    for (const item of items) {
      for (const found of state.readItem(item)) yield found;
      if (state.mustYield()) await nextTurn();
    }
  }
  state.reportProgress();
}

interface ScanState<T> {
  readItem(item: T | readonly T[]): Iterable<Scanned<T>>;
  /** True once after every 10,000 names. */
  mustYield(): boolean;
  reportProgress(): void;
}

const none: readonly never[] = [];

function createScanState<T extends string | NamedRecord>(
  match: MatchHost,
  options: ScanOptions,
): ScanState<T> {
  const { signal, onProgress, progressEvery = defaultProgressEvery } = options;
  const progress = { names: 0, matched: 0, invalid: 0 };
  let rounds = 0;

  function readName(name: T): Scanned<T> | undefined {
    signal?.throwIfAborted();
    const host = typeof name === "string" ? name : name?.domain;
    const matches = match(host);
    progress.names += 1;
    if (matches === undefined) reportInvalid(name, host);
    else if (matches.length > 0) progress.matched += 1;
    if (progress.names % progressEvery === 0) onProgress?.({ ...progress });
    return matches?.length ? { name, matches } : undefined;
  }

  function reportInvalid(name: T, host: unknown): void {
    progress.invalid += 1;
    const result = normalizeHost(host);
    if (result.ok) return;
    const [{ reason, message }] = result.problems;
    options.onInvalidName?.({ line: progress.names, name, reason, message });
  }

  function* readBatch(names: readonly T[]): Iterable<Scanned<T>> {
    for (const name of names) {
      const found = readName(name);
      if (found) yield found;
    }
  }

  return {
    readItem(item) {
      if (Array.isArray(item)) return readBatch(item);
      const found = readName(item as T);
      return found ? [found] : none;
    },
    mustYield() {
      const now = Math.floor(progress.names / defaultProgressEvery);
      const isNext = now !== rounds;
      rounds = now;
      return isNext;
    },
    reportProgress: () => onProgress?.({ ...progress }),
  };
}
