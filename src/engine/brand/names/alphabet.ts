/**
 * Letters as small numbers: every code point of the patterns has an id from 1, the most frequent first;
 * every other code point is 0, which equals no letter of a pattern.
 */
import { mapInRows, type Steps } from "../../../core/work/steps.ts";

/** The work of one pass over a pattern, in units of `Steps`. */
export const patternWork = 100;

/** Letters that filters distinguish; further ones share a class, so that a filter proposes more. */
export const classCount = 64;

export interface Alphabet {
  /** Number of ids, including 0 for all other letters. */
  readonly size: number;
  /** Ids of ASCII characters, indexed by code. */
  readonly ascii: Int32Array;
  idOf(codePoint: number): number;
}

/** A pattern as code points. */
interface Points {
  readonly points: readonly number[];
}

/** Makes the alphabet of patterns. */
export function* alphabetSteps(patterns: readonly Points[]): Steps<Alphabet> {
  const counts = new Map<number, number>();
  yield* mapInRows(patterns, patternWork, ({ points }) => {
    for (const c of points) counts.set(c, (counts.get(c) ?? 0) + 1);
  });
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  const ids = new Map(byCount.map(([c], i) => [c, i + 1]));
  const ascii = Int32Array.from({ length: 128 }, (_, c) => ids.get(c) ?? 0);
  return { size: ids.size + 1, ascii, idOf: (c) => (c < 128 ? ascii[c] : ids.get(c)) ?? 0 };
}

/** The class of an id: the id itself in a small alphabet. */
export function classOf(id: number): number {
  return id < classCount ? id : 1 + (id % (classCount - 1));
}

/** The classes of ids. */
export function classesOf(ids: readonly number[]): Uint8Array {
  const classes = new Uint8Array(ids.length);
  for (let i = 0; i < ids.length; i++) classes[i] = classOf(ids[i] ?? 0);
  return classes;
}

/** The classes of a text as a set of 32 bits. */
export function maskOf(classes: Uint8Array): number {
  return classes.reduce((mask, c) => mask | (1 << (c & 31)), 0) >>> 0;
}

/** The code points of a string. */
export function codePoints(text: string): number[] {
  const points: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.codePointAt(i) ?? 0;
    if (c > 0xffff) i++;
    points.push(c);
  }
  return points;
}
