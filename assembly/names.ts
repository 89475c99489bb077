// Filters over the letters of one name against many patterns, compiled to WebAssembly by `npm run build:wasm`.
//
// A filter proposes too many patterns rather than too few: the letters are classes (at most 64), and equal classes may be different
// letters. All memory is laid out by src/engine/brand/filters: the tables of a filter are one block (filter-tables.ts), whose first
// words are fields, most of them offsets in the block. Many filters share one memory; `use` changes from one block to another.
//
// Distances are Myers' (1999) with Hyyro's (2003) term for swaps. With one pattern the rows are the letters of the name, whose bits
// are set up once a name; with many at once (SIMD) the rows are the letters of 16 patterns, 8 rows each.

import {
  bucketAt,
  bucketFound,
  clearBuckets,
  findBuckets,
  forgetIndex,
  mayStart,
  pieceLengths,
  push,
  useIndex,
  WINDOWS,
} from "./piece-index";
import { isPartWithin, wholeDistance } from "./distance";

export { findEntries } from "./prefilter";

/** Letters of the text, one byte each, padded. */
const TEXT: usize = 0;
/** For each stretch of 64 letters, every 32 letters one, and each class: the rows that hold it. 64 words of 64 bits a stretch. */
const ROWS: usize = 49152;

/** Letters of a stretch, and how far one reaches into the next. */
const MAX_ROWS: u32 = 64;
const STEP: u32 = 32;
/** Texts of more stretches have no rows; their candidates go on unverified. */
const MAX_STRETCHES: u32 = 8;
const STRETCH_BYTES: usize = 512;
/** Lengths from here on share one entry in tables by length. */
const LENGTH_CAP: i32 = 255;
/** Bytes of a SIMD group's table for one class: two vectors. */
const GROUP_STRIDE: usize = 32;

let indexed: bool = false;

let epoch: u32 = 0;
let foundCount: u32 = 0;
let rowsReady: bool = false;
let textMask: u32 = 0;
let pairsReady: bool = false;
let textPairs: u64 = 0;

/** The fields of a block, in words; `fields` of filter-tables.ts has them in this order. */
enum Field {
  Epoch,
  Swaps,
  PatternCount,
  Masks,
  Lengths,
  Limits,
  Offsets,
  Letters,
  Stamps,
  Found,
  LinearEnd,
  LengthStarts,
  Widest,
  Groups,
  GroupTables,
  GroupStates,
  GroupFirst,
  GroupBytes,
  Pairs,
  Indexed,
  Bitmap,
  BitmapBits,
  Slots,
  SlotBits,
  Entries,
  EntriesEnd,
  PieceLengths,
  Probes,
  ProbeStarts,
  LongestProbed,
}

/** The block in use; no block is at 0. */
let block: usize = 0;

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

/** Makes another block the one in use. */
function use(at: usize): void {
  block = at;
  indexed = field(Field.Indexed) != 0;
}

/** Tells that a block was written where another one may have been. */
export function forget(): void {
  block = 0;
  forgetIndex();
}

function nextEpoch(at: usize): void {
  if (at != block) use(at);
  if (indexed) useIndex(at, <usize>Field.Indexed << 2);
  epoch = field(Field.Epoch) + 1;
  // After 4 billion names the stamps start again at 1.
  if (epoch == 0) {
    memory.fill(table(Field.Stamps), 0, field(Field.PatternCount) << 2);
    if (indexed) clearBuckets();
    epoch = 1;
  }
  store<u32>(block + (<usize>Field.Epoch << 2), epoch);
  foundCount = 0;
  rowsReady = false;
  pairsReady = false;
}

function readMask(start: u32, end: u32): void {
  let mask: u32 = 0;
  for (let i = start; i < end; i++) mask |= 1 << (load<u8>(TEXT + i) & 31);
  textMask = mask;
}

/** Stretches of a text: one for up to 64 letters, then one more every 32. */
function stretchesOf(length: u32): u32 {
  return length <= MAX_ROWS ? 1 : (length - 1) / STEP;
}

function makeRows(start: u32, end: u32): void {
  for (let i = start; i < end; i++) {
    const letter = <usize>load<u8>(TEXT + i) << 3;
    const stretch = (i - start) / STEP;
    const row = (i - start) & (STEP - 1);
    setRow(stretch, letter, row);
    if (stretch > 0) setRow(stretch - 1, letter, row + STEP);
  }
  rowsReady = true;
}

// @ts-ignore: decorator
@inline
function setRow(stretch: u32, letter: usize, row: u32): void {
  const at = ROWS + <usize>stretch * STRETCH_BYTES + letter;
  store<u64>(at, load<u64>(at) | (<u64>1 << row));
}

function clearRows(start: u32, end: u32): void {
  if (!rowsReady) return;
  for (let i = start; i < end; i++) {
    const at = ROWS + <usize>((i - start) / STEP) * STRETCH_BYTES + (<usize>load<u8>(TEXT + i) << 3);
    store<u64>(at, 0);
    if (i - start >= STEP) store<u64>(at - STRETCH_BYTES, 0);
  }
}

/** Notes a pattern, and in the upper bits its distance plus one, where it is known. */
// @ts-ignore: decorator
@inline
function emit(pattern: u32, distancePlusOne: u32): void {
  store<u32>(table(Field.Found) + (<usize>foundCount << 2), pattern | (distancePlusOne << 28));
  foundCount++;
}

/** Distance of a pattern and the whole text; needs at least one row. */
function distanceOf(pattern: u32, rows: u32): u32 {
  const at = table(Field.Letters) + load<u32>(table(Field.Offsets) + (<usize>pattern << 2));
  const end = at + <usize>load<u16>(table(Field.Lengths) + (<usize>pattern << 1));
  return wholeDistance(at, end, ROWS, rows, field(Field.Swaps) != 0);
}

/** Whether a pattern is within a limit of some substring of the rows of a text. */
function isWithin(pattern: u32, rowTable: usize, rows: u32, limit: u32): bool {
  const at = table(Field.Letters) + load<u32>(table(Field.Offsets) + (<usize>pattern << 2));
  const end = at + <usize>load<u16>(table(Field.Lengths) + (<usize>pattern << 1));
  return isPartWithin(at, end, rowTable, rows, <i32>limit, field(Field.Swaps) != 0);
}

// @ts-ignore: decorator
@inline
function limitOf(pattern: u32): u32 {
  return <u32>load<u8>(table(Field.Limits) + pattern);
}

/** Neighbors that an edit changes at most: two, or three by a swap. */
// @ts-ignore: decorator
@inline
function pairsChanged(limit: u32): u32 {
  return field(Field.Swaps) != 0 ? 3 * limit : 2 * limit;
}

/** The pairs of neighbors of a text, as bits; `pairsOf` in src/engine/brand/filters/filter.ts computes those of a pattern. */
function readPairs(start: u32, end: u32): void {
  let bits: u64 = 0;
  let before: u32 = start < end ? <u32>load<u8>(TEXT + start) : 0;
  for (let i = start + 1; i < end; i++) {
    const letter = <u32>load<u8>(TEXT + i);
    bits |= <u64>1 << <u64>((before * 13 + letter) & 63);
    before = letter;
  }
  textPairs = bits;
  pairsReady = true;
}

/** Whether a text has the pairs of neighbors of a pattern, but for those that so many edits change. */
function pairsAgree(pattern: u32, start: u32, end: u32, limit: u32): bool {
  if (!pairsReady) readPairs(start, end);
  return <u32>popcnt<u64>(load<u64>(table(Field.Pairs) + (<usize>pattern << 3)) & ~textPairs) <= pairsChanged(limit);
}

/** Sums the bits of each word of four. */
// @ts-ignore: decorator
@inline
function countBits(words: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(words)));
}

/**
 * Of the patterns from `from` to `to`, four at a time, verifies those whose classes are the text's but for as many as their limit:
 * those that the text has not, and for a whole text those that the pattern has not.
 */
function scanMasks(from: u32, to: u32, start: u32, end: u32, whole: bool): void {
  const masks = table(Field.Masks);
  const limits = table(Field.Limits);
  const text = i32x4.splat(textMask);
  for (let i = from & ~3; i < to; i += 4) {
    const mask = v128.load(masks + (<usize>i << 2));
    const limit = v128.load32_zero(limits + i);
    const wide = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(limit));
    let fits = i32x4.le_s(countBits(v128.andnot(mask, text)), wide);
    if (whole) fits = v128.and(fits, i32x4.le_s(countBits(v128.andnot(text, mask)), wide));
    for (let rest = <u32>i32x4.bitmask(fits); rest != 0; rest &= rest - 1) {
      const pattern = i + <u32>ctz<u32>(rest);
      if (pattern < from || pattern >= to) continue;
      const allowed = limitOf(pattern);
      if (!pairsAgree(pattern, start, end, allowed)) continue;
      if (whole) verifyWhole(pattern, allowed, start, end);
      else if (isPossible(pattern, start, end, allowed)) emit(pattern, 0);
    }
  }
}

/** A pattern whose classes may be the text's, against the whole text. */
function verifyWhole(pattern: u32, limit: u32, start: u32, end: u32): void {
  const rows = end - start;
  const length = <u32>load<u16>(table(Field.Lengths) + (<usize>pattern << 1));
  if (length + limit < rows || rows + limit < length) return;
  if (rows == 0 || rows > MAX_ROWS) return emit(pattern, 0);
  if (!rowsReady) makeRows(start, end);
  const distance = distanceOf(pattern, rows);
  if (distance <= limit) emit(pattern, distance + 1);
}

function tryWithin(pattern: u32, start: u32, end: u32): void {
  const limit = limitOf(pattern);
  const mask = load<u32>(table(Field.Masks) + (<usize>pattern << 2));
  if (<u32>popcnt<u32>(mask & ~textMask) > limit) return;
  if (isPossible(pattern, start, end, limit)) emit(pattern, 0);
}

/** An occurrence of no more than 33 letters lies in one stretch; of longer patterns and texts nothing is known. */
function isPossible(pattern: u32, start: u32, end: u32, limit: u32): bool {
  const length = end - start;
  const stretches = stretchesOf(length);
  const reach = <u32>load<u16>(table(Field.Lengths) + (<usize>pattern << 1)) + limit;
  if (stretches > 1 && (stretches > MAX_STRETCHES || reach > STEP + 1)) return true;
  if (!rowsReady) makeRows(start, end);
  for (let i: u32 = 0; i < stretches; i++) {
    const rows = min(MAX_ROWS, length - i * STEP);
    if (isWithin(pattern, ROWS + <usize>i * STRETCH_BYTES, rows, limit)) return true;
  }
  return false;
}

/** Patterns that may be the whole of the text from start to end. */
export function findWhole(at: usize, start: u32, end: u32): u32 {
  nextEpoch(at);
  if (indexed) readWindows(start, end);
  else readMask(start, end);
  const length = <i32>(end - start);
  if (field(Field.LinearEnd) > 0) {
    const from = load<u32>(table(Field.LengthStarts) + (<usize>min(LENGTH_CAP, max(0, length - <i32>field(Field.Widest))) << 2));
    const to = load<u32>(table(Field.LengthStarts) + (<usize>(min(LENGTH_CAP, length + <i32>field(Field.Widest)) + 1) << 2));
    scanMasks(from, to, start, end, true);
  }
  if (length < LENGTH_CAP) scanGroupsWhole(start, end);
  if (indexed) probeWhole(start, end);
  clearRows(start, end);
  return foundCount;
}

/** Patterns that may be found in the text from start to end. */
export function findWithin(at: usize, start: u32, end: u32): u32 {
  nextEpoch(at);
  if (indexed) readWindows(start, end);
  else readMask(start, end);
  if (field(Field.LinearEnd) > 0) scanMasks(0, field(Field.LinearEnd), start, end, false);
  scanGroupsWithin(start, end);
  if (indexed) probeWithin(start, end);
  clearRows(start, end);
  return foundCount;
}

/** Windows of the text, and its mask on the way. */
function readWindows(start: u32, end: u32): void {
  let window: u64 = 0;
  let mask: u32 = 0;
  for (let i = <i32>end - 1; i >= <i32>start; i--) {
    const letter = <u32>load<u8>(TEXT + i);
    mask |= 1 << (letter & 31);
    window = push(window, letter);
    store<u64>(WINDOWS + (<usize>i << 3), window);
  }
  textMask = mask;
}

function probeWhole(start: u32, end: u32): void {
  const count = findBuckets(WINDOWS + (<usize>start << 3), end - start);
  for (let i: u32 = 0; i < count; i++) tryBucket(bucketFound(i), start, end, true);
}

/** Each piece of a pattern may stand anywhere. */
function probeWithin(start: u32, end: u32): void {
  for (let p = start; p < end; p++) {
    const window = load<u64>(WINDOWS + (<usize>p << 3));
    if (!mayStart(window)) continue;
    for (let rest = pieceLengths; rest != 0; rest &= rest - 1) {
      const size = <u32>ctz<u32>(rest);
      if (p + size > end) break;
      const bucket = bucketAt(window, size);
      if (bucket != 0) tryBucket(bucket, start, end, false);
    }
  }
}

/** A bucket is looked at once a name, and so is a pattern. An entry is a pattern, its limit in the upper two bits, and its mask. */
function tryBucket(bucket: usize, start: u32, end: u32, whole: bool): void {
  if (load<u32>(bucket + 4) == epoch) return;
  store<u32>(bucket + 4, epoch);
  const last = bucket + 8 + (<usize>load<u32>(bucket) << 3);
  for (let at = bucket + 8; at < last; at += 8) {
    const entry = load<u32>(at);
    const mask = load<u32>(at + 4);
    const limit = entry >> 30;
    if (<u32>popcnt<u32>(mask & ~textMask) > limit) continue;
    if (whole && <u32>popcnt<u32>(textMask & ~mask) > limit) continue;
    const pattern = entry & 0x3fffffff;
    const stamp = table(Field.Stamps) + (<usize>pattern << 2);
    if (load<u32>(stamp) == epoch) continue;
    store<u32>(stamp, epoch);
    if (whole) verifyWhole(pattern, limit, start, end);
    else if (isPossible(pattern, start, end, limit)) emit(pattern, 0);
  }
}

/** Bytes of a group's state: vertical differences, scores, limits (two vectors each), least and greatest length. */
const STATE_BYTES: usize = 112;
/** Where a group leaves its scores. */
const SCORES: usize = 54272;

/** Of groups sorted by length, those that have a pattern of a length within reach. */
function scanGroupsWhole(start: u32, end: u32): void {
  const groups = field(Field.Groups);
  const states = table(Field.GroupStates);
  const length = <i32>(end - start);
  for (let g: u32 = 0; g < groups; g++) {
    const state = states + <usize>g * STATE_BYTES;
    if (<i32>load<u8>(state, 97) + <i32>field(Field.Widest) < length) continue;
    if (<i32>load<u8>(state, 96) > length + <i32>field(Field.Widest)) return;
    scanGroup(g, start, end, true);
    const hits = <u32>i8x16.bitmask(i8x16.le_u(v128.load(SCORES), v128.load(state, 64))) |
      (<u32>i8x16.bitmask(i8x16.le_u(v128.load(SCORES, 16), v128.load(state, 80))) << 16);
    for (let rest = hits; rest != 0; rest &= rest - 1) {
      const lane = <u32>ctz<u32>(rest);
      emit(field(Field.GroupFirst) + (g << 5) + lane, <u32>load<u8>(SCORES + lane) + 1);
    }
  }
}

function scanGroupsWithin(start: u32, end: u32): void {
  const groups = field(Field.Groups);
  const states = table(Field.GroupStates);
  for (let g: u32 = 0; g < groups; g++) {
    const state = states + <usize>g * STATE_BYTES;
    scanGroup(g, start, end, false);
    const hits = <u32>i8x16.bitmask(i8x16.le_u(v128.load(SCORES), v128.load(state, 64))) |
      (<u32>i8x16.bitmask(i8x16.le_u(v128.load(SCORES, 16), v128.load(state, 80))) << 16);
    for (let rest = hits; rest != 0; rest &= rest - 1) {
      const pattern = field(Field.GroupFirst) + (g << 5) + <u32>ctz<u32>(rest);
      // Eight letters or fewer have been compared in full.
      if (<u32>load<u16>(table(Field.Lengths) + (<usize>pattern << 1)) <= 8) emit(pattern, 0);
      else tryWithin(pattern, start, end);
    }
  }
}

/**
 * 32 patterns, or eight letters of each, against the text: two vectors of 16 patterns, a byte each, a bit a row. Shorter patterns
 * stand in the upper bits; the rows below them are like the row above a pattern, 0 or counting the letters read. Leaves the distances
 * to the whole text, or the least to any part of it.
 */
// @ts-ignore: decorator
@inline
function scanGroup(group: u32, start: u32, end: u32, whole: bool): void {
  const hasSwaps = field(Field.Swaps) != 0;
  const classes = table(Field.GroupTables) + <usize>group * field(Field.GroupBytes);
  const state = table(Field.GroupStates) + <usize>group * STATE_BYTES;
  const zero = i8x16.splat(0);
  const top = i8x16.splat(whole ? 1 : 0);
  let plusA = v128.load(state);
  let plusB = v128.load(state, 16);
  let minusA = zero;
  let minusB = zero;
  let scoreA = v128.load(state, 32);
  let scoreB = v128.load(state, 48);
  let leastA = scoreA;
  let leastB = scoreB;
  let beforeA = i8x16.splat(-1);
  let beforeB = beforeA;
  let equalBeforeA = zero;
  let equalBeforeB = zero;
  for (let i = start; i < end; i++) {
    const at = classes + <usize>load<u8>(TEXT + i) * GROUP_STRIDE;
    const equalA = v128.load(at);
    const equalB = v128.load(at, 16);
    const seenA = v128.or(equalA, minusA);
    const seenB = v128.or(equalB, minusB);
    let flatA = v128.or(v128.xor(i8x16.add(v128.and(seenA, plusA), plusA), plusA), seenA);
    let flatB = v128.or(v128.xor(i8x16.add(v128.and(seenB, plusB), plusB), plusB), seenB);
    if (hasSwaps) {
      const swapA = v128.andnot(equalA, beforeA);
      const swapB = v128.andnot(equalB, beforeB);
      flatA = v128.or(flatA, v128.and(i8x16.add(swapA, swapA), equalBeforeA));
      flatB = v128.or(flatB, v128.and(i8x16.add(swapB, swapB), equalBeforeB));
      beforeA = flatA;
      beforeB = flatB;
      equalBeforeA = equalA;
      equalBeforeB = equalB;
    }
    const upA = v128.or(minusA, v128.not(v128.or(flatA, plusA)));
    const upB = v128.or(minusB, v128.not(v128.or(flatB, plusB)));
    const downA = v128.and(plusA, flatA);
    const downB = v128.and(plusB, flatB);
    scoreA = i8x16.add(i8x16.sub(scoreA, i8x16.lt_s(upA, zero)), i8x16.lt_s(downA, zero));
    scoreB = i8x16.add(i8x16.sub(scoreB, i8x16.lt_s(upB, zero)), i8x16.lt_s(downB, zero));
    if (!whole) {
      leastA = i8x16.min_u(leastA, scoreA);
      leastB = i8x16.min_u(leastB, scoreB);
    }
    let upShiftedA = i8x16.add(upA, upA);
    let upShiftedB = i8x16.add(upB, upB);
    if (whole) {
      upShiftedA = v128.or(upShiftedA, top);
      upShiftedB = v128.or(upShiftedB, top);
    }
    plusA = v128.or(i8x16.add(downA, downA), v128.not(v128.or(flatA, upShiftedA)));
    plusB = v128.or(i8x16.add(downB, downB), v128.not(v128.or(flatB, upShiftedB)));
    minusA = v128.and(upShiftedA, flatA);
    minusB = v128.and(upShiftedB, flatB);
  }
  v128.store(SCORES, whole ? scoreA : leastA);
  v128.store(SCORES, whole ? scoreB : leastB, 16);
}

/** Rows of a pattern for `locate`: a word of 64 bits for each class. */
const PATTERN_ROWS: usize = 53760;

/** Enters a pattern's letters, from its end when `reversed`; with 0 for `on` they are taken out again. */
function enterPattern(at: usize, length: u32, reversed: bool, on: bool): void {
  for (let i: u32 = 0; i < length; i++) {
    const row = PATTERN_ROWS + (<usize>load<u8>(at + (reversed ? length - 1 - i : i)) << 3);
    store<u64>(row, on ? load<u64>(row) | (<u64>1 << i) : 0);
  }
}

let columnPlus: u64 = 0;
let columnMinus: u64 = 0;
let columnBefore: u64 = 0;
let columnEqual: u64 = 0;

function startColumn(): void {
  columnPlus = ~0;
  columnMinus = 0;
  columnBefore = ~0;
  columnEqual = 0;
}

/** Change of the bottom row when one more letter of the text is read; `top` is the change of the top row. */
// @ts-ignore: decorator
@inline
function step(letter: u32, last: u64, top: u64): i32 {
  const hasSwaps = field(Field.Swaps) != 0;
  // Class 0 is no pattern's.
  const equal = load<u64>(PATTERN_ROWS + (<usize>letter << 3));
  const plus = columnPlus;
  const minus = columnMinus;
  let flat = (((equal & plus) + plus) ^ plus) | equal | minus;
  if (hasSwaps) {
    flat |= ((~columnBefore & equal) << 1) & columnEqual;
    columnBefore = flat;
    columnEqual = equal;
  }
  const up = minus | ~(flat | plus);
  const down = plus & flat;
  const upShifted = (up << 1) | top;
  columnPlus = (down << 1) | ~(flat | upShifted);
  columnMinus = upShifted & flat;
  return <i32>((up & last) != 0) - <i32>((down & last) != 0);
}

/**
 * The best occurrence of a pattern of at most 64 letters: smallest distance, then leftmost, then shortest. Returns the distance in
 * bits 28 and 29, the start in bits 14 to 27, the end below, or -1. Exact where classes are letters.
 */
export function locate(blockAt: usize, pattern: u32, start: u32, end: u32): i32 {
  if (blockAt != block) use(blockAt);
  const length = <u32>load<u16>(table(Field.Lengths) + (<usize>pattern << 1));
  const at = table(Field.Letters) + load<u32>(table(Field.Offsets) + (<usize>pattern << 2));
  const last: u64 = <u64>1 << (length - 1);
  enterPattern(at, length, true, true);
  startColumn();
  let score = <i32>length;
  let best = score;
  let from = end;
  for (let i = <i32>end - 1; i >= <i32>start; i--) {
    score += step(load<u8>(TEXT + i), last, 0);
    if (score <= best) {
      best = score;
      from = i;
    }
  }
  enterPattern(at, length, true, false);
  if (best > <i32>limitOf(pattern)) return -1;
  let to = from;
  if (best < <i32>length) {
    enterPattern(at, length, false, true);
    startColumn();
    score = <i32>length;
    while (score != best && to < end) score += step(load<u8>(TEXT + to++), last, 1);
    enterPattern(at, length, false, false);
  }
  return (best << 28) | (from << 14) | to;
}
