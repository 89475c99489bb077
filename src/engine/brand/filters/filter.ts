/**
 * Filters propose the patterns that may match a text: possibly too many, never too few; `pattern-search.ts` confirms
 * them. The search is WebAssembly (assembly/names.ts); this file divides the patterns among its algorithms and writes
 * its tables.
 *
 * docs/decisions/0004-matching-algorithms.md has the measurements behind the choice of algorithms.
 */

import type { Occurrence } from "../matching/distance.ts";
import { classOf, maskOf } from "../names/alphabet.ts";
import { groupedLength, writeGroups } from "./filter-groups.ts";
import { pieceIndexOf, writeIndex } from "./filter-index.ts";
import { maxTextLength, type NamesWasm, startNamesWasm } from "./filter-memory.ts";
import type { FilterMode, FilterPattern, OrderedPattern, PartitionedPatterns } from "./filter-pattern.ts";

export interface CandidateFilter {
  /** The caller writes the classes of the text here. */
  readonly text: Uint8Array;
  /** Size of the memory in bytes. */
  readonly bytes: number;
  /** Number of patterns of each algorithm. */
  readonly shares: AlgorithmShares;
  /** Searches the text from `start` to `end` and returns the number of patterns found. */
  find(start: number, end: number): number;
  /** Index of the i-th pattern found, in the caller's list. */
  found(i: number): number;
  /** The best occurrence of the i-th pattern found in the searched text; undefined when there is none. */
  locate(i: number, start: number, end: number): Occurrence | undefined;
}

/** Number of patterns by algorithm: compared one by one, 32 at a time, by the piece index. */
export interface AlgorithmShares {
  readonly linear: number;
  readonly grouped: number;
  readonly indexed: number;
}

export interface FilterSetting {
  readonly mode: FilterMode;
  readonly transpositions: boolean;
  /** Minimum number of patterns for an index; set by tests and measurements. */
  readonly minIndexed?: number;
}

/** Minimum number of patterns for which an index is faster. */
const minIndexedPatterns = { label: 48, contains: 96 } as const satisfies Record<FilterMode, number>;
/** Shorter pieces occur in too many names. */
const minPieceLength = { label: 2, contains: 3 } as const satisfies Record<FilterMode, number>;
/** Longer patterns are not indexed. */
const maxIndexedLength = 254;

/** Makes a filter for `patterns`. */
export function createFilter(patterns: readonly FilterPattern[], setting: FilterSetting): CandidateFilter {
  const parts = partitionPatterns(patterns, setting);
  const wasm = startNamesWasm();
  const order = [...parts.linear, ...parts.grouped, ...parts.indexed];
  writePatterns(wasm, order, setting.transpositions);
  writeLinear(wasm, parts.linear, order);
  writeGroups(wasm, parts.grouped, parts.linear.length, setting.mode);
  if (parts.indexed.length > 0) writeIndex(wasm, pieceIndexOf(parts, setting.mode));
  const foundAt = wasm.found >>> 2;
  const words = new Uint32Array(wasm.memory.buffer);
  const indexes = Uint32Array.from(order, ({ index }) => index);
  const label = setting.mode === "label";
  return {
    text: new Uint8Array(wasm.memory.buffer, 0, maxTextLength),
    bytes: wasm.memory.buffer.byteLength,
    shares: {
      linear: parts.linear.length,
      grouped: parts.grouped.length,
      indexed: parts.indexed.length,
    },
    find: label ? wasm.exports.findWhole : wasm.exports.findWithin,
    found: (i) => indexes[(words[foundAt + i] ?? 0) & patternBits] ?? 0,
    locate(i, start, end) {
      const entry = words[foundAt + i] ?? 0;
      if (!label) return unpackOccurrence(wasm.exports.locate(entry & patternBits, start, end));
      const distance = (entry >>> distanceShift) - 1;
      return distance < 0 ? undefined : { distance, span: { start, end } };
    },
  };
}

/** A found entry is the pattern's number in the low bits, and its distance plus one above, or 0 when it is unknown. */
const distanceShift = 28;
const patternBits = 2 ** distanceShift - 1;

function partitionPatterns(patterns: readonly FilterPattern[], setting: FilterSetting): PartitionedPatterns {
  const { mode, minIndexed = minIndexedPatterns[mode] } = setting;
  const all = patterns.map((pattern, index) => ({
    ...pattern,
    index,
    classes: Uint8Array.from(pattern.ids, classOf),
  }));
  all.sort((a, b) => a.ids.length - b.ids.length);
  const indexable = all.filter((pattern) => canIndex(pattern, setting));
  const indexed = new Set(indexable.length < minIndexed ? [] : indexable);
  const isGrouped = ({ ids }: OrderedPattern) => mode === "contains" || ids.length <= groupedLength;
  const others = all.filter((pattern) => !indexed.has(pattern));
  return {
    linear: others.filter((pattern) => !isGrouped(pattern)),
    grouped: others.filter(isGrouped),
    indexed: [...indexed],
  };
}

function canIndex({ ids, limit }: FilterPattern, { mode, transpositions }: FilterSetting): boolean {
  // A swap across the border of two pieces changes both, so that no piece may be unchanged.
  if (transpositions || ids.length > maxIndexedLength) return false;
  return Math.floor(ids.length / (limit + 1)) >= minPieceLength[mode];
}

/** Writes the tables that all algorithms share. */
function writePatterns(wasm: NamesWasm, order: readonly OrderedPattern[], transpositions: boolean): void {
  const offsets = runningSums(order.map(({ classes }) => classes.length));
  wasm.found = wasm.reserve(4 * order.length);
  const stamps = wasm.reserve(4 * order.length);
  wasm.exports.setPatterns(
    transpositions,
    order.length,
    wasm.write(Uint32Array.from(order, ({ classes }) => maskOf(classes))),
    wasm.write(Uint16Array.from(order, ({ classes }) => classes.length)),
    wasm.write(Uint8Array.from(order, ({ limit }) => limit)),
    wasm.write(Uint32Array.from(offsets.slice(0, -1))),
    wasm.write(Uint8Array.from(order.flatMap(({ classes }) => [...classes]))),
    stamps,
    wasm.found,
  );
}

function writeLinear(
  wasm: NamesWasm,
  patterns: readonly OrderedPattern[],
  all: readonly OrderedPattern[],
): void {
  const maxLength = 255;
  const counts = new Uint32Array(maxLength + 1);
  for (const { ids } of patterns) {
    const length = Math.min(maxLength, ids.length);
    counts[length] = (counts[length] ?? 0) + 1;
  }
  const widest = all.reduce((k, { limit }) => Math.max(k, limit), 0);
  wasm.exports.setLinear(patterns.length, wasm.write(Uint32Array.from(runningSums(counts))), widest);
}

/** Sums of the first 0, 1, 2, ... numbers. */
function runningSums(numbers: Iterable<number>): number[] {
  let sum = 0;
  const sums = [sum];
  for (const n of numbers) {
    sum += n;
    sums.push(sum);
  }
  return sums;
}

function unpackOccurrence(packed: number): Occurrence | undefined {
  if (packed < 0) return undefined;
  return { distance: packed >> 28, span: { start: (packed >> 14) & 0x3fff, end: packed & 0x3fff } };
}
