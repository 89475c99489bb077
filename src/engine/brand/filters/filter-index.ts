/**
 * The index of pieces. A pattern with k edits allowed is cut into k + 1 pieces; whatever it matches holds one of them unchanged.
 * For whole labels a piece also says where it must stand (Li, Deng, Wang, Feng: Pass-Join, VLDB 2011).
 */

import type { MatchMode } from "../model.ts";
import { maskOf } from "../names/alphabet.ts";
import type { NamesWasm } from "./filter-memory.ts";
import type { Placed, PlacedPattern } from "./filter-pattern.ts";

/** The constants of assembly/names.ts. */
const hashFactor = 0x9e3779b97f4a7c15n;
const saltFactor = 0xd6e8feb86659fd93n;
const classBits = 6n;
const windowLetters = 10;
const probeBytes = 16;

/** Of a piece of a pattern that may stand anywhere, so many letters are looked up; a length of its own costs a look-up a letter. */
const maxFreePiece = 5;

/** One piece: its classes, and what it is told apart by from pieces of the same classes. */
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
  /** For whole labels: where to look, for texts of each length. */
  readonly probes: readonly (readonly Probe[])[];
}

/** Cuts the patterns of the index into pieces. */
export function pieceIndexOf({ linear, grouped, indexed }: Placed, mode: MatchMode): PieceIndex {
  const first = linear.length + grouped.length;
  const pieces = indexed.flatMap((pattern, i) => piecesOf(pattern, first + i, mode));
  const lengths = pieces.reduce((bits, { classes }) => bits | (1 << classes.length), 0);
  return { pieces, lengths, probes: mode === "label" ? probesOf(indexed) : [] };
}

function piecesOf(pattern: PlacedPattern, number: number, mode: MatchMode): Piece[] {
  const { classes, limit } = pattern;
  const mask = maskOf(classes);
  return cutsOf(classes.length, limit).map(({ place, size }, i) => {
    const shown = classes.subarray(
      place,
      place + Math.min(size, mode === "label" ? windowLetters : maxFreePiece),
    );
    const salt = mode === "label" ? placeSalt(limit, classes.length, i) : BigInt(shown.length) * saltFactor;
    return { classes: shown, salt, pattern: number, limit, mask };
  });
}

/** The pieces of a pattern of this length: equal, the last ones a letter longer where that does not come out even. */
function cutsOf(length: number, limit: number): { readonly place: number; readonly size: number }[] {
  const small = Math.floor(length / (limit + 1));
  const smallCount = (small + 1) * (limit + 1) - length;
  return Array.from({ length: limit + 1 }, (_, i) => ({
    place: i * small + Math.max(0, i - smallCount),
    size: small + (i < smallCount ? 0 : 1),
  }));
}

function placeSalt(limit: number, length: number, i: number): bigint {
  return BigInt((limit << 10) | (length << 2) | i) * saltFactor;
}

/** A look-up in texts of one length: where the piece starts, how many letters it shows, its salt. */
interface Probe {
  readonly place: number;
  readonly size: number;
  readonly salt: bigint;
}

/** The look-ups for texts of each length that a pattern of the index can have after its edits. */
function probesOf(patterns: readonly PlacedPattern[]): Probe[][] {
  const shapes = new Map(
    patterns.map(({ ids, limit }) => [(ids.length << 2) | limit, { length: ids.length, limit }]),
  );
  const probes: Probe[][] = [];
  for (const { length, limit } of shapes.values()) {
    for (let text = Math.max(0, length - limit); text <= length + limit; text++) {
      probes[text] = [...(probes[text] ?? []), ...probesBetween(length, limit, text)];
    }
  }
  return Array.from(probes, (list) => list ?? []);
}

/**
 * Some piece i stands unchanged with at most i edits left of it and at most limit - i right of it, so that it is shifted by no more
 * than that from its place, counted from either end.
 */
function probesBetween(length: number, limit: number, text: number): Probe[] {
  const longer = text - length;
  return cutsOf(length, limit).flatMap(({ place, size }, i) => {
    const from = Math.max(0, place - i, place + longer - (limit - i));
    const to = Math.min(text - size, place + i, place + longer + (limit - i));
    const shown = Math.min(size, windowLetters);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
      place: from + at,
      size: shown,
      salt: placeSalt(limit, length, i),
    }));
  });
}

function hashOf({ classes, salt }: Piece): bigint {
  const packed = classes.reduce((bits, c) => (bits << classBits) | BigInt(c), 0n);
  return BigInt.asUintN(64, (packed + salt) * hashFactor);
}

/** Slots are at most half full; the bitmap before them has 16 bits a slot. */
function slotBitsFor(pieces: number): number {
  return Math.max(8, Math.ceil(Math.log2(2 * pieces + 1)));
}

const bitmapBitsPerSlot = 4;

/** Lays the index out in memory. */
export function writeIndex(wasm: NamesWasm, { pieces, lengths, probes }: PieceIndex): void {
  const slotBits = slotBitsFor(pieces.length);
  const bitmapBits = slotBits + bitmapBitsPerSlot;
  const bitmap = new Uint8Array(2 ** bitmapBits / 8);
  const table = createSlots(slotBits);
  for (const piece of pieces) {
    const hash = hashOf(piece);
    const bit = Number(hash >> BigInt(64 - bitmapBits));
    bitmap[bit >>> 3]! |= 1 << (bit & 7);
    table.add(hash, piece);
  }
  const { slots, entries } = table.finish();
  wasm.exports.setIndex(
    wasm.write(bitmap),
    bitmapBits,
    wasm.write(slots),
    slotBits,
    wasm.write(entries),
    lengths,
    wasm.write(packProbes(probes.flat())),
    wasm.write(probeStarts(probes)),
    probes.length - 1,
  );
}

/** Byte offset of the window, shift that leaves the piece, salt. */
function packProbes(probes: readonly Probe[]): BigUint64Array {
  return BigUint64Array.from(
    probes.flatMap(({ place, size, salt }) => [
      BigInt(8 * place) | ((BigInt(windowLetters - size) * classBits) << 32n),
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

/** Pieces by the number of their pattern: a pattern stands in a bucket once. */
type Bucket = Map<number, Piece>;

/** A hash table with linear probing. Pieces with the same tag on one path share a bucket, which a filter may. */
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
    finish: () => layOut(tags, buckets),
  };
}

/** Slots of (tag, byte offset of the bucket), and buckets of (count, epoch, entries). Offset 0 means an empty slot. */
function layOut(tags: Uint32Array, buckets: readonly (Bucket | undefined)[]) {
  const slots = new Uint32Array(2 * tags.length);
  const entries = [0, 0];
  buckets.forEach((bucket, slot) => {
    if (bucket === undefined) return;
    slots[2 * slot] = tags[slot]!;
    slots[2 * slot + 1] = 4 * entries.length;
    entries.push(bucket.size, 0);
    for (const { pattern, limit, mask } of bucket.values())
      entries.push((pattern | (limit << 30)) >>> 0, mask);
  });
  return { slots, entries: Uint32Array.from(entries) };
}
