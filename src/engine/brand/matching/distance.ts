/**
 * Exact edit distance by Myers' bit-parallel algorithm (J. ACM 46(3), 1999) in the formulation of Hyyrö (2003), which
 * can also count a swap of two neighbors as one edit (optimal string alignment). A word holds 32 rows of the matrix.
 *
 * Patterns and texts are arrays of letter ids (`alphabet.ts`); id 0 equals no letter.
 */
import type { Span } from "../model.ts";

/** Letter ids; the part to compare is given by a start and an end. */
export type LetterIds = ArrayLike<number>;

/** Compares patterns with parts of texts. */
export interface DistanceEngine {
  /** Distance of a pattern and a whole part of a text; `limit + 1` for every distance above the limit. */
  whole(pattern: LetterIds, text: LetterIds, start: number, end: number, limit: number): number;
  /** The occurrence of a pattern in a part of a text: the smallest distance, then the leftmost, then the shortest. */
  within(
    pattern: LetterIds,
    text: LetterIds,
    start: number,
    end: number,
    limit: number,
  ): Occurrence | undefined;
}

/** The best occurrence of a pattern. */
export interface Occurrence {
  readonly distance: number;
  readonly span: Span;
}

/** The tables of one engine, reused by all its comparisons. */
interface Matrix {
  readonly transpositions: boolean;
  /** Words of the longest pattern. */
  readonly maxWords: number;
  /** For each letter the rows of the pattern that hold it, `maxWords` words a letter. */
  readonly letterRows: Int32Array;
  /** The current column, one entry for each word of 32 rows. */
  readonly positive: Int32Array;
  readonly negative: Int32Array;
  /** Bits of the column before, for swaps. */
  readonly diagonal: Int32Array;
  readonly equal: Int32Array;
}

/** A pattern that is entered in the matrix. */
interface EnteredPattern {
  readonly words: number;
  /** The bit of the bottom row in the last word. */
  readonly lastBit: number;
}

const wordBits = 32;

/**
 * Makes an engine for letter ids below `alphabetSize` and patterns of up to `maxLength` letters.
 * It is not reentrant, because all comparisons share its tables.
 */
export function createDistanceEngine(
  alphabetSize: number,
  maxLength: number,
  transpositions: boolean,
): DistanceEngine {
  const matrix = createMatrix(alphabetSize, maxLength, transpositions);
  return {
    whole(pattern, text, start, end, limit) {
      const length = end - start;
      if (Math.abs(length - pattern.length) > limit) return limit + 1;
      if (pattern.length === 0) return length;
      return Math.min(wholeDistance(matrix, pattern, text, start, end), limit + 1);
    },
    within(pattern, text, start, end, limit) {
      const { distance, start: first } = findLeftmost(matrix, pattern, text, start, end);
      if (distance > limit) return undefined;
      return {
        distance,
        span: { start: first, end: findNearestEnd(matrix, pattern, text, first, end, distance) },
      };
    },
  };
}

function createMatrix(alphabetSize: number, maxLength: number, transpositions: boolean): Matrix {
  const maxWords = Math.max(1, Math.ceil(maxLength / wordBits));
  const createColumn = () => new Int32Array(maxWords);
  return {
    transpositions,
    maxWords,
    letterRows: new Int32Array(alphabetSize * maxWords),
    positive: createColumn(),
    negative: createColumn(),
    diagonal: createColumn(),
    equal: createColumn(),
  };
}

function wholeDistance(
  matrix: Matrix,
  pattern: LetterIds,
  text: LetterIds,
  start: number,
  end: number,
): number {
  const { words, lastBit } = enterPattern(matrix, pattern, false);
  let score = pattern.length;
  for (let i = start; i < end; i++) score += readLetter(matrix, text[i]!, words, lastBit, 1);
  removePattern(matrix, pattern);
  return score;
}

/** The smallest distance of a substring and its leftmost start: a search from the right with the pattern reversed. */
function findLeftmost(matrix: Matrix, pattern: LetterIds, text: LetterIds, start: number, end: number) {
  const { words, lastBit } = enterPattern(matrix, pattern, true);
  let score = pattern.length;
  const best = { distance: score, start: end };
  for (let i = end - 1; i >= start; i--) {
    score += readLetter(matrix, text[i]!, words, lastBit, 0);
    if (score <= best.distance) {
      best.distance = score;
      best.start = i;
    }
  }
  removePattern(matrix, pattern);
  return best;
}

/** The nearest end at which the substring from `start` has `distance`, which it is known to reach. */
function findNearestEnd(
  matrix: Matrix,
  pattern: LetterIds,
  text: LetterIds,
  start: number,
  end: number,
  distance: number,
): number {
  if (pattern.length === distance) return start;
  const { words, lastBit } = enterPattern(matrix, pattern, false);
  let score = pattern.length;
  let i = start;
  while (score !== distance && i < end) score += readLetter(matrix, text[i++]!, words, lastBit, 1);
  removePattern(matrix, pattern);
  return i;
}

/** Records which rows hold each letter, and starts the first column; `reversed` reads the pattern from its end. */
function enterPattern(matrix: Matrix, pattern: LetterIds, reversed: boolean): EnteredPattern {
  const { letterRows, maxWords } = matrix;
  const last = pattern.length - 1;
  for (let i = 0; i <= last; i++) {
    const row = reversed ? last - i : i;
    letterRows[pattern[i]! * maxWords + (row >>> 5)]! |= 1 << (row & 31);
  }
  const words = Math.ceil(pattern.length / wordBits);
  resetColumn(matrix, words);
  return { words, lastBit: 1 << (last & 31) };
}

function removePattern({ letterRows, maxWords }: Matrix, pattern: LetterIds): void {
  for (let i = 0; i < pattern.length; i++) {
    const at = pattern[i]! * maxWords;
    letterRows.fill(0, at, at + maxWords);
  }
}

/** The first column: row i has the value i, and no letter of the text was read. */
function resetColumn({ positive, negative, diagonal, equal }: Matrix, words: number): void {
  for (let w = 0; w < words; w++) {
    positive[w] = -1;
    negative[w] = 0;
    diagonal[w] = -1;
    equal[w] = 0;
  }
}

/**
 * Computes the next column and returns the change of the bottom row's value.
 *
 * @param top change of the top row: 1 compares with the whole text, 0 lets a substring start anywhere
 */
function readLetter(matrix: Matrix, id: number, words: number, lastBit: number, top: number): number {
  const { transpositions, maxWords, letterRows, positive, negative, diagonal, equal } = matrix;
  let carry = top;
  let swapCarry = 0;
  for (let w = 0; w < words; w++) {
    const letter = id === 0 ? 0 : letterRows[id * maxWords + w]!;
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
