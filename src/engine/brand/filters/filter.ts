/**
 * Filters propose the patterns that may match a text: possibly too many, never too few; `pattern-search.ts` confirms
 * them. The search is WebAssembly (assembly/names.ts); this file divides the patterns among its algorithms and writes
 * its tables.
 *
 * docs/decisions/0004-matching-algorithms.md has the measurements behind the choice of algorithms.
 */

import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import type { Occurrence } from "../matching/distance.ts";
import { classCount, classesOf, maskOf, patternWork } from "../names/alphabet.ts";
import { groupedLength, writeGroups } from "./filter-groups.ts";
import { hasPieces, pieceIndexOf, writeIndex } from "./filter-index.ts";
import { keepInMemory, namesMemory } from "./filter-memory.ts";
import type { FilterMode, FilterPattern, OrderedPattern, PartitionedPatterns } from "./filter-pattern.ts";
import { createTableWriter, filterFields, type TableWriter } from "./filter-tables.ts";

export interface CandidateFilter {
  /** Size of the tables in bytes. */
  readonly bytes: number;
  /** Number of patterns of each algorithm. */
  readonly shares: AlgorithmShares;
  /** Searches the text from `start` to `end`, addresses of `textAt`; returns the number of patterns found. */
  find(start: number, end: number): number;
  /** Index of the i-th pattern found, in the caller's list. */
  found(i: number): number;
  /** The distance of the i-th pattern found from the whole text that was searched; undefined when it is not known. */
  distance(i: number): number | undefined;
  /** The best occurrence of the pattern of an index, of up to 64 letters, in a text; undefined when there is none. */
  locate(index: number, start: number, end: number): Occurrence | undefined;
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
  /** Number of classes that a text can have; default: all. */
  readonly classes?: number;
  /** Minimum number of patterns for an index; set by tests and measurements. */
  readonly minIndexed?: number;
}

/** Minimum number of patterns for which an index is faster. */
const minIndexedPatterns = { label: 48, contains: 96 } as const satisfies Record<FilterMode, number>;

/** Makes a filter for `patterns`. */
export function* filterSteps(
  patterns: readonly FilterPattern[],
  setting: FilterSetting,
): Steps<CandidateFilter> {
  const parts = yield* partitionPatterns(patterns, setting);
  const order = [...parts.linear, ...parts.grouped, ...parts.indexed];
  const { bytes, foundAt } = yield* writeTables(parts, order, setting);
  const addressOf = keepInMemory(bytes);
  const indexes = Uint32Array.from(order, ({ index }) => index);
  const numbers = new Uint32Array(order.length);
  indexes.forEach((index, number) => {
    numbers[index] = number;
  });
  const label = setting.mode === "label";
  const names = namesMemory();
  const { findWhole, findWithin, locate } = names.exports;
  const entryOf = (i: number) => names.words[((addressOf() + foundAt) >>> 2) + i] ?? 0;
  return {
    bytes: bytes.length,
    shares: {
      linear: parts.linear.length,
      grouped: parts.grouped.length,
      indexed: parts.indexed.length,
    },
    find: label
      ? (start, end) => findWhole(addressOf(), start, end)
      : (start, end) => findWithin(addressOf(), start, end),
    found: (i) => indexes[entryOf(i) & patternBits] ?? 0,
    distance(i) {
      const distance = (entryOf(i) >>> distanceShift) - 1;
      return distance < 0 ? undefined : distance;
    },
    locate: (index, start, end) => unpackOccurrence(locate(addressOf(), numbers[index] ?? 0, start, end)),
  };
}

function* writeTables(
  parts: PartitionedPatterns,
  order: readonly OrderedPattern[],
  setting: FilterSetting,
): Steps<{ readonly bytes: Uint8Array; readonly foundAt: number }> {
  const { mode, transpositions, classes = classCount } = setting;
  const writer = createTableWriter(filterFields);
  yield* writePatterns(writer, order, transpositions);
  const foundAt = writer.reserve("found", wordBytes * order.length);
  if (parts.linear.length > 0) yield* writeLinear(writer, parts.linear);
  if (parts.grouped.length > 0)
    yield* writeGroups(writer, parts.grouped, { first: parts.linear.length, mode, classes });
  if (parts.indexed.length > 0) {
    const first = parts.linear.length + parts.grouped.length;
    const patterns = parts.indexed.map(({ classes, limit }, i) => ({
      classes,
      limit,
      mode,
      number: first + i,
    }));
    yield* writeIndex(writer, yield* pieceIndexOf(patterns, transpositions));
  }
  return { bytes: writer.finish(), foundAt };
}

/** A found entry is the pattern's number in the low bits, and its distance plus one above, or 0 when it is unknown. */
const distanceShift = 28;
const patternBits = 2 ** distanceShift - 1;

function* partitionPatterns(
  patterns: readonly FilterPattern[],
  setting: FilterSetting,
): Steps<PartitionedPatterns> {
  const { mode, minIndexed = minIndexedPatterns[mode] } = setting;
  const all = yield* mapInRows(patterns, patternWork, ({ ids, limit }, index) => ({
    ids,
    limit,
    index,
    classes: classesOf(ids),
  }));
  all.sort((a, b) => a.ids.length - b.ids.length);
  const indexable = all.filter((pattern) => canIndex(pattern, setting));
  const indexed = new Set(indexable.length < minIndexed ? [] : indexable);
  const others = all.filter((pattern) => !indexed.has(pattern));
  const linear: OrderedPattern[] = [];
  const grouped: OrderedPattern[] = [];
  yield* mapInRows(others, patternWork, (pattern) => {
    (isSelective(pattern, setting) ? linear : grouped).push(pattern);
  });
  return { linear, grouped, indexed: [...indexed] };
}

/** Letters of a pattern that a name must have, for its mask to exclude most names. Whole labels are compared in both directions. */
const minMaskLetters = { label: 3, contains: 5 } as const satisfies Record<FilterMode, number>;
/** Pairs of neighbors that a name must have, to exclude most names: without edits, and with some. */
const minPairs = { exact: 2, edited: 5 } as const;

/** Whether masks of letters and pairs exclude most names; the other patterns are compared in groups, unless they are too long as labels. */
function isSelective(
  { ids, classes, limit }: OrderedPattern,
  { mode, transpositions }: FilterSetting,
): boolean {
  if (mode === "label" && ids.length > groupedLength) return true;
  const pairs = new Set(classes.subarray(1).map((letter, i) => pairOf(classes[i] ?? 0, letter))).size;
  return (
    new Set(classes).size - limit >= minMaskLetters[mode] ||
    pairs - (transpositions ? 3 : 2) * limit >= (limit === 0 ? minPairs.exact : minPairs.edited)
  );
}

function canIndex({ ids, limit }: FilterPattern, setting: FilterSetting): boolean {
  return hasPieces(ids.length, limit, setting);
}

/** Writes the tables that all algorithms share. */
function* writePatterns(
  writer: TableWriter,
  order: readonly OrderedPattern[],
  transpositions: boolean,
): Steps<void> {
  const offsets = runningSums(order.map(({ classes }) => classes.length));
  writer.set("swaps", transpositions ? 1 : 0);
  writer.set("patternCount", order.length);
  writer.set("widest", Math.max(0, ...new Set(order.map(({ limit }) => limit))));
  const masks = yield* mapInRows(order, patternWork, ({ classes }) => maskOf(classes));
  writer.write("masks", Uint32Array.from(masks));
  writer.write(
    "lengths",
    Uint16Array.from(order, ({ classes }) => classes.length),
  );
  writer.write(
    "limits",
    Uint8Array.from(order, ({ limit }) => limit),
  );
  writer.write("offsets", Uint32Array.from(offsets.slice(0, -1)));
  const letters = new Uint8Array(offsets.at(-1) ?? 0);
  yield* mapInRows(order, patternWork, ({ classes }, i) => letters.set(classes, offsets[i]));
  writer.write("letters", letters);
  writer.reserve("stamps", wordBytes * order.length);
}

const wordBytes = 4;

function* writeLinear(writer: TableWriter, patterns: readonly OrderedPattern[]): Steps<void> {
  const maxLength = 255;
  const counts = new Uint32Array(maxLength + 1);
  for (const { ids } of patterns) {
    const length = Math.min(maxLength, ids.length);
    counts[length] = (counts[length] ?? 0) + 1;
  }
  writer.set("linearEnd", patterns.length);
  const pairs = yield* mapInRows(patterns, patternWork, ({ classes }) => pairsOf(classes));
  writer.write("pairs", BigUint64Array.from(pairs));
  writer.write("lengthStarts", Uint32Array.from(runningSums(counts)));
}

/** The pairs of neighbors of a pattern, as bits of a hash (assembly/names.ts). */
function pairsOf(classes: Uint8Array): bigint {
  let bits = 0n;
  for (let i = 1; i < classes.length; i++) bits |= 1n << BigInt(pairOf(classes[i - 1] ?? 0, classes[i] ?? 0));
  return bits;
}

/** The bit of two neighbors, 0 to 63. */
function pairOf(first: number, second: number): number {
  return (first * 13 + second) & 63;
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
