/**
 * The piece index. A pattern with k allowed edits is cut into k + 1 pieces; every text that it matches contains one of
 * them unchanged. For whole labels the position of a piece is limited, too (Li, Deng, Wang, Feng: Pass-Join, VLDB 2011).
 */

import { inRows, mapInRows, type Steps } from "../../../core/work/steps.ts";
import { maskOf, patternWork } from "../names/alphabet.ts";
import type { FilterMode, OrderedPattern, PartitionedPatterns } from "./filter-pattern.ts";
import type { TableWriter } from "./filter-tables.ts";

/** The constants of assembly/names.ts. */
const hashFactor = 0x9e3779b97f4a7c15n;
const saltFactor = 0xd6e8feb86659fd93n;
const classBits = 6n;
const windowLetters = 10;
const probeBytes = 16;

/** Letters looked up of a piece that can be anywhere: each distinct length costs one look-up a letter of the text. */
const maxUnanchoredPiece = 5;

/** One piece: its classes, and a salt that separates it from other pieces of the same classes. */
interface Piece {
  readonly classes: Uint8Array;
  readonly salt: bigint;
  /** The filter's number of the pattern. */
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

/** Cuts the patterns of the index into pieces. */
export function* pieceIndexOf(
  { linear, grouped, indexed }: PartitionedPatterns,
  mode: FilterMode,
): Steps<PieceIndex> {
  const first = linear.length + grouped.length;
  const pieces: Piece[] = [];
  yield* mapInRows(indexed, patternWork, (pattern, i) => {
    pieces.push(...piecesOf(pattern, first + i, mode));
  });
  const lengths = pieces.reduce((bits, { classes }) => bits | (1 << classes.length), 0);
  return { pieces, lengths, probes: mode === "label" ? probesOf(indexed) : [] };
}

function piecesOf(pattern: OrderedPattern, number: number, mode: FilterMode): Piece[] {
  const { classes, limit } = pattern;
  const mask = maskOf(classes);
  const maxLetters = mode === "label" ? windowLetters : maxUnanchoredPiece;
  return cutPattern(classes.length, limit).map(({ start, size }, i) => {
    const letters = classes.subarray(start, start + Math.min(size, maxLetters));
    const salt =
      mode === "label" ? positionSalt(limit, classes.length, i) : BigInt(letters.length) * saltFactor;
    return { classes: letters, salt, pattern: number, limit, mask };
  });
}

/** Start and size of the pieces of a pattern: equal sizes, the last ones a letter longer when there is a remainder. */
function cutPattern(length: number, limit: number): { readonly start: number; readonly size: number }[] {
  const small = Math.floor(length / (limit + 1));
  const smallCount = (small + 1) * (limit + 1) - length;
  return Array.from({ length: limit + 1 }, (_, i) => ({
    start: i * small + Math.max(0, i - smallCount),
    size: small + (i < smallCount ? 0 : 1),
  }));
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
function probesOf(patterns: readonly OrderedPattern[]): Probe[][] {
  const lengthsAndLimits = new Map(
    patterns.map(({ ids, limit }) => [(ids.length << 2) | limit, { length: ids.length, limit }]),
  );
  const probes: Probe[][] = [];
  for (const { length, limit } of lengthsAndLimits.values()) {
    for (let text = Math.max(0, length - limit); text <= length + limit; text++) {
      probes[text] = [...(probes[text] ?? []), ...probesBetween(length, limit, text)];
    }
  }
  return Array.from(probes, (list) => list ?? []);
}

/**
 * Some piece i is unchanged with at most i edits left of it and at most limit - i right of it, so that it is shifted by
 * at most that many letters, counted from either end.
 */
function probesBetween(length: number, limit: number, text: number): Probe[] {
  const longer = text - length;
  return cutPattern(length, limit).flatMap(({ start, size }, i) => {
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
export function* writeIndex(writer: TableWriter, { pieces, lengths, probes }: PieceIndex): Steps<void> {
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
  writer.set("longestProbed", probes.length - 1);
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
