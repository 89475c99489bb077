/**
 * The piece index. A pattern that can be anywhere, with k allowed edits, is cut into k + 1 pieces, the rarest ones; every text
 * that it matches contains one of them unchanged. A pattern that is compared with whole texts has a piece at its start and one at
 * its end: so few edits cannot change both much, and a piece within one edit is found by the strings without one of its
 * letters (as in symmetric deletion). Where a swap of two neighbors is one edit, a letter between two pieces belongs to
 * none, so that no swap changes both.
 */

import { inRows, mapInRows, type Steps } from "../../../core/work/steps.ts";
import { classCount, maskOf, patternWork } from "../names/alphabet.ts";
import type { FilterMode } from "./filter-pattern.ts";
import type { IndexField, TableWriter } from "./filter-tables.ts";

/** The constants of assembly/names.ts. */
const hashFactor = 0x9e3779b97f4a7c15n;
const saltFactor = 0xd6e8feb86659fd93n;
const classBits = 6n;
const probeBytes = 16;

/** Letters of a piece that can be anywhere: each distinct length costs one look-up, and shorter ones are in too many names. */
const [minUnanchoredPiece, maxUnanchoredPiece] = [3, 5];
/** Maximum letters of a piece at an end. */
const maxAnchoredPiece = 5;
/** Minimum letters of a whole pattern for each number of edits, without the gap. */
const minAnchoredLetters = [2, 4, 6, 8] as const;

/** Letters between two pieces. */
function gapOf(transpositions: boolean): number {
  return transpositions ? 1 : 0;
}

/** Longer patterns are not indexed. */
const maxIndexedLength = 254;

/** How the patterns of a filter are compared. */
interface PieceSetting {
  readonly mode: FilterMode;
  readonly transpositions: boolean;
}

/** Whether a pattern of so many letters has pieces that are long enough. */
export function hasPieces(length: number, limit: number, { mode, transpositions }: PieceSetting): boolean {
  if (length > maxIndexedLength) return false;
  const gap = gapOf(transpositions);
  if (mode === "label")
    return anchoredLetters(length, limit, gap) >= (minAnchoredLetters[limit] ?? length + 1);
  return Math.floor((length - gap * limit) / (limit + 1)) >= minUnanchoredPiece;
}

/** The letters of a whole pattern that its pieces can have. */
function anchoredLetters(length: number, limit: number, gap: number): number {
  return limit < 2 ? length : length - gap;
}

/** One piece: its classes, and a salt that separates it from other pieces of the same classes. */
interface Piece {
  readonly classes: Uint8Array;
  readonly salt: bigint;
  /** Its letters if it can be anywhere; else 0. */
  readonly size: number;
  /** The block's number of the pattern. */
  readonly pattern: number;
  readonly limit: number;
  readonly mask: number;
}

export interface PieceIndex {
  readonly pieces: readonly Piece[];
  /** Bit n: there are pieces of n letters. */
  readonly lengths: number;
  /** For whole texts: the look-ups for those of each length. */
  readonly probes: readonly (readonly Probe[])[];
}

/** A pattern of the index. */
export interface IndexedPattern {
  readonly classes: Uint8Array;
  readonly limit: number;
  /** The pattern's number in the block. */
  readonly number: number;
  readonly mode: FilterMode;
  /** The classes of each letter in the text that is searched for pieces that can be anywhere; by default itself. */
  readonly expanded?: readonly (readonly number[])[];
}

/** Cuts the patterns of the index into pieces. */
export function* pieceIndexOf(
  patterns: readonly IndexedPattern[],
  transpositions: boolean,
): Steps<PieceIndex> {
  const gap = gapOf(transpositions);
  const whole = patterns.filter(({ mode }) => mode === "label");
  const frequency = yield* pairFrequencies(patterns.filter(({ mode }) => mode === "contains"));
  const pieces: Piece[] = [];
  yield* mapInRows(patterns, patternWork, (pattern) => {
    pieces.push(...piecesOf(pattern, gap, frequency));
  });
  const lengths = pieces.reduce((bits, { size }) => bits | (1 << size), 0);
  return { pieces, lengths, probes: probesOf(whole, gap) };
}

function piecesOf(pattern: IndexedPattern, gap: number, frequency: PairFrequencies): Piece[] {
  const { classes, limit, number, mode, expanded } = pattern;
  const mask = maskOf(classes);
  const pieceOf = (letters: Uint8Array, salt: bigint, size: number): Piece => {
    return { classes: letters, salt, size, pattern: number, limit, mask };
  };
  if (mode === "label")
    return anchorsOf(classes.length, limit, gap).flatMap((anchor) =>
      keysOf(classes, anchor).map((key) => pieceOf(key, anchorSalt(anchor), 0)),
    );
  return rarestPieces(classes, limit, gap, frequency).map(({ start, size }) => {
    const letters = expanded?.slice(start, start + size).flat() ?? classes.subarray(start, start + size);
    const key = Uint8Array.from(letters).subarray(0, maxUnanchoredPiece);
    return pieceOf(key, BigInt(key.length) * saltFactor, key.length);
  });
}

/** A piece at an end of a pattern; a shortened one is compared within one edit. */
interface Anchor {
  readonly size: number;
  readonly isLast: boolean;
  readonly isShortened: boolean;
}

/**
 * The pieces of a pattern by its length: of those, one is in the text. With 2 edits the first piece is within one edit, or the
 * last one is unchanged; with 3 edits one of both is within one edit.
 */
function anchorsOf(length: number, limit: number, gap: number): Anchor[] {
  const letters = anchoredLetters(length, limit, gap);
  if (limit < 2) {
    const size = Math.min(letters, maxAnchoredPiece);
    return [{ size, isLast: false, isShortened: limit > 0 }];
  }
  const half = limit === 2 ? Math.min(maxAnchoredPiece - 1, (letters - 1) >> 1) : letters >> 1;
  const last = Math.min(half, maxAnchoredPiece);
  return [
    { size: Math.min(letters - last, maxAnchoredPiece), isLast: false, isShortened: true },
    { size: last, isLast: true, isShortened: limit > 2 },
  ];
}

/** The strings of an anchor: the piece, and of a shortened one those without one of its letters. */
function keysOf(classes: Uint8Array, { size, isLast, isShortened }: Anchor): Uint8Array[] {
  const piece = isLast ? classes.slice(classes.length - size) : classes.slice(0, size);
  if (!isShortened) return [piece];
  return [piece, ...Array.from(piece, (_, left) => piece.filter((_, i) => i !== left))];
}

/** Above the salts of pieces that can be anywhere. */
function anchorSalt({ size, isLast, isShortened }: Anchor): bigint {
  return BigInt(32 + 4 * size + (isLast ? 2 : 0) + (isShortened ? 1 : 0)) * saltFactor;
}

/** Start and size of a piece. */
interface Cut {
  readonly start: number;
  readonly size: number;
}

/** Logarithms of the share of each pair of neighbors, and of each second letter after its first one, among all pairs. */
interface PairFrequencies {
  readonly pair: Float64Array;
  readonly next: Float64Array;
}

/** Counts the pairs of the patterns, which are names themselves; so pieces that many patterns share are frequent, too. */
function* pairFrequencies(patterns: readonly IndexedPattern[]): Steps<PairFrequencies> {
  // Half an occurrence more of each.
  const pair = new Float64Array(classCount ** 2).fill(0.5);
  yield* mapInRows(patterns, patternWork, ({ classes }) => {
    for (let i = 1; i < classes.length; i++) pair[pairOf(classes, i)]! += 1;
  });
  const total = pair.reduce((sum, count) => sum + count, 0);
  const next = pair.map((count, i) => {
    const row = i - (i % classCount);
    return Math.log(count / pair.subarray(row, row + classCount).reduce((sum, each) => sum + each, 0));
  });
  return { pair: pair.map((count) => Math.log(count / total)), next };
}

/** The pair that ends at a letter. */
function pairOf(classes: Uint8Array, i: number): number {
  return (classes[i - 1] ?? 0) * classCount + (classes[i] ?? 0);
}

/**
 * The pieces of a pattern that are expected in the fewest names together: of 3 to 5 letters, in their order, with `gap` letters or
 * more between two.
 */
function rarestPieces(classes: Uint8Array, limit: number, gap: number, frequency: PairFrequencies): Cut[] {
  // For each number of pieces and each end: the lowest sum of shares, and the piece that is last.
  let before = Array.from({ length: classes.length + 1 + gap }, (): Chain => ({ cost: 0, cut: undefined }));
  for (let i = 0; i <= limit; i++) before = addPiece(classes, before, gap, frequency);
  const cuts: Cut[] = [];
  for (let last: Chain | undefined = before.at(-1); last?.cut; last = last.before) cuts.unshift(last.cut);
  return cuts;
}

/** Pieces of a pattern up to a letter. */
interface Chain {
  /** Sum of the shares. */
  readonly cost: number;
  /** The last piece, and those before it. */
  readonly cut: Cut | undefined;
  readonly before?: Chain;
}

const noChain: Chain = { cost: Number.POSITIVE_INFINITY, cut: undefined };

/** The best chains with one piece more, by where they may end; entries of `before` are `gap` letters later. */
function addPiece(
  classes: Uint8Array,
  before: readonly Chain[],
  gap: number,
  { pair, next }: PairFrequencies,
): Chain[] {
  const best: Chain[] = new Array<Chain>(classes.length + 1 + gap).fill(noChain);
  for (let start = 0; start < classes.length; start++) {
    const chain = before[start] ?? noChain;
    let share = 0;
    for (let size = 2; size <= maxUnanchoredPiece && start + size <= classes.length; size++) {
      const at = pairOf(classes, start + size - 1);
      share += (size === 2 ? pair[at] : next[at]) ?? 0;
      const cost = chain.cost + Math.exp(share);
      const end = start + size + gap;
      if (size >= minUnanchoredPiece && cost < (best[end]?.cost ?? 0))
        best[end] = { cost, cut: { start, size }, before: chain };
    }
  }
  // Pieces that end earlier may end here, too; the last one has no gap after it.
  for (let end = 1; end < best.length; end++)
    if ((best[end - 1]?.cost ?? 0) < (best[end]?.cost ?? 0)) best[end] = best[end - 1] ?? noChain;
  return best;
}

/** A look-up in texts of one length: start and number of its letters, and whether one of them is left out, each in turn. */
interface Probe {
  readonly start: number;
  readonly size: number;
  readonly leavesOut: boolean;
  readonly salt: bigint;
}

/** The look-ups for texts of each length that a pattern of the index can have after its edits. */
function probesOf(patterns: readonly IndexedPattern[], gap: number): Probe[][] {
  const anchors = new Map<number, Map<bigint, Anchor>>();
  for (const { length, limit } of lengthsAndLimits(patterns)) {
    for (let text = Math.max(0, length - limit); text <= length + limit; text++) {
      const known = anchors.get(text) ?? new Map<bigint, Anchor>();
      anchors.set(text, known);
      for (const anchor of anchorsOf(length, limit, gap)) known.set(anchorSalt(anchor), anchor);
    }
  }
  return Array.from({ length: Math.max(0, ...anchors.keys()) + 1 }, (_, text) =>
    [...(anchors.get(text)?.values() ?? [])].flatMap((anchor) => probesOfAnchor(anchor, text)),
  );
}

function lengthsAndLimits(patterns: readonly IndexedPattern[]) {
  const all = patterns.map(({ classes: { length }, limit }) => ({ length, limit }));
  return new Map(all.map((each) => [(each.length << 2) | each.limit, each])).values();
}

/**
 * The strings that a text of a length shares with an anchor. One edit makes the piece a letter longer or shorter, or changes one
 * letter or two neighbors, so that both strings without one letter are the same.
 */
function probesOfAnchor(anchor: Anchor, text: number): Probe[] {
  const { size, isLast, isShortened } = anchor;
  const probe = (letters: number, leavesOut: boolean): Probe => {
    return { start: isLast ? text - letters : 0, size: letters, leavesOut, salt: anchorSalt(anchor) };
  };
  if (!isShortened) return text < size ? [] : [probe(size, false)];
  if (text < size) return text === size - 1 ? [probe(text, false)] : [];
  return [text === size ? probe(size, false) : probe(size + 1, true), probe(size, true)];
}

function hashOf({ classes, salt }: Piece): bigint {
  return BigInt.asUintN(64, (packed(classes) + salt) * hashFactor);
}

/** Of the letters that all pieces have. */
function startHashOf({ classes }: Piece): bigint {
  return BigInt.asUintN(64, packed(classes.subarray(0, minUnanchoredPiece)) * hashFactor);
}

function packed(classes: Uint8Array): bigint {
  return classes.reduce((bits, c) => (bits << classBits) | BigInt(c), 0n);
}

function setBit(bitmap: Uint8Array, bit: bigint): void {
  const at = Number(bit >> 3n);
  bitmap[at] = (bitmap[at] ?? 0) | (1 << Number(bit & 7n));
}

/** At most half of the slots are used; the bitmap before them has 16 bits a slot. */
function slotBitsFor(pieces: number): number {
  return Math.max(8, Math.ceil(Math.log2(2 * pieces + 1)));
}

const bitmapBitsPerSlot = 4;
/** Bits of the second bitmap, of the first letters of pieces that can be anywhere. */
const startBitsPerSlot = 3;

/** Writes the tables of the index. */
export function* writeIndex(
  writer: TableWriter<IndexField>,
  { pieces, lengths, probes }: PieceIndex,
): Steps<void> {
  const slotBits = slotBitsFor(pieces.length);
  const bitmapBits = slotBits + bitmapBitsPerSlot;
  const bitmap = new Uint8Array(2 ** bitmapBits / 8);
  const startBits = slotBitsFor(pieces.filter(({ size }) => size > 0).length) + startBitsPerSlot;
  const starts = new Uint8Array(2 ** startBits / 8);
  const table = createSlots(slotBits);
  yield* mapInRows(pieces, patternWork, (piece) => {
    const hash = hashOf(piece);
    setBit(bitmap, hash >> BigInt(64 - bitmapBits));
    if (piece.size > 0) setBit(starts, startHashOf(piece) >> BigInt(64 - startBits));
    table.add(hash, piece);
  });
  const { slots, entries } = yield* table.finish();
  writer.set("indexed", 1);
  writer.set("bitmapBits", bitmapBits);
  writer.set("slotBits", slotBits);
  writer.set("pieceLengths", lengths);
  writer.set("longestProbed", probes.length - 1);
  writer.set("startBits", startBits);
  writer.write("starts", starts);
  writer.write("bitmap", bitmap);
  writer.write("slots", slots);
  writer.write("entries", entries);
  writer.reserve("entriesEnd", 0);
  writer.write("probes", packProbes(probes.flat()));
  writer.write("probeStarts", probeStarts(probes));
}

/** Byte offset of the window, number of its letters, whether one of them is left out; salt. */
function packProbes(probes: readonly Probe[]): BigUint64Array {
  return BigUint64Array.from(
    probes.flatMap(({ start, size, leavesOut, salt }) => [
      BigInt(8 * start) | (BigInt(size) << 32n) | (BigInt(leavesOut) << 40n),
      BigInt.asUintN(64, salt),
    ]),
  );
}

function probeStarts(probes: readonly (readonly Probe[])[]): Uint32Array {
  let at = 0;
  const ends = probes.map((list) => {
    at += probeBytes * list.length;
    return at;
  });
  return Uint32Array.from([0, ...ends]);
}

/** Pieces by the number of their pattern: a bucket holds a pattern once. */
type Bucket = Map<number, Piece>;

/** A hash table with linear probing. Pieces with the same tag on one path share a bucket: a filter may propose too many. */
function createSlots(slotBits: number) {
  const mask = 2 ** slotBits - 1;
  const tags = new Uint32Array(mask + 1);
  const buckets: (Bucket | undefined)[] = new Array(mask + 1).fill(undefined);
  return {
    add(hash: bigint, piece: Piece): void {
      const tag = Number((hash >> 8n) & 0xffffffffn);
      let slot = Number(hash >> BigInt(64 - slotBits));
      while (buckets[slot] !== undefined && tags[slot] !== tag) slot = (slot + 1) & mask;
      tags[slot] = tag;
      buckets[slot] = (buckets[slot] ?? new Map()).set(piece.pattern, piece);
    },
    finish: () => packSlots(tags, buckets),
  };
}

/** Slots of (tag, byte offset of the bucket), and buckets of (count, epoch, entries). Offset 0 means an empty slot. */
function* packSlots(
  tags: Uint32Array,
  buckets: readonly (Bucket | undefined)[],
): Steps<{ readonly slots: Uint32Array; readonly entries: Uint32Array }> {
  const slots = new Uint32Array(2 * tags.length);
  const entries = [0, 0];
  const pack = (bucket: Bucket | undefined, slot: number) => {
    if (bucket === undefined) return;
    slots[2 * slot] = tags[slot] ?? 0;
    slots[2 * slot + 1] = 4 * entries.length;
    entries.push(bucket.size, 0);
    for (const { pattern, limit, mask } of bucket.values())
      entries.push((pattern | (limit << 30)) >>> 0, mask);
  };
  yield* inRows(0, buckets.length, patternWork / 4, (from, to) => {
    for (let slot = from; slot < to; slot++) pack(buckets[slot], slot);
  });
  return { slots, entries: Uint32Array.from(entries) };
}
