/**
 * Tables for comparing a group of 32 patterns at a time: one SIMD lane (a byte) for each pattern, one bit of it for each
 * of up to eight letters. If a pattern is within k edits of a text, so is each part of the pattern.
 */

import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import { classCount, patternWork } from "../names/alphabet.ts";
import type { FilterMode, OrderedPattern } from "./filter-pattern.ts";
import type { TableWriter } from "./filter-tables.ts";

const groupSize = 32;
const rows = 8;
/** Letters of a pattern that a group compares. */
export const groupedLength = rows;
/** Bytes of a group's state: vertical differences, scores, limits (two vectors each), minimum and maximum length. */
const stateBytes = 112;
const lengthsAt = 96;

/** Writes the groups of `patterns`; `first` is the first pattern's number in the filter, `classes` the number of classes in use. */
export function* writeGroups(
  writer: TableWriter,
  patterns: readonly OrderedPattern[],
  { first, mode, classes }: { readonly first: number; readonly mode: FilterMode; readonly classes: number },
): Steps<void> {
  const count = Math.ceil(patterns.length / groupSize);
  const groupBytes = classes * groupSize;
  const tables = new Uint8Array(count * groupBytes);
  const states = new Uint8Array(count * stateBytes);
  yield* mapInRows(patterns, patternWork, (pattern, i) => {
    const group = Math.floor(i / groupSize);
    const lane = i % groupSize;
    const part = rarestPart(pattern);
    writeLetters(tables.subarray(group * groupBytes, (group + 1) * groupBytes), lane, part, mode);
    const state = states.subarray(group * stateBytes);
    state[lane] = (0xff << (rows - part.length)) & 0xff;
    state[groupSize + lane] = part.length;
    state[2 * groupSize + lane] = pattern.limit;
    // Patterns are sorted by length.
    if (lane === 0) state[lengthsAt] = part.length;
    state[lengthsAt + 1] = part.length;
  });
  fillEmptyLanes(states, patterns.length, count);
  writer.set("groups", count);
  writer.set("groupFirst", first);
  writer.set("groupBytes", groupBytes);
  writer.write("groupTables", tables);
  writer.write("groupStates", states);
}

/** Letters are in the upper bits. With `contains`, the rows below equal every letter, so that they stay 0 like the top row. */
function writeLetters(table: Uint8Array, lane: number, part: Uint8Array, mode: FilterMode): void {
  const padding = rows - part.length;
  const below = mode === "contains" ? (1 << padding) - 1 : 0;
  for (let at = lane; at < table.length; at += groupSize) table[at] = below;
  for (const [i, c] of part.entries()) {
    const at = c * groupSize + lane;
    table[at] = (table[at] ?? 0) | (1 << (padding + i));
  }
}

/** Gives unused lanes a score above every limit. */
function fillEmptyLanes(states: Uint8Array, used: number, count: number): void {
  for (let i = used; i < count * groupSize; i++) {
    states[Math.floor(i / groupSize) * stateBytes + groupSize + (i % groupSize)] = 0x7f;
  }
}

/** Up to eight adjacent letters: of a longer pattern the rarest among all patterns (ids are ordered by frequency). */
function rarestPart({ ids, classes }: OrderedPattern): Uint8Array {
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
