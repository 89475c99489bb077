/**
 * Tables for comparing 32 patterns at a time, a byte each: eight letters of a pattern, in the bits of a byte. What is within so many
 * edits of a text as a whole, is so in each of its parts.
 */

import type { MatchMode } from "../model.ts";
import { classCount } from "../names/alphabet.ts";
import type { NamesWasm } from "./filter-memory.ts";
import type { PlacedPattern } from "./filter-pattern.ts";

const groupSize = 32;
const rows = 8;
/** Letters of a pattern that a group compares in full. */
export const groupedLength = rows;
/** Bytes of a group's state: vertical differences, scores, limits (two vectors each), least and greatest length. */
const stateBytes = 112;
const lengthsAt = 96;

/** Lays out the groups of some patterns, the first of which is the filter's pattern `first`. */
export function writeGroups(
  wasm: NamesWasm,
  patterns: readonly PlacedPattern[],
  first: number,
  mode: MatchMode,
): void {
  const count = Math.ceil(patterns.length / groupSize);
  const tables = new Uint8Array(count * classCount * groupSize);
  const states = new Uint8Array(count * stateBytes);
  patterns.forEach((pattern, i) => {
    const group = Math.floor(i / groupSize);
    const lane = i % groupSize;
    const part = rarestPart(pattern);
    writeLetters(tables.subarray(group * classCount * groupSize), lane, part, mode);
    const state = states.subarray(group * stateBytes);
    state[lane] = (0xff << (rows - part.length)) & 0xff;
    state[groupSize + lane] = part.length;
    state[2 * groupSize + lane] = pattern.limit;
    // Patterns come sorted by length.
    if (lane === 0) state[lengthsAt] = part.length;
    state[lengthsAt + 1] = part.length;
  });
  fillEmptyLanes(states, patterns.length, count);
  wasm.exports.setGroups(count, wasm.write(tables), wasm.write(states), first, classCount);
}

/** Letters in the upper bits. Against a part of a text the rows below them equal every letter, so that they stay 0 as the row above does. */
function writeLetters(table: Uint8Array, lane: number, part: Uint8Array, mode: MatchMode): void {
  const padding = rows - part.length;
  const below = mode === "contains" ? (1 << padding) - 1 : 0;
  for (let c = 0; c < classCount; c++) table[c * groupSize + lane] = below;
  part.forEach((c, i) => {
    table[c * groupSize + lane]! |= 1 << (padding + i);
  });
}

/** A score that no limit reaches. */
function fillEmptyLanes(states: Uint8Array, used: number, count: number): void {
  for (let i = used; i < count * groupSize; i++) {
    states[Math.floor(i / groupSize) * stateBytes + groupSize + (i % groupSize)] = 0x7f;
  }
}

/** Up to eight letters in a row; of a longer pattern those that are rarest among all patterns (ids count up from the commonest). */
function rarestPart({ ids, classes }: PlacedPattern): Uint8Array {
  let best = 0;
  let bestRarity = -1;
  for (let start = 0; start + rows <= ids.length; start++) {
    const rarity = ids.slice(start, start + rows).reduce((sum, id) => sum + Math.min(id, classCount), 0);
    if (rarity > bestRarity) {
      best = start;
      bestRarity = rarity;
    }
  }
  return classes.slice(best, best + rows);
}
