// The index of pieces of patterns in a block: a bitmap, a hash table and buckets of patterns (src/engine/brand/filters/filter-index.ts).

/** For each place of a text, the ten classes from there on, 6 bits each, the first on top. */
export const WINDOWS: usize = 8192;
/** Classes in a window and the bits of one. */
const WINDOW_LETTERS: u32 = 10;
const CLASS_BITS: u32 = 6;
/** Letters of the shortest piece that can be anywhere (`minUnanchoredPiece` of filter-index.ts). */
const START_LETTERS: u32 = 3;
/** The buckets of a whole text, one word each; the windows of the longest text and of names end before. */
const BUCKETS: usize = 48128;

const HASH: u64 = 0x9e3779b97f4a7c15;
const SALT: u64 = 0xd6e8feb86659fd93;

let bitmap: usize = 0;
let bitmapShift: u64 = 0;
let slots: usize = 0;
let slotShift: u64 = 0;
let slotMask: u32 = 0;
let entries: usize = 0;
let entriesEnd: usize = 0;
export let pieceLengths: u32 = 0;
let probes: usize = 0;
let probeStarts: usize = 0;
let longestProbed: u32 = 0;
let starts: usize = 0;
let startShift: u64 = 0;
let bucketCount: u32 = 0;

/** The block whose index is in use; no block is at 0. */
let indexed: usize = 0;

/** Makes the index of a block the one in use; its fields, the `indexFields` of filter-tables.ts, are `first` bytes into the block. */
export function useIndex(block: usize, first: usize): void {
  if (indexed == block) return;
  indexed = block;
  const at = block + first;
  bitmap = block + load<u32>(at, 4);
  bitmapShift = 64 - load<u32>(at, 8);
  slots = block + load<u32>(at, 12);
  slotShift = 64 - load<u32>(at, 16);
  slotMask = (1 << load<u32>(at, 16)) - 1;
  entries = block + load<u32>(at, 20);
  entriesEnd = block + load<u32>(at, 24);
  pieceLengths = load<u32>(at, 28);
  probes = block + load<u32>(at, 32);
  probeStarts = block + load<u32>(at, 36);
  longestProbed = load<u32>(at, 40);
  starts = block + load<u32>(at, 44);
  startShift = 64 - load<u32>(at, 48);
}

export function forgetIndex(): void {
  indexed = 0;
}

/** A window with one letter more before it. */
// @ts-ignore: decorator
@inline
export function push(window: u64, letter: u32): u64 {
  return (window >> CLASS_BITS) | (<u64>letter << ((WINDOW_LETTERS - 1) * CLASS_BITS));
}

/** The shift of a window that leaves so many letters. */
// @ts-ignore: decorator
@inline
function shiftOf(size: u32): u64 {
  return <u64>((WINDOW_LETTERS - size) * CLASS_BITS);
}

/** Starts the epochs of the buckets again. */
export function clearBuckets(): void {
  for (let at = entries + 8; at < entriesEnd; at += 8 + (<usize>load<u32>(at) << 3)) store<u32>(at + 4, 0);
}

/** Whether a piece that can be anywhere may start with the letters of a window. */
// @ts-ignore: decorator
@inline
export function mayStart(window: u64): bool {
  return hasBit(starts, <u32>(((window >> shiftOf(START_LETTERS)) * HASH) >> startShift));
}

/** The bucket of the first `size` letters of a window as a piece that can be anywhere, or 0. */
// @ts-ignore: decorator
@inline
export function bucketAt(window: u64, size: u32): usize {
  return bucketOf(window >> shiftOf(size), <u64>size * SALT);
}

/**
 * Finds the buckets of a whole text of `length` letters, whose first window is at `first`, and returns how many. Which letters are
 * looked up in a text of this length was worked out beforehand (src/engine/brand/filters/filter-index.ts).
 */
export function findBuckets(first: usize, length: u32): u32 {
  bucketCount = 0;
  if (length > longestProbed) return 0;
  const last = probes + load<u32>(probeStarts + (<usize>(length + 1) << 2));
  for (let at = probes + load<u32>(probeStarts + (<usize>length << 2)); at < last; at += 16) {
    const size = <u32>load<u8>(at, 4);
    const letters = load<u64>(first + load<u32>(at)) >> shiftOf(size);
    const salt = load<u64>(at, 8);
    if (load<u8>(at, 5) == 0) {
      addBucket(letters, salt);
      continue;
    }
    for (let low: u64 = 0; low < <u64>(size * CLASS_BITS); low += CLASS_BITS) {
      const above = (letters >> (low + CLASS_BITS)) << low;
      addBucket(above | (letters & (((<u64>1) << low) - 1)), salt);
    }
  }
  return bucketCount;
}

/** The i-th bucket that was found. */
// @ts-ignore: decorator
@inline
export function bucketFound(i: u32): usize {
  return load<u32>(BUCKETS + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
function addBucket(piece: u64, salt: u64): void {
  const bucket = bucketOf(piece, salt);
  if (bucket == 0) return;
  store<u32>(BUCKETS + (<usize>bucketCount << 2), <u32>bucket);
  bucketCount++;
}

// @ts-ignore: decorator
@inline
function hasBit(bits: usize, bit: u32): bool {
  return ((load<u8>(bits + (bit >> 3)) >> <u8>(bit & 7)) & 1) != 0;
}

/** The bucket of a piece, or 0. */
// @ts-ignore: decorator
@inline
function bucketOf(piece: u64, salt: u64): usize {
  const hash = (piece + salt) * HASH;
  return hasBit(bitmap, <u32>(hash >> bitmapShift)) ? searchSlots(hash) : 0;
}

function searchSlots(hash: u64): usize {
  const tag = <u32>(hash >> 8);
  let slot = <u32>(hash >> slotShift);
  while (true) {
    const at = slots + (<usize>slot << 3);
    const bucket = load<u32>(at + 4);
    if (bucket == 0) return 0;
    if (load<u32>(at) == tag) return entries + bucket;
    slot = (slot + 1) & slotMask;
  }
}
