// One pass over an ASCII name that excludes most pattern sets: `src/engine/brand/filters/prefilter.ts` lays out the block.
//
// An entry is a pattern of some sets as a mask of its letters and of its pairs of neighbors, with an edit limit. An edit removes at
// most one letter, two pairs, or three pairs by a swap. Names have two masks: of their own letters, and of their skeletons' letters.

import { wholeDistance } from "./whole-distance";

/** The fields of a block, in words; `fields` of prefilter.ts has them in this order. */
enum Field {
  Letters,
  Masks,
  Lengths,
  Pairs,
  Flags,
  Swaps,
  Inner,
  Ranges,
  Patterns,
  Offsets,
}

/** Rows of ranges: patterns anywhere in a name, and in its skeleton; then those of whole parts. */
enum Row {
  Anywhere,
  AnywhereSkeleton,
  Parts,
}

/** Bytes of a row of ranges: two words for each limit, 0 to 3. */
const ROW_BYTES: usize = 32;

/** A letter's entry: its class, the classes of its skeleton (of one letter twice), their number, and whether it separates parts. */
const CLASS: u32 = 63;
const FIRST: u32 = 6;
const SECOND: u32 = 12;
const COUNT: u32 = 18;
const SEPARATOR: u32 = 1 << 20;

/** Parts of a name: for each class the rows that hold it, 64 words of 64 bits; then those of the part's skeleton. */
const ROWS: usize = 54784;
const SKELETON_ROWS: usize = 55296;
/** The pairs of the name and those of its skeleton, as sets of 256 bits. */
const PAIRS: usize = 55808;
const SKELETON_PAIRS: usize = 55840;
const PAIR_BYTES: usize = 32;
/** Rows in a word. Longer parts are not verified. */
const MAX_ROWS: u32 = 64;
/** An inner part has one before it. */
const MIN_PARTS: u32 = 2;

let block: usize = 0;
let flags: u32 = 0;
let from: u32 = 0;
let to: u32 = 0;
let pairsReady: bool = false;
/** The part that is compared. */
let partFrom: u32 = 0;
let partTo: u32 = 0;
let rowsReady: bool = false;

// @ts-ignore: decorator
@inline
function field(name: Field): u32 {
  return load<u32>(block + (<usize>name << 2));
}

// @ts-ignore: decorator
@inline
function table(name: Field): usize {
  return block + field(name);
}

// @ts-ignore: decorator
@inline
function letterAt(i: u32): u32 {
  return load<u32>(table(Field.Letters) + (<usize>load<u8>(i) << 2));
}

// @ts-ignore: decorator
@inline
function bitOf(letter: u32): u32 {
  return 1 << (letter & 31);
}

/** Adds a pair; `pairsOf` in src/engine/brand/filters/prefilter.ts has the same bits. Class 0 is of no pattern. */
// @ts-ignore: decorator
@inline
function addPair(pairs: usize, first: u32, second: u32): void {
  const bit = first * 37 + second;
  const at = pairs + (<usize>((bit >> 6) & 3) << 3);
  const isPair = <u64>(<u32>(first != 0) & <u32>(second != 0));
  store<u64>(at, load<u64>(at) | (isPair << <u64>(bit & 63)));
}

/** The pairs of the name, also of those letters that separators separate. */
function readPairs(): void {
  memory.fill(PAIRS, 0, 2 * PAIR_BYTES);
  let before: u32 = 0;
  let letterBefore: u32 = 0;
  let lookBefore: u32 = 0;
  let lookLetterBefore: u32 = 0;
  for (let i = from; i < to; i++) {
    const entry = letterAt(i);
    const letter = entry & CLASS;
    const look = (entry >> FIRST) & CLASS;
    addPair(PAIRS, before, letter);
    addPair(SKELETON_PAIRS, lookBefore, look);
    if (before != letterBefore) addPair(PAIRS, letterBefore, letter);
    if (lookBefore != lookLetterBefore) addPair(SKELETON_PAIRS, lookLetterBefore, look);
    before = letter;
    lookBefore = look;
    if (((entry >> COUNT) & 3) > 1) {
      lookBefore = (entry >> SECOND) & CLASS;
      addPair(SKELETON_PAIRS, look, lookBefore);
    }
    if ((entry & SEPARATOR) == 0) {
      letterBefore = before;
      lookLetterBefore = lookBefore;
    }
  }
  pairsReady = true;
}

/** Enters the letters of the part and of its skeleton as rows. */
function setRows(): void {
  let row: u64 = 1;
  let lookRow: u64 = 1;
  for (let i = partFrom; i < partTo; i++) {
    const entry = letterAt(i);
    addRow(ROWS, entry & CLASS, row);
    row <<= 1;
    addRow(SKELETON_ROWS, (entry >> FIRST) & CLASS, lookRow);
    lookRow <<= 1;
    if (((entry >> COUNT) & 3) < 2) continue;
    addRow(SKELETON_ROWS, (entry >> SECOND) & CLASS, lookRow);
    lookRow <<= 1;
  }
  rowsReady = true;
}

// @ts-ignore: decorator
@inline
function addRow(rows: usize, letter: u32, row: u64): void {
  const at = rows + (<usize>letter << 3);
  store<u64>(at, load<u64>(at) | row);
}

function clearRows(): void {
  if (!rowsReady) return;
  for (let i = partFrom; i < partTo; i++) {
    const entry = letterAt(i);
    store<u64>(ROWS + (<usize>(entry & CLASS) << 3), 0);
    store<u64>(SKELETON_ROWS + (<usize>((entry >> FIRST) & CLASS) << 3), 0);
    store<u64>(SKELETON_ROWS + (<usize>((entry >> SECOND) & CLASS) << 3), 0);
  }
  rowsReady = false;
}

/** The words without so many of their bits; the limit is a constant. */
// @ts-ignore: decorator
@inline
function withoutBits(words: v128, limit: u32): v128 {
  let rest = words;
  if (limit > 0) rest = v128.and(rest, i32x4.sub(rest, i32x4.splat(1)));
  if (limit > 1) rest = v128.and(rest, i32x4.sub(rest, i32x4.splat(1)));
  if (limit > 2) rest = v128.and(rest, i32x4.sub(rest, i32x4.splat(1)));
  return rest;
}

/**
 * Adds the flags of the entries from `first` to `last`, which have this limit, whose letters are in the text, and of a whole part the
 * other way round, too.
 */
// @ts-ignore: decorator
@inline
function scan(first: u32, last: u32, limit: u32, mask: u32, isSkeleton: bool, whole: bool, length: u32): void {
  const masks = table(Field.Masks);
  const text = i32x4.splat(mask);
  for (let i = first; i < last; i += 4) {
    const letters = v128.load(masks + (<usize>i << 2));
    let rest = withoutBits(v128.andnot(letters, text), limit);
    if (whole) rest = v128.or(rest, withoutBits(v128.andnot(text, letters), limit));
    for (let fits = <u32>i32x4.bitmask(i32x4.eq(rest, i32x4.splat(0))); fits != 0; fits &= fits - 1) {
      const entry = i + <u32>ctz<u32>(fits);
      if (entry >= last) break;
      const added = load<u32>(table(Field.Flags) + (<usize>entry << 2));
      if ((flags | added) == flags) continue;
      if (hasPairs(entry, limit, isSkeleton) && (!whole || isPart(entry, isSkeleton, length, limit))) flags |= added;
    }
  }
}

/** Whether the name has the pairs of a pattern, but for those that the edits remove. */
function hasPairs(entry: u32, limit: u32, isSkeleton: bool): bool {
  if (!pairsReady) readPairs();
  const own = table(Field.Pairs) + <usize>entry * PAIR_BYTES;
  const pairs = isSkeleton ? SKELETON_PAIRS : PAIRS;
  let missing: u64 = 0;
  for (let at: usize = 0; at < PAIR_BYTES; at += 8) missing += popcnt<u64>(load<u64>(own + at) & ~load<u64>(pairs + at));
  return <u32>missing <= (2 + field(Field.Swaps)) * limit;
}

/** Whether the part, of this length, is within the limit of a pattern. */
function isPart(entry: u32, isSkeleton: bool, length: u32, limit: u32): bool {
  if (length > MAX_ROWS) return true;
  if (!rowsReady) setRows();
  const at = table(Field.Patterns) + load<u32>(table(Field.Offsets) + (<usize>entry << 2));
  const end = at + <usize>load<u16>(table(Field.Lengths) + (<usize>entry << 1));
  return wholeDistance(at, end, isSkeleton ? SKELETON_ROWS : ROWS, length, field(Field.Swaps) != 0) <= limit;
}

/** Scans a row of ranges: one of each limit. */
// @ts-ignore: decorator
@inline
function scanRow(row: u32, mask: u32, isSkeleton: bool, whole: bool, length: u32): void {
  const at = table(Field.Ranges) + (<usize>row * ROW_BYTES);
  scan(load<u32>(at), load<u32>(at, 4), 0, mask, isSkeleton, whole, length);
  scan(load<u32>(at, 8), load<u32>(at, 12), 1, mask, isSkeleton, whole, length);
  scan(load<u32>(at, 16), load<u32>(at, 20), 2, mask, isSkeleton, whole, length);
  scan(load<u32>(at, 24), load<u32>(at, 28), 3, mask, isSkeleton, whole, length);
}

function scanAnywhere(mask: u32, isSkeleton: bool): void {
  scanRow(isSkeleton ? Row.AnywhereSkeleton : Row.Anywhere, mask, isSkeleton, false, 0);
}

/** Parts of each length up to 64 have a row, and longer ones; then those of skeletons. */
function scanParts(length: u32, mask: u32, isSkeleton: bool): void {
  const row = min(length, MAX_ROWS + 1) + <u32>Row.Parts + (isSkeleton ? MAX_ROWS + 2 : 0);
  scanRow(row, mask, isSkeleton, true, length);
}

/** Compares the part from `start` to `end`, with its masks and the length of its skeleton. */
// @ts-ignore: decorator
@inline
function comparePart(start: u32, end: u32, mask: u32, skeletonMask: u32, skeletonLength: u32): void {
  if (start == end) return;
  partFrom = start;
  partTo = end;
  scanParts(end - start, mask, false);
  scanParts(skeletonLength, skeletonMask, true);
  clearRows();
}

/** The flags of the pattern sets that may have a pattern in the name whose characters are at `start` to `end`. */
export function flagSets(at: usize, start: u32, end: u32): u32 {
  block = at;
  flags = 0;
  from = start;
  to = end;
  pairsReady = false;
  let mask: u32 = 0;
  let skeletonMask: u32 = 0;
  let partMask: u32 = 0;
  let partSkeletonMask: u32 = 0;
  let partStart = start;
  let skeletonLength: u32 = 0;
  let parts: u32 = 1;
  for (let i = start; i < end; i++) {
    const entry = letterAt(i);
    const letters = bitOf(entry & CLASS);
    const looks = bitOf((entry >> FIRST) & CLASS) | bitOf((entry >> SECOND) & CLASS);
    if ((entry & SEPARATOR) == 0) {
      partMask |= letters;
      partSkeletonMask |= looks;
      skeletonLength += (entry >> COUNT) & 3;
      continue;
    }
    comparePart(partStart, i, partMask, partSkeletonMask, skeletonLength);
    mask |= partMask | letters;
    skeletonMask |= partSkeletonMask | looks;
    partMask = 0;
    partSkeletonMask = 0;
    skeletonLength = 0;
    partStart = i + 1;
    parts++;
  }
  comparePart(partStart, end, partMask, partSkeletonMask, skeletonLength);
  mask |= partMask;
  skeletonMask |= partSkeletonMask;
  scanAnywhere(mask, false);
  scanAnywhere(skeletonMask, true);
  return parts < MIN_PARTS ? flags : flags | field(Field.Inner);
}
