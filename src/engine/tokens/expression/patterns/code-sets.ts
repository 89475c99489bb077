/** Sets of bytes or code points, as ranges in order with a gap after each. */

/** The first and the last number of a range. */
export type CodeRange = readonly [first: number, last: number];

/** A set; {@link codeSet} creates one. */
export type CodeSet = readonly CodeRange[];

/** All bytes. */
export const allBytes: CodeSet = [[0, 0xff]];

/** All code points that UTF-8 can encode. */
export const allCodePoints: CodeSet = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** The set of the numbers in ranges, which may overlap and be in any order. */
export function codeSet(ranges: readonly CodeRange[]): CodeSet {
  const set: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = set.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else set.push([first, last]);
  }
  return set;
}

/** The numbers in both sets. */
export function intersect(a: CodeSet, b: CodeSet): CodeSet {
  const both: CodeRange[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [[firstA, lastA], [firstB, lastB]] = [a[i] as CodeRange, b[j] as CodeRange];
    const [first, last] = [Math.max(firstA, firstB), Math.min(lastA, lastB)];
    if (first <= last) both.push([first, last]);
    if (lastA < lastB) i++;
    else j++;
  }
  return both;
}

/** The numbers in the first set that are not in the second. */
export function subtract(a: CodeSet, b: CodeSet): CodeSet {
  const starts = [0, ...b.map(([, last]) => last + 1)];
  const ends = [...b.map(([first]) => first - 1), Infinity];
  const gaps = starts.map((start, i): CodeRange => [start, ends[i] as number]);
  return intersect(
    a,
    gaps.filter(([first, last]) => first <= last),
  );
}

/** Whether a set has a number. */
export function hasCode(set: CodeSet, code: number): boolean {
  return set.some(([first, last]) => first <= code && code <= last);
}
