/**
 * The prefilter hash: 256 bits of the low frequencies of a view's map (a pHash), cheap to compare by the million.
 *
 * Frequencies 1 to 16 of a cosine transform along both axes, each compared with their median, as in PDQ (Facebook,
 * "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", 2019). Unlike in PDQ, a value must exceed
 * the median by a margin: half of a symmetric logo's frequencies are only noise around 0.
 */

import { patchSide, prefilterDeadZone } from "../tuning.ts";
import { valueAtRank } from "./quantile.ts";

/** Bytes of a prefilter hash. */
export const prefilterHashBytes = 32;
const frequencies = 16;
/** Side of the hashed map: half a patch, which contains all the frequencies in use. */
export const halfSide = patchSide / 2;
const folded = halfSide / 2;

/** Row f of this table is the cosine of frequency f + 1 over the first half of the map; the second half mirrors it. */
const cosines = Float64Array.from({ length: frequencies * folded }, (_, i) => {
  const f = Math.floor(i / folded) + 1;
  return Math.cos((Math.PI / halfSide) * f * ((i % folded) + 0.5));
});

/** Prefilter hash of a map of `halfSide` * `halfSide` values. */
export function prefilterHash(map: Float64Array): Uint8Array {
  const values = lowFrequencies(map);
  const middle = percentile(values, 0.5);
  const threshold = middle + prefilterDeadZone * percentile(values.map(Math.abs), 0.9);
  const hash = new Uint8Array(prefilterHashBytes);
  for (let i = 0; i < values.length; i++)
    if ((values[i] ?? 0) > threshold) hash[i >> 3] = (hash[i >> 3] ?? 0) | (1 << (i & 7));
  return hash;
}

function percentile(values: Float64Array, share: number): number {
  return valueAtRank(values.slice(), Math.floor(share * values.length));
}

function lowFrequencies(map: Float64Array): Float64Array {
  const across = transformRows(map, halfSide);
  return transformRows(transpose(across, halfSide, frequencies), frequencies);
}

/** Frequencies of each row; a cosine is even or odd about the middle, so each row is folded first. */
function transformRows(values: Float64Array, rows: number): Float64Array {
  const out = new Float64Array(rows * frequencies);
  const even = new Float64Array(folded);
  const odd = new Float64Array(folded);
  for (let y = 0; y < rows; y++) {
    for (let x = 0, a = y * halfSide, b = a + halfSide - 1; x < folded; x++, a++, b--) {
      even[x] = (values[a] ?? 0) + (values[b] ?? 0);
      odd[x] = (values[a] ?? 0) - (values[b] ?? 0);
    }
    for (let f = 0; f < frequencies; f++) {
      const part = f % 2 === 0 ? odd : even;
      let sum = 0;
      for (let x = 0; x < folded; x++) sum += (part[x] ?? 0) * (cosines[f * folded + x] ?? 0);
      out[y * frequencies + f] = sum;
    }
  }
  return out;
}

function transpose(values: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) out[x * rows + y] = values[y * columns + x] ?? 0;
  }
  return out;
}

/** A hash as 32-bit words, which are faster to compare. */
export function hashWords(hash: Uint8Array): Int32Array {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  const words = new Int32Array(hash.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = view.getInt32(4 * i, true);
  return words;
}

/** Number of different bits of two hashes of equal length. */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  return wordHammingDistance(hashWords(a), hashWords(b));
}

/** Number of different bits of two hashes as words. */
export function wordHammingDistance(a: Int32Array, b: Int32Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += popcount((a[i] ?? 0) ^ (b[i] ?? 0));
  return bits;
}

/** Number of bits set in a word of 32. */
export function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
