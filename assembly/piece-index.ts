// The index of pieces of patterns in a block: a bitmap, a hash table and buckets of patterns (src/engine/brand/filters/filter-index.ts).

/** For each place of a text, the ten classes from there on, 6 bits each, the first on top. */
export const WINDOWS: usize = 8192;
/** Classes in a window and the bits of one. */
const WINDOW_LETTERS: u32 = 10;
const CLASS_BITS: u32 = 6;

const HASH: u64 = 0x9e3779b97f4a7c15;
export const SALT: u64 = 0xd6e8feb86659fd93;

let bitmap: usize = 0;
let bitmapShift: u64 = 0;
let slots: usize = 0;
let slotShift: u64 = 0;
let slotMask: u32 = 0;
let entries: usize = 0;
let entriesEnd: usize = 0;
export let pieceLengths: u32 = 0;
export let probes: usize = 0;
export let probeStarts: usize = 0;
export let longestProbed: u32 = 0;

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
export function shiftOf(size: u32): u64 {
  return <u64>((WINDOW_LETTERS - size) * CLASS_BITS);
}

/** Starts the epochs of the buckets again. */
export function clearBuckets(): void {
  for (let at = entries + 8; at < entriesEnd; at += 8 + (<usize>load<u32>(at) << 3)) store<u32>(at + 4, 0);
}

/** The bucket of a piece, or 0. */
// @ts-ignore: decorator
@inline
export function bucketOf(piece: u64, salt: u64): usize {
  const hash = (piece + salt) * HASH;
  const bit = <u32>(hash >> bitmapShift);
  if ((load<u8>(bitmap + (bit >> 3)) >> <u8>(bit & 7) & 1) == 0) return 0;
  return searchSlots(hash);
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
