/**
 * Edit distance, exact, by Myers' bit-parallel algorithm (J. ACM 46(3), 1999) in the formulation of Hyyrö (2003), which
 * also counts a swap of neighbours as one edit (optimal string alignment). 32 rows a word, as many words as the pattern needs.
 *
 * Patterns and texts are arrays of letter ids (`alphabet.ts`); id 0 equals nothing.
 */
import type { Span } from "../model.ts";

/** Letter ids; the part in question is given by a start and an end. */
export type Ids = ArrayLike<number>;

/** What a pattern is compared with, and how. */
export interface DistanceEngine {
  /** Distance of a pattern and the whole of a part of a text; `limit + 1` stands for anything above the limit. */
  whole(pattern: Ids, text: Ids, start: number, end: number, limit: number): number;
  /** Smallest distance of a pattern and any substring of the part, and the leftmost, then shortest such substring. */
  within(pattern: Ids, text: Ids, start: number, end: number, limit: number): Found | undefined;
}

/** The best occurrence of a pattern. */
export interface Found {
  readonly distance: number;
  readonly span: Span;
}

/** State of one column of the matrix, one entry a word of 32 rows. */
interface Column {
  readonly positive: Int32Array;
  readonly negative: Int32Array;
  /** Bits of the column before, for swaps. */
  readonly diagonal: Int32Array;
  readonly equal: Int32Array;
}

const wordBits = 32;

/** Makes an engine for letter ids below `alphabetSize` and patterns of up to `maxLength` letters. Not reentrant: it keeps its tables. */
export function createDistanceEngine(
  alphabetSize: number,
  maxLength: number,
  transpositions: boolean,
): DistanceEngine {
  const maxWords = Math.max(1, Math.ceil(maxLength / wordBits));
  const rows = new Int32Array(alphabetSize * maxWords);
  const column = createColumn(maxWords);

  /** Notes in which rows each letter stands; `reversed` reads the pattern from its end. */
  function enter(pattern: Ids, reversed: boolean): number {
    const last = pattern.length - 1;
    for (let i = 0; i <= last; i++) {
      const row = reversed ? last - i : i;
      rows[pattern[i]! * maxWords + (row >>> 5)]! |= 1 << (row & 31);
    }
    return Math.ceil(pattern.length / wordBits);
  }

  function leave(pattern: Ids): void {
    for (let i = 0; i < pattern.length; i++) {
      const at = pattern[i]! * maxWords;
      rows.fill(0, at, at + maxWords);
    }
  }

  /** Change of the bottom row's value when one more letter of the text is read; `top` is the change of the top row. */
  function step(id: number, words: number, lastBit: number, top: number): number {
    const { positive, negative, diagonal, equal } = column;
    let carry = top;
    let swapCarry = 0;
    for (let w = 0; w < words; w++) {
      const letter = id === 0 ? 0 : rows[id * maxWords + w]!;
      const seen = carry < 0 ? letter | 1 : letter;
      const plus = positive[w]!;
      const minus = negative[w]!;
      let flat = ((((seen & plus) + plus) | 0) ^ plus) | seen | minus;
      if (transpositions) {
        const swap = ~diagonal[w]! & letter;
        flat |= ((swap << 1) | swapCarry) & equal[w]!;
        swapCarry = swap >>> 31;
        diagonal[w] = flat;
        equal[w] = letter;
      }
      const up = minus | ~(flat | plus);
      const down = plus & flat;
      const bit = w === words - 1 ? lastBit : 1 << 31;
      const upShifted = (up << 1) | (carry > 0 ? 1 : 0);
      const downShifted = (down << 1) | (carry < 0 ? 1 : 0);
      positive[w] = downShifted | ~(flat | upShifted);
      negative[w] = upShifted & flat;
      carry = (up & bit) !== 0 ? 1 : (down & bit) !== 0 ? -1 : 0;
    }
    return carry;
  }

  /** Leftmost start of a substring at the smallest distance: a search from the right with the pattern reversed. */
  function leftmost(
    pattern: Ids,
    text: Ids,
    start: number,
    end: number,
  ): { distance: number; start: number } {
    const words = enter(pattern, true);
    const lastBit = 1 << ((pattern.length - 1) & 31);
    reset(column, words);
    let score = pattern.length;
    let best = score;
    let bestStart = end;
    for (let i = end - 1; i >= start; i--) {
      score += step(text[i]!, words, lastBit, 0);
      if (score <= best) {
        best = score;
        bestStart = i;
      }
    }
    leave(pattern);
    return { distance: best, start: bestStart };
  }

  /** Nearest end at which the substring from `start` has the distance that it is known to reach. */
  function nearestEnd(pattern: Ids, text: Ids, start: number, end: number, distance: number): number {
    if (pattern.length === distance) return start;
    const words = enter(pattern, false);
    const lastBit = 1 << ((pattern.length - 1) & 31);
    reset(column, words);
    let score = pattern.length;
    let i = start;
    while (score !== distance && i < end) score += step(text[i++]!, words, lastBit, 1);
    leave(pattern);
    return i;
  }

  return {
    whole(pattern, text, start, end, limit) {
      const length = end - start;
      if (Math.abs(length - pattern.length) > limit) return limit + 1;
      if (pattern.length === 0) return length;
      const words = enter(pattern, false);
      const lastBit = 1 << ((pattern.length - 1) & 31);
      reset(column, words);
      let score = pattern.length;
      for (let i = start; i < end; i++) score += step(text[i]!, words, lastBit, 1);
      leave(pattern);
      return Math.min(score, limit + 1);
    },
    within(pattern, text, start, end, limit) {
      const found = leftmost(pattern, text, start, end);
      if (found.distance > limit) return undefined;
      const spanEnd = nearestEnd(pattern, text, found.start, end, found.distance);
      return { distance: found.distance, span: { start: found.start, end: spanEnd } };
    },
  };
}

function createColumn(words: number): Column {
  const column = () => new Int32Array(words);
  return { positive: column(), negative: column(), diagonal: column(), equal: column() };
}

/** The first column: value i in row i, nothing read. */
function reset(column: Column, words: number): void {
  for (let w = 0; w < words; w++) {
    column.positive[w] = -1;
    column.negative[w] = 0;
    column.diagonal[w] = -1;
    column.equal[w] = 0;
  }
}
