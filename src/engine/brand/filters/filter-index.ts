/**
 * The piece index. A pattern with k allowed edits is cut into k + 1 pieces; every text that it matches contains one of
 * them unchanged. Where a swap of two neighbors is one edit, a letter between two pieces belongs to none, so that no swap
 * changes both. For whole labels the position of a piece is limited, too (Li, Deng, Wang, Feng: Pass-Join, VLDB 2011); pieces
 * that can be anywhere are the rarest of each pattern.
 */

import { inRows, mapInRows, type Steps } from "../../../core/work/steps.ts";
import { classCount, maskOf, patternWork } from "../names/alphabet.ts";
import type { FilterMode } from "./filter-pattern.ts";
import type { IndexField, TableWriter } from "./filter-tables.ts";

/** The constants of assembly/names.ts. */
const hashFactor = 0x9e3779b97f4a7c15n;
const saltFactor = 0xd6e8feb86659fd93n;
/** Sets pieces of skeletons apart: above the bits of `positionSalt`. */
const skeletonVariant = saltFactor << 13n;
const classBits = 6n;
const windowLetters = 10;
const probeBytes = 16;

/** Letters of a piece that can be anywhere: each distinct length costs one look-up a letter of the text, and shorter ones are in too many names. */
const [minUnanchoredPiece, maxUnanchoredPiece] = [3, 5];
/** Minimum letters of the pieces. */
const minPieceLength = { label: 2, contains: minUnanchoredPiece } as const satisfies Record<
  FilterMode,
  number
>;

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
  const letters = length - gapOf(transpositions) * limit;
  return length <= maxIndexedLength && Math.floor(letters / (limit + 1)) >= minPieceLength[mode];
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
  /** For whole labels: the look-ups for texts of each length. */
  readonly probes: readonly (readonly Probe[])[];
}

/** A pattern of the index. */
export interface IndexedPattern {
  readonly classes: Uint8Array;
  readonly limit: number;
  /** The pattern's number in the block. */
  readonly number: number;
  readonly mode: FilterMode;
  /** Its text is that of skeletons, which is searched for pieces of its own. */
  readonly isSkeleton?: boolean;
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
  const { classes, limit, number, mode, isSkeleton } = pattern;
  const mask = maskOf(classes);
  const variant = isSkeleton ? skeletonVariant : 0n;
  const isWhole = mode === "label";
  const cuts = isWhole
    ? cutPattern(classes.length, limit, gap)
    : rarestPieces(classes, limit, gap, frequency);
  return cuts.map(({ start, size }, i) => ({
    classes: classes.subarray(start, start + Math.min(size, windowLetters)),
    salt: (isWhole ? positionSalt(limit, classes.length, i) : BigInt(size) * saltFactor) + variant,
    size: isWhole ? 0 : size,
    pattern: number,
    limit,
    mask,
  }));
}

/** Start and size of a piece. */
interface Cut {
  readonly start: number;
  readonly size: number;
}

/**
 * The pieces of a pattern by its length alone: equal sizes, the last ones a letter longer when there is a remainder, and `gap`
 * letters between two.
 */
function cutPattern(length: number, limit: number, gap: number): Cut[] {
  const letters = length - gap * limit;
  const small = Math.floor(letters / (limit + 1));
  const smallCount = (small + 1) * (limit + 1) - letters;
  return Array.from({ length: limit + 1 }, (_, i) => ({
    start: i * (small + gap) + Math.max(0, i - smallCount),
    size: small + (i < smallCount ? 0 : 1),
  }));
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

function positionSalt(limit: number, length: number, i: number): bigint {
  return BigInt((limit << 10) | (length << 2) | i) * saltFactor;
}

/** A look-up in texts of one length: start of the piece, number of its letters, its salt. */
interface Probe {
  readonly start: number;
  readonly size: number;
  readonly salt: bigint;
}

/** The look-ups for texts of each length that a pattern of the index can have after its edits. */
function probesOf(patterns: readonly IndexedPattern[], gap: number): Probe[][] {
  const lengthsAndLimits = new Map(
    patterns.map(({ classes: { length }, limit }) => [(length << 2) | limit, { length, limit }]),
  );
  const probes: Probe[][] = [];
  for (const { length, limit } of lengthsAndLimits.values()) {
    for (let text = Math.max(0, length - limit); text <= length + limit; text++) {
      probes[text] = [...(probes[text] ?? []), ...probesBetween(length, limit, gap, text)];
    }
  }
  return Array.from(probes, (list) => list ?? []);
}

/**
 * Some piece i is unchanged with at most i edits left of it and at most limit - i right of it, so that it is shifted by
 * at most that many letters, counted from either end.
 */
function probesBetween(length: number, limit: number, gap: number, text: number): Probe[] {
  const longer = text - length;
  return cutPattern(length, limit, gap).flatMap(({ start, size }, i) => {
    const from = Math.max(0, start - i, start + longer - (limit - i));
    const to = Math.min(text - size, start + i, start + longer + (limit - i));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
      start: from + at,
      size: Math.min(size, windowLetters),
      salt: positionSalt(limit, length, i),
    }));
  });
}

function hashOf({ classes, salt }: Piece): bigint {
  const packed = classes.reduce((bits, c) => (bits << classBits) | BigInt(c), 0n);
  return BigInt.asUintN(64, (packed + salt) * hashFactor);
}

/** At most half of the slots are used; the bitmap before them has 16 bits a slot. */
function slotBitsFor(pieces: number): number {
  return Math.max(8, Math.ceil(Math.log2(2 * pieces + 1)));
}

const bitmapBitsPerSlot = 4;

/** Writes the tables of the index. */
export function* writeIndex(
  writer: TableWriter<IndexField>,
  { pieces, lengths, probes }: PieceIndex,
): Steps<void> {
  const slotBits = slotBitsFor(pieces.length);
  const bitmapBits = slotBits + bitmapBitsPerSlot;
  const bitmap = new Uint8Array(2 ** bitmapBits / 8);
  const table = createSlots(slotBits);
  yield* mapInRows(pieces, patternWork, (piece) => {
    const hash = hashOf(piece);
    const bit = Number(hash >> BigInt(64 - bitmapBits));
    bitmap[bit >>> 3] = (bitmap[bit >>> 3] ?? 0) | (1 << (bit & 7));
    table.add(hash, piece);
  });
  const { slots, entries } = yield* table.finish();
  writer.set("indexed", 1);
  writer.set("bitmapBits", bitmapBits);
  writer.set("slotBits", slotBits);
  writer.set("pieceLengths", lengths);
  writer.set("longestProbed", Math.max(0, probes.length - 1));
  writer.write("bitmap", bitmap);
  writer.write("slots", slots);
  writer.write("entries", entries);
  writer.reserve("entriesEnd", 0);
  writer.write("probes", packProbes(probes.flat()));
  writer.write("probeStarts", probeStarts(probes));
}

/** Byte offset of the window, shift that isolates the piece, salt. */
function packProbes(probes: readonly Probe[]): BigUint64Array {
  return BigUint64Array.from(
    probes.flatMap(({ start, size, salt }) => [
      BigInt(8 * start) | ((BigInt(windowLetters - size) * classBits) << 32n),
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
