/**
 * One pass over an ASCII name that proposes patterns of all sets at once (`assembly/prefilter.ts`): possibly too many, never too
 * few. A pattern is compared only if the name has its letters, but for those that the edits remove.
 * Many patterns are in a piece index that all sets share, and only those of which a piece is in the name are compared.
 */

import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import { type Alphabet, alphabetSteps, classesOf, classOf, maskOf, patternWork } from "../names/alphabet.ts";
import { channelTextOf, separators } from "../names/channel-text.ts";
import { once } from "../names/derived-forms.ts";
import { maxEditDistance } from "../query.ts";
import { hasPieces, type IndexedPattern, pieceIndexOf, writeIndex } from "./filter-index.ts";
import { keepInMemory, namesMemory, textAt } from "./filter-memory.ts";
import { createTableWriter, indexFields } from "./filter-tables.ts";

/** The patterns of a set, as they are compared with names or with their skeletons. */
export interface PrefilteredSet {
  /** `part`: a whole part between separators, or as many neighboring ones as `runLength`. */
  readonly where: "anywhere" | "part";
  readonly runLength: number;
  readonly skeleton: boolean;
  /** The patterns are searched in the name without its separators. */
  readonly joined: boolean;
  readonly patterns: readonly { readonly points: readonly number[]; readonly limit: number }[];
}

export interface Prefilter {
  readonly bytes: number;
  /** Number of patterns in the index. */
  readonly indexed: number;
  /** Searches the first `length` letters of the name in `memory.ascii`; returns how many entries were found. */
  find(length: number): number;
  /** Calls `add` with the patterns of the first `count` entries that were found: any of them may be in the name. */
  eachFound(count: number, add: (set: number, pattern: number) => void): void;
}

/** A pattern by the positions of its set and of itself in the set. */
interface PatternPlace {
  readonly set: number;
  readonly pattern: number;
}

/** The fields of a block, in the order of `Field` in assembly/prefilter.ts. */
const fields = [
  "epoch",
  "letters",
  "masks",
  "tried",
  "stamps",
  "found",
  "swaps",
  "ranges",
  "patterns",
  "offsets",
  "joined",
  "longestRun",
  "skeletons",
  "skeletonParts",
  ...indexFields,
] as const;

/** Minimum number of patterns of a list for which an index is faster. */
const minIndexedPatterns = 32;

/** Patterns of the same letters and limit, in sets that are searched in the same place. */
interface Entry {
  readonly points: readonly number[];
  readonly classes: Uint8Array;
  readonly limit: number;
  readonly places: PatternPlace[];
}

/** The lists of entries, in the order of assembly/prefilter.ts. */
const lists = (["anywhere", "part"] as const).flatMap((where) =>
  [false, true].map((skeleton) => ({ where, skeleton })),
);

/** Makes a prefilter for sets that are numbered from 0; of undefined ones nothing is found. */
export function* prefilterSteps(
  sets: readonly (PrefilteredSet | undefined)[],
  transpositions: boolean,
  minIndexed = minIndexedPatterns,
): Steps<Prefilter> {
  const all: ListedPattern[] = [];
  for (const [i, set] of sets.entries())
    if (set) for (const pattern of yield* patternsOf(set, i, sets)) all.push(pattern);
  const alphabet = yield* alphabetSteps(all);
  const classAt = (c: number) => classOf(alphabet.idOf(c));
  const entries: Entry[] = [];
  const ranges: Uint32Array[] = [];
  const indexed: IndexedPattern[] = [];
  const starts: number[] = [];
  for (const list of lists) {
    const start = entries.length;
    starts.push(start);
    const mode = list.where === "part" ? "label" : "contains";
    const listed = yield* entriesOf(all.filter(isIn(list)), alphabet);
    // Letters that skeletons leave out would shorten pieces.
    const canIndex = ({ points, limit }: Entry) =>
      hasPieces(points.length, limit, { mode, transpositions }) &&
      (mode === "label" || points.every((c) => skeletonOf(c).length > 0));
    const withPieces = new Set(listed.filter(canIndex));
    if (withPieces.size < minIndexed) withPieces.clear();
    for (const entry of listed) if (!withPieces.has(entry)) entries.push(entry);
    ranges.push(list.where === "part" ? partRanges(entries, start) : anywhereRanges(entries, start));
    for (const entry of withPieces) {
      const { points, classes, limit } = entry;
      const expanded = points.map((c) => skeletonOf(c).map(classAt));
      indexed.push({ classes, limit, number: entries.length, mode, ...(list.skeleton ? {} : { expanded }) });
      entries.push(entry);
    }
    yield;
  }
  const writer = createTableWriter(fields);
  writer.write("letters", lettersOf(alphabet));
  const masks = yield* mapInRows(entries, patternWork, ({ classes }) => maskOf(classes));
  writer.write("masks", Uint32Array.from([...masks, ...padding]));
  writer.reserve("tried", wordBytes * entries.length);
  writer.reserve("stamps", wordBytes * entries.length);
  const foundAt = writer.reserve("found", wordBytes * entries.length);
  writer.set("swaps", transpositions ? 1 : 0);
  writer.write("ranges", Uint32Array.from(ranges.flatMap((row) => [...row])));
  const offsets = Uint32Array.from([0, ...entries.map(sumOf(({ classes }) => classes.length))]);
  writer.write("offsets", offsets);
  const letters = new Uint8Array(offsets.at(-1) ?? 0);
  yield* mapInRows(entries, patternWork, ({ classes }, i) => letters.set(classes, offsets[i]));
  writer.write("patterns", letters);
  writer.set("joined", sets.some((set) => set?.joined) ? 1 : 0);
  writer.set("longestRun", Math.max(1, ...sets.map((set) => set?.runLength ?? 1)));
  writer.set("skeletons", starts[1] ?? 0);
  writer.set("skeletonParts", starts[3] ?? 0);
  if (indexed.length > 0) yield* writeIndex(writer, yield* pieceIndexOf(indexed, transpositions));
  const block = writer.finish();
  const addressOf = keepInMemory(block);
  const names = namesMemory();
  const { findEntries } = names.exports;
  // In arrays of numbers, which need less memory at once than objects.
  const places = Uint32Array.from(
    entries.flatMap((entry) => entry.places.flatMap(({ set, pattern }) => [set, pattern])),
  );
  const placesAt = Uint32Array.from([0, ...entries.map(sumOf((entry) => 2 * entry.places.length))]);
  return {
    bytes: block.length,
    indexed: indexed.length,
    find: (length) => findEntries(addressOf(), textAt.ascii, textAt.ascii + length),
    eachFound(count, add) {
      const first = (addressOf() + foundAt) >>> 2;
      for (let i = 0; i < count; i++) {
        const entry = names.words[first + i] ?? 0;
        const end = placesAt[entry + 1] ?? 0;
        for (let at = placesAt[entry] ?? 0; at < end; at += 2) add(places[at] ?? 0, places[at + 1] ?? 0);
      }
    },
  };
}

const wordBytes = 4;

/** Vectors of four masks are read, so that the last ones reach beyond the entries. */
const padding = [0, 0, 0];

type List = (typeof lists)[number];

function isIn({ where, skeleton }: List): (pattern: ListedPattern) => boolean {
  return (pattern) => pattern.where === where && pattern.skeleton === skeleton;
}

/** A pattern of a set, and where it is listed. */
interface ListedPattern extends List {
  readonly points: readonly number[];
  readonly limit: number;
  readonly place: PatternPlace;
}

/** A name with a pattern has its skeleton, too, so that without edits one entry is enough for both. */
function* patternsOf(
  { where, skeleton, patterns }: PrefilteredSet,
  i: number,
  sets: readonly (PrefilteredSet | undefined)[],
): Steps<ListedPattern[]> {
  const hasSkeletons = sets.some((set) => set?.skeleton);
  return yield* mapInRows(patterns, patternWork, ({ points, limit }, pattern) => {
    const place = { set: i, pattern };
    if (skeleton || limit > 0 || !hasSkeletons) return { where, skeleton, points, limit, place };
    return { where, skeleton: true, points: points.flatMap(skeletonOf), limit, place };
  });
}

/** Patterns of a list as entries: by limit, then by length. */
function* entriesOf(patterns: readonly ListedPattern[], alphabet: Alphabet): Steps<readonly Entry[]> {
  const entries = new Map<string, Entry>();
  yield* mapInRows(patterns, patternWork, ({ points, limit, place }) => {
    const key = `${limit} ${String.fromCodePoint(...points)}`;
    const known = entries.get(key);
    const entry = known ?? {
      points,
      classes: classesOf(points.map(alphabet.idOf)),
      limit,
      places: [],
    };
    entry.places.push(place);
    entries.set(key, entry);
  });
  return [...entries.values()].sort((a, b) => a.limit - b.limit || a.classes.length - b.classes.length);
}

/** Lengths of parts up to this one have a row of ranges each; longer parts, which are not compared letter by letter, share the next one. */
const maxPartLength = 64;
const limits = maxEditDistance + 1;

/** For each limit the positions of the first entry and after the last one, of the entries from `start`. */
function anywhereRanges(entries: readonly Entry[], start: number): Uint32Array {
  const ranges = new Uint32Array(2 * limits);
  for (let i = start; i < entries.length; i++) extendRange(ranges, entries[i]?.limit ?? 0, i);
  return ranges;
}

/** The same for parts of each length, of the entries that they can be. */
function partRanges(entries: readonly Entry[], start: number): Uint32Array {
  const ranges = new Uint32Array(2 * limits * (maxPartLength + 2));
  for (let i = start; i < entries.length; i++) {
    const { classes, limit } = entries[i] ?? { classes: [], limit: 0 };
    const last = Math.min(classes.length + limit, maxPartLength + 1);
    const first = Math.min(Math.max(0, classes.length - limit), last);
    for (let length = first; length <= last; length++) extendRange(ranges, length * limits + limit, i);
  }
  return ranges;
}

/** Entries are added in their order, and those of a range are neighbors. */
function extendRange(ranges: Uint32Array, at: number, entry: number): void {
  if (ranges[2 * at + 1] === 0) ranges[2 * at] = entry;
  ranges[2 * at + 1] = entry + 1;
}

/** Returns a function that returns the sum of the sizes up to an entry. */
function sumOf(sizeOf: (entry: Entry) => number): (entry: Entry) => number {
  let sum = 0;
  return (entry) => {
    sum += sizeOf(entry);
    return sum;
  };
}

const classBits = 6;
const countShift = 18;
const separatorBit = 1 << 20;

function skeletonOf(codePoint: number): readonly number[] {
  return channelTextOf("confusables", [codePoint]).points;
}

/** An ASCII character in lower case, and its skeleton of one or two letters. */
interface AsciiLetter {
  readonly code: number;
  readonly skeleton: readonly number[];
}

const asciiLetters = once(() =>
  Array.from({ length: 128 }, (_, c): AsciiLetter => {
    const code = String.fromCharCode(c).toLowerCase().charCodeAt(0);
    return { code, skeleton: skeletonOf(code) };
  }),
);

/** An entry for each ASCII character: its class, those of its skeleton (of one letter twice), their number, whether it is a separator. */
function lettersOf(alphabet: Alphabet): Uint32Array {
  const classAt = (c: number | undefined) => (c === undefined ? 0 : classOf(alphabet.idOf(c)));
  return Uint32Array.from(asciiLetters(), ({ code, skeleton }) => {
    const [first, second = first] = skeleton;
    const classes = classAt(code) | (classAt(first) << classBits) | (classAt(second) << (2 * classBits));
    return classes | (skeleton.length << countShift) | (separators.has(code) ? separatorBit : 0);
  });
}
