/** The length of strings in UTF-8, as a DFA over UTF-16 code units. */

import type { Dfa } from "./dfa.ts";

/** The number of {@link byteGroup}s. */
export const byteGroups = 5;

const highSurrogate = 3;
const lowSurrogate = 4;

/** Units of one group add the same number of bytes: one, two or three, or a half of a surrogate pair. */
export function byteGroup(unit: string): number {
  const code = unit.charCodeAt(0);
  if (code < 0x80) return 0;
  if (code < 0x800) return 1;
  if (code < 0xd800 || code > 0xdfff) return 2;
  return code < 0xdc00 ? highSurrogate : lowSurrogate;
}

/**
 * Compares the length in bytes with ascending integers: outputs twice the number of those below it, plus one when it is
 * equal to one of them.
 */
export function lengthDfa(integers: readonly number[]): Dfa {
  const end = (integers.at(-1) ?? 0) + 1;
  const outputs = Array.from({ length: end + 1 }, (_, length) => {
    const below = integers.filter((integer) => integer < length).length;
    return 2 * below + Number(integers.includes(length));
  });
  // A state is twice the length, plus one after the first half of a surrogate pair; all lengths from `end` on are one.
  function step(state: number, unit: string): number {
    const group = byteGroup(unit);
    const isSecondHalf = group === lowSurrogate && state % 2 === 1;
    const bytes = group < highSurrogate ? group + 1 : isSecondHalf ? 1 : 3;
    const length = Math.min(end, Math.trunc(state / 2) + bytes);
    return 2 * length + Number(group === highSurrogate && length < end);
  }
  return {
    start: 0,
    step,
    output: (state) => outputs[Math.trunc(state / 2)] ?? 0,
    units: new Set(),
    countsBytes: true,
  };
}

/** Whether the length is below (-1), equal to (0) or above (1) the integer with an index, from an output. */
export function compareLength(output: number, index: number): number {
  return Math.sign(output - (2 * index + 1));
}
