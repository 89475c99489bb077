/** Code points as the bytes of UTF-8. */

import type { CodeRange, CodeSet } from "./code-sets.ts";

/** The ranges of the first byte, the second and so on: each combination encodes one code point. */
export type ByteRanges = readonly CodeRange[];

/** The last code points of one, two, three and four bytes. */
const lastOfLength = [0x7f, 0x7ff, 0xffff, 0x10ffff] as const;

/** The marks in the first bytes of these lengths. */
const marks = [0, 0xc0, 0xe0, 0xf0] as const;

const known = new WeakMap<CodeSet, readonly ByteRanges[]>();

/** The bytes of the code points of a set. */
export function utf8Ranges(set: CodeSet): readonly ByteRanges[] {
  const ranges = known.get(set) ?? encodeSet(set);
  known.set(set, ranges);
  return ranges;
}

function encodeSet(set: CodeSet): readonly ByteRanges[] {
  return set.flatMap(([first, last]) =>
    lastOfLength.flatMap((end, i) => {
      const [low, high] = [
        Math.max(first, i === 0 ? 0 : (lastOfLength[i - 1] as number) + 1),
        Math.min(last, end),
      ];
      return low > high ? [] : divide(low, high, i);
    }),
  );
}

/** Divides a range until its code points are all combinations of ranges of bytes; `others` is the number of bytes after the first. */
function divide(low: number, high: number, others: number): readonly ByteRanges[] {
  for (let i = 1; i <= others; i++) {
    const size = 64 ** i;
    const [start, end] = [Math.floor(low / size), Math.floor(high / size)];
    if (start === end) break;
    if (low % size !== 0)
      return [...divide(low, (start + 1) * size - 1, others), ...divide((start + 1) * size, high, others)];
    if (high % size !== size - 1)
      return [...divide(low, end * size - 1, others), ...divide(end * size, high, others)];
  }
  return [Array.from({ length: others + 1 }, (_, i) => [byteOf(low, others, i), byteOf(high, others, i)])];
}

/** A byte of a code point by its position. */
function byteOf(codePoint: number, others: number, position: number): number {
  const bits = Math.floor(codePoint / 64 ** (others - position));
  return position === 0 ? (marks[others] as number) + bits : 0x80 + (bits % 64);
}
