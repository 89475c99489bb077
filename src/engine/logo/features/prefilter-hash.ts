/**
 * The gate: a 256-bit hash of the low frequencies of a view's map, cheap to compare by the million.
 *
 * Frequencies 1 to 16 of a cosine transform along both axes, each against their median, as PDQ does it
 * (Facebook, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", 2019). Unlike there, a
 * value has to clear the median: half of a symmetric logo's frequencies are nothing but noise about 0.
 */

import { gateDeadZone, patchSide } from "../tuning.ts";
import { valueAtRank } from "./quantile.ts";

/** Bytes of a gate hash. */
export const gateBytes = 32;
const frequencies = 16;
/** Side of the map that is hashed: half a patch, which has all the frequencies that are asked for. */
export const halfSide = patchSide / 2;
const folded = halfSide / 2;

/** Row f of this table is the cosine of frequency f + 1 over the first half of the map; the rest mirrors it. */
const cosines = Float64Array.from({ length: frequencies * folded }, (_, i) => {
  const f = Math.floor(i / folded) + 1;
  return Math.cos((Math.PI / halfSide) * f * ((i % folded) + 0.5));
});

/** Gate hash of a map of `halfSide` squared values. */
export function gateHash(map: Float64Array): Uint8Array {
  const values = lowFrequencies(map);
  const middle = percentile(values, 0.5);
  const least = middle + gateDeadZone * percentile(values.map(Math.abs), 0.9);
  const hash = new Uint8Array(gateBytes);
  for (let i = 0; i < values.length; i++) if (values[i]! > least) hash[i >> 3]! |= 1 << (i & 7);
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
      even[x] = values[a]! + values[b]!;
      odd[x] = values[a]! - values[b]!;
    }
    for (let f = 0; f < frequencies; f++) {
      const part = f % 2 === 0 ? odd : even;
      let sum = 0;
      for (let x = 0; x < folded; x++) sum += part[x]! * cosines[f * folded + x]!;
      out[y * frequencies + f] = sum;
    }
  }
  return out;
}

function transpose(values: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) out[x * rows + y] = values[y * columns + x]!;
  }
  return out;
}

/** A hash as words of 32 bits, which are quicker to compare. */
export function gateWords(hash: Uint8Array): Int32Array {
  const words = new Int32Array(hash.length / 4);
  for (let i = 0, o = 0; i < words.length; i++, o += 4) {
    words[i] = hash[o]! | (hash[o + 1]! << 8) | (hash[o + 2]! << 16) | (hash[o + 3]! << 24);
  }
  return words;
}

/** Number of bits in which two hashes of equal length differ. */
export function differingBits(a: Uint8Array, b: Uint8Array): number {
  return differingWordBits(gateWords(a), gateWords(b));
}

/** Number of bits in which two hashes as words differ. */
export function differingWordBits(a: Int32Array, b: Int32Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += bitsOf(a[i]! ^ b[i]!);
  return bits;
}

/** Number of bits set in a word of 32. */
export function bitsOf(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
