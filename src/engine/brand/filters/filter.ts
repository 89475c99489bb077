/**
 * Filters: which patterns may match a text at all. A filter may name too many, never too few; `channel-search.ts` decides. The work is done in
 * WebAssembly (assembly/names.ts); here the patterns are divided among the algorithms and laid out in its memory.
 *
 * Which algorithm when is measured in docs/decisions/0004-matching-algorithms.md.
 */

import type { Found } from "../matching/distance.ts";
import type { MatchMode } from "../model.ts";
import { classOf, maskOf } from "../names/alphabet.ts";
import { groupedLength, writeGroups } from "./filter-groups.ts";
import { pieceIndexOf, writeIndex } from "./filter-index.ts";
import { maxTextLength, type NamesWasm, startNamesWasm } from "./filter-memory.ts";
import type { FilterPattern, Placed, PlacedPattern } from "./filter-pattern.ts";

export interface CandidateFilter {
  /** Where the classes of the text are put. */
  readonly text: Uint8Array;
  /** Bytes held. */
  readonly bytes: number;
  /** How many patterns each algorithm has. */
  readonly shares: Shares;
  /** Looks at the part of the text from start to end; says how many patterns stand in `found`. */
  find(start: number, end: number): number;
  /** The i-th pattern found. */
  found(i: number): number;
  /** The best occurrence of the i-th pattern found in the text that was searched; undefined: the filter does not know. */
  locate(i: number, start: number, end: number): Found | undefined;
}

/** Patterns by algorithm: compared one by one, 32 at a time, by the index of their pieces. */
export interface Shares {
  readonly linear: number;
  readonly grouped: number;
  readonly indexed: number;
}

export interface FilterSetting {
  readonly mode: MatchMode;
  readonly transpositions: boolean;
  /** Fewest patterns for an index; set by tests and measurements. */
  readonly minIndexed?: number;
}

/** Fewer patterns than this are not worth an index. */
const fewestIndexed = { label: 48, contains: 96 } as const satisfies Record<MatchMode, number>;
/** Shorter pieces occur in too many names. */
const minPieceLength = { label: 2, contains: 3 } as const satisfies Record<MatchMode, number>;
/** Longer patterns are not indexed. */
const maxIndexedLength = 254;

/** Makes a filter; `patterns` are numbered as they are given. */
export function createFilter(patterns: readonly FilterPattern[], setting: FilterSetting): CandidateFilter {
  const placed = placePatterns(patterns, setting);
  const wasm = startNamesWasm();
  const order = [...placed.linear, ...placed.grouped, ...placed.indexed];
  writePatterns(wasm, order, setting.transpositions);
  writeLinear(wasm, placed.linear, order);
  writeGroups(wasm, placed.grouped, placed.linear.length, setting.mode);
  if (placed.indexed.length > 0) writeIndex(wasm, pieceIndexOf(placed, setting.mode));
  const foundAt = wasm.found >>> 2;
  const words = new Uint32Array(wasm.memory.buffer);
  const indexes = Uint32Array.from(order, ({ index }) => index);
  const label = setting.mode === "label";
  return {
    text: new Uint8Array(wasm.memory.buffer, 0, maxTextLength),
    bytes: wasm.memory.buffer.byteLength,
    shares: {
      linear: placed.linear.length,
      grouped: placed.grouped.length,
      indexed: placed.indexed.length,
    },
    find: label ? wasm.exports.findWhole : wasm.exports.findWithin,
    found: (i) => indexes[words[foundAt + i]! & patternBits]!,
    locate(i, start, end) {
      const entry = words[foundAt + i]!;
      if (!label) return unpackFound(wasm.exports.locate(entry & patternBits, start, end));
      const distance = (entry >>> distanceShift) - 1;
      return distance < 0 ? undefined : { distance, span: { start, end } };
    },
  };
}

/** What is found is a pattern's number and, above it, its distance plus one, or 0 where that is not known. */
const distanceShift = 28;
const patternBits = 2 ** distanceShift - 1;

function placePatterns(patterns: readonly FilterPattern[], setting: FilterSetting): Placed {
  const { mode, minIndexed = fewestIndexed[mode] } = setting;
  const all = patterns.map((pattern, index) => ({
    ...pattern,
    index,
    classes: Uint8Array.from(pattern.ids, classOf),
  }));
  all.sort((a, b) => a.ids.length - b.ids.length);
  const indexable = all.filter((pattern) => canIndex(pattern, setting));
  const indexed = new Set(indexable.length < minIndexed ? [] : indexable);
  const isGrouped = ({ ids }: PlacedPattern) => mode === "contains" || ids.length <= groupedLength;
  const others = all.filter((pattern) => !indexed.has(pattern));
  return {
    linear: others.filter((pattern) => !isGrouped(pattern)),
    grouped: others.filter(isGrouped),
    indexed: [...indexed],
  };
}

function canIndex({ ids, limit }: FilterPattern, { mode, transpositions }: FilterSetting): boolean {
  // A swap across the border of two pieces breaks both, so that none may be left.
  if (transpositions || ids.length > maxIndexedLength) return false;
  return Math.floor(ids.length / (limit + 1)) >= minPieceLength[mode];
}

/** What every algorithm needs of a pattern. */
function writePatterns(wasm: NamesWasm, order: readonly PlacedPattern[], transpositions: boolean): void {
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
  patterns: readonly PlacedPattern[],
  all: readonly PlacedPattern[],
): void {
  const cap = 255;
  const counts = new Array<number>(cap + 1).fill(0);
  for (const { ids } of patterns) counts[Math.min(cap, ids.length)]! += 1;
  const widest = all.reduce((k, { limit }) => Math.max(k, limit), 0);
  wasm.exports.setLinear(patterns.length, wasm.write(Uint32Array.from(runningSums(counts))), widest);
}

/** Sums of the first 0, 1, 2, ... numbers. */
function runningSums(numbers: readonly number[]): number[] {
  const sums = [0];
  for (const n of numbers) sums.push(sums.at(-1)! + n);
  return sums;
}

function unpackFound(packed: number): Found | undefined {
  if (packed < 0) return undefined;
  return { distance: packed >> 28, span: { start: (packed >> 14) & 0x3fff, end: packed & 0x3fff } };
}
