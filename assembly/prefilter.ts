// One pass over an ASCII name that proposes patterns of all sets: `src/engine/brand/filters/prefilter.ts` lays out the block.
//
// An entry is a pattern as a mask of its letters, with an edit limit. An edit removes at most one letter. Names have two masks: of
// their own letters, and of their skeletons' letters.
// A few entries are compared one by one; of many, those are compared of which a piece is in the name.

import { isPartWithin, wholeDistance } from "./distance";
import {
  bucketAt,
  bucketFound,
  clearBuckets,
  findBuckets,
  mayStart,
  pieceLengths,
  push,
  useIndex,
  WINDOWS,
} from "./piece-index";


/** The fields of a block, in words; `fields` of prefilter.ts has them in this order. */
enum Field {
  Epoch,
  Letters,
  Masks,
  Tried,
  Stamps,
  Found,
  Swaps,
  Ranges,
  Patterns,
  Offsets,
  Joined,
  LongestRun,
  Skeletons,
  SkeletonParts,
  Indexed,
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
/** Windows of the name, and of its skeleton. Those of a text end here, the last letter last. */
const PLAIN_END: usize = WINDOWS + 2048;
const SKELETON_END: usize = PLAIN_END + 4096;
/** Where each part starts: in the name, and in its skeleton. */
const PART_STARTS: usize = SKELETON_END;
const SKELETON_STARTS: usize = PART_STARTS + 1024;
/** Rows in a word. Longer parts are not verified. */
const MAX_ROWS: u32 = 64;
let block: usize = 0;
let foundCount: u32 = 0;
let from: u32 = 0;
let to: u32 = 0;
/** The text that is compared, a part of the name or all of it; without its separators where they are left out. */
let partFrom: u32 = 0;
let partTo: u32 = 0;
let joined: bool = false;
let rowsReady: bool = false;
/** Letters of the text and of its skeleton, and how many. */
let mask: u32 = 0;
let skeletonMask: u32 = 0;
let length: u32 = 0;
let skeletonLength: u32 = 0;
/** Whether the skeleton is another text. */
let isReplaced: bool = false;
let indexed: bool = false;
let epoch: u32 = 0;
/** The stamp of entries that were found in this name. */
let nameEpoch: u32 = 0;
/** Letters of the name's skeleton. */
let skeletonCount: u32 = 0;

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

/** Enters the letters of the part and of its skeleton as rows. */
function setRows(): void {
  let row: u64 = 1;
  let lookRow: u64 = 1;
  for (let i = partFrom; i < partTo; i++) {
    const entry = letterAt(i);
    if (joined && (entry & SEPARATOR) != 0) continue;
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

// @ts-ignore: decorator
@inline
function isFound(entry: u32): bool {
  return load<u32>(table(Field.Stamps) + (<usize>entry << 2)) == nameEpoch;
}

// @ts-ignore: decorator
@inline
function emit(entry: u32): void {
  store<u32>(table(Field.Stamps) + (<usize>entry << 2), nameEpoch);
  store<u32>(table(Field.Found) + (<usize>foundCount << 2), entry);
  foundCount++;
}

/** Finds an entry if its pattern is in the text or, if `whole`, is the text within the limit. */
function tryEntry(entry: u32, limit: u32, isSkeleton: bool, whole: bool): void {
  if (!isFound(entry) && isNear(entry, limit, isSkeleton, whole)) emit(entry);
}

/**
 * Finds the entries from `first` to `last`, which have this limit, whose letters are in the text, and of a whole text the other way
 * round, too.
 */
// @ts-ignore: decorator
@inline
function scan(first: u32, last: u32, limit: u32, isSkeleton: bool, whole: bool): void {
  const masks = table(Field.Masks);
  const text = i32x4.splat(isSkeleton ? skeletonMask : mask);
  for (let i = first; i < last; i += 4) {
    const letters = v128.load(masks + (<usize>i << 2));
    let rest = withoutBits(v128.andnot(letters, text), limit);
    if (whole) rest = v128.or(rest, withoutBits(v128.andnot(text, letters), limit));
    for (let fits = <u32>i32x4.bitmask(i32x4.eq(rest, i32x4.splat(0))); fits != 0; fits &= fits - 1) {
      const entry = i + <u32>ctz<u32>(fits);
      if (entry >= last) break;
      tryEntry(entry, limit, isSkeleton, whole);
    }
  }
}

/** Whether the text, or something in it, is within the limit of a pattern. */
function isNear(entry: u32, limit: u32, isSkeleton: bool, whole: bool): bool {
  const count = isSkeleton ? skeletonLength : length;
  if (count > MAX_ROWS) return true;
  if (!rowsReady) setRows();
  const offset = table(Field.Offsets) + (<usize>entry << 2);
  const at = table(Field.Patterns) + load<u32>(offset);
  const end = table(Field.Patterns) + load<u32>(offset, 4);
  const rows = isSkeleton ? SKELETON_ROWS : ROWS;
  const hasSwaps = field(Field.Swaps) != 0;
  if (whole) return wholeDistance(at, end, rows, count, hasSwaps) <= limit;
  return isPartWithin(at, end, rows, count, <i32>limit, hasSwaps);
}

/** Scans a row of ranges: one of each limit. */
// @ts-ignore: decorator
@inline
function scanRow(row: u32, isSkeleton: bool, whole: bool): void {
  const at = table(Field.Ranges) + (<usize>row * ROW_BYTES);
  scan(load<u32>(at), load<u32>(at, 4), 0, isSkeleton, whole);
  scan(load<u32>(at, 8), load<u32>(at, 12), 1, isSkeleton, whole);
  scan(load<u32>(at, 16), load<u32>(at, 20), 2, isSkeleton, whole);
  scan(load<u32>(at, 24), load<u32>(at, 28), 3, isSkeleton, whole);
}

/** Parts of each length up to 64 have a row, and longer ones; then those of skeletons. */
function scanParts(isSkeleton: bool): void {
  const row = min(isSkeleton ? skeletonLength : length, MAX_ROWS + 1);
  scanRow(row + <u32>Row.Parts + (isSkeleton ? MAX_ROWS + 2 : 0), isSkeleton, true);
}

/** The windows of the name, from the end. */
function readWindows(): void {
  let window: u64 = 0;
  let at = PLAIN_END;
  for (let i = <i32>to - 1; i >= <i32>from; i--) {
    window = push(window, letterAt(i) & CLASS);
    at -= 8;
    store<u64>(at, window);
  }
}

/** The windows of the skeleton, without separators where they are left out; returns the number of letters. */
function readSkeletonWindows(): u32 {
  let window: u64 = 0;
  let at = SKELETON_END;
  for (let i = <i32>to - 1; i >= <i32>from; i--) {
    const entry = letterAt(i);
    if (joined && (entry & SEPARATOR) != 0) continue;
    for (let left = (entry >> COUNT) & 3; left > 0; left--) {
      window = push(window, (entry >> (left > 1 ? SECOND : FIRST)) & CLASS);
      at -= 8;
      store<u64>(at, window);
    }
  }
  return <u32>(SKELETON_END - at) >> 3;
}

/** Starts a pass, of a name or of a text in which each bucket and each of its entries is looked at once. */
function nextEpoch(): void {
  epoch++;
  // After 4 billion passes the stamps start again at 1.
  if (epoch == 0) {
    memory.fill(table(Field.Tried), 0, table(Field.Found) - table(Field.Tried));
    if (indexed) clearBuckets();
    epoch = 1;
  }
}

/** Finds the entries of a bucket as `scan` does. */
function readBucket(bucket: usize, whole: bool): void {
  if (load<u32>(bucket + 4) == epoch) return;
  store<u32>(bucket + 4, epoch);
  const skeletons = field(whole ? Field.SkeletonParts : Field.Skeletons);
  const last = bucket + 8 + (<usize>load<u32>(bucket) << 3);
  for (let at = bucket + 8; at < last; at += 8) {
    const entry = load<u32>(at) & 0x3fffffff;
    const isSkeleton = entry >= skeletons;
    const text = isSkeleton ? skeletonMask : mask;
    const letters = load<u32>(at + 4);
    const limit = load<u32>(at) >> 30;
    if (<u32>popcnt<u32>(letters & ~text) > limit) continue;
    if (whole && <u32>popcnt<u32>(text & ~letters) > limit) continue;
    const tried = table(Field.Tried) + (<usize>entry << 2);
    if (load<u32>(tried) == epoch) continue;
    store<u32>(tried, epoch);
    tryEntry(entry, limit, isSkeleton, whole);
  }
}

/**
 * Entries of which a piece is anywhere in the skeleton. A piece that is in a text is, as a skeleton, in the skeleton of the text.
 */
function probeAnywhere(count: u32): void {
  nextEpoch();
  for (let left = count; left > 0; left--) {
    const window = load<u64>(SKELETON_END - (<usize>left << 3));
    if (!mayStart(window)) continue;
    for (let rest = pieceLengths; rest != 0; rest &= rest - 1) {
      const size = <u32>ctz<u32>(rest);
      if (size > left) break;
      const bucket = bucketAt(window, size);
      if (bucket != 0) readBucket(bucket, false);
    }
  }
}

/** Entries that may be the whole text, by the pieces at its ends; `first` is its first window. */
function probeWhole(first: usize, count: u32): void {
  const buckets = findBuckets(first, count);
  for (let i: u32 = 0; i < buckets; i++) readBucket(bucketFound(i), true);
}

/** Makes the text from `start` to `end` the one that is compared. */
function readText(start: u32, end: u32): void {
  clearRows();
  partFrom = start;
  partTo = end;
  mask = 0;
  skeletonMask = 0;
  length = 0;
  skeletonLength = 0;
  isReplaced = false;
  for (let i = start; i < end; i++) {
    const entry = letterAt(i);
    if (joined && (entry & SEPARATOR) != 0) continue;
    if ((entry & CLASS) != ((entry >> FIRST) & CLASS) || ((entry >> COUNT) & 3) != 1) isReplaced = true;
    mask |= bitOf(entry & CLASS);
    skeletonMask |= bitOf((entry >> FIRST) & CLASS) | bitOf((entry >> SECOND) & CLASS);
    length++;
    skeletonLength += (entry >> COUNT) & 3;
  }
}

/** Compares the part from `start` to `end`, whose skeleton starts at `skeletonStart` in that of the name. */
function comparePart(start: u32, end: u32, skeletonStart: u32): void {
  if (start == end) return;
  readText(start, end);
  scanParts(false);
  scanParts(true);
  if (!indexed) return;
  nextEpoch();
  probeWhole(PLAIN_END - (<usize>(to - start) << 3), length);
  if (isReplaced) probeWhole(SKELETON_END - (<usize>(skeletonCount - skeletonStart) << 3), skeletonLength);
}

/** Compares every run of neighboring parts, up to as many as a pattern has; returns the number of parts. */
function compareRuns(): u32 {
  const longest = field(Field.LongestRun);
  let parts: u32 = 0;
  let skeletonStart: u32 = 0;
  store<u32>(PART_STARTS, from);
  store<u32>(SKELETON_STARTS, 0);
  for (let i = from; i <= to; i++) {
    const entry = i < to ? letterAt(i) : SEPARATOR;
    skeletonStart += (entry >> COUNT) & 3;
    if ((entry & SEPARATOR) == 0) continue;
    parts++;
    for (let run: u32 = 1; run <= min(longest, parts); run++) {
      const at = <usize>(parts - run) << 2;
      comparePart(load<u32>(PART_STARTS + at), i, load<u32>(SKELETON_STARTS + at));
    }
    store<u32>(PART_STARTS + (<usize>parts << 2), i + 1);
    store<u32>(SKELETON_STARTS + (<usize>parts << 2), skeletonStart);
  }
  return parts;
}

function scanAnywhere(isSkeleton: bool): void {
  scanRow(isSkeleton ? Row.AnywhereSkeleton : Row.Anywhere, isSkeleton, false);
}

function compareAnywhere(): void {
  scanAnywhere(false);
  scanAnywhere(true);
}

/** Finds the entries that may be in the name whose characters are at `start` to `end`, and returns how many. */
export function findEntries(at: usize, start: u32, end: u32): u32 {
  if (start == end) return 0;
  block = at;
  foundCount = 0;
  from = start;
  to = end;
  joined = false;
  indexed = field(Field.Indexed) != 0;
  epoch = field(Field.Epoch);
  if (indexed) {
    useIndex(at, <usize>Field.Indexed << 2);
    readWindows();
    skeletonCount = readSkeletonWindows();
  }
  nextEpoch();
  nameEpoch = epoch;
  const parts = compareRuns();
  // Of one part, the text is that part.
  if (parts > 1) readText(start, end);
  compareAnywhere();
  if (indexed) probeAnywhere(skeletonCount);
  if (parts > 1 && field(Field.Joined) != 0) {
    joined = true;
    readText(start, end);
    compareAnywhere();
    if (indexed) probeAnywhere(readSkeletonWindows());
  }
  clearRows();
  store<u32>(at, epoch);
  return foundCount;
}
