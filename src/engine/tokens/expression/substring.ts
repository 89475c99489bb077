/** Search for a substring in time proportional to the text, also for hostile ones. */

/**
 * Longest substring, in code units, that the built-in search is used for: its worst case is the product of the lengths.
 */
const maxBuiltInLength = 32;

/** The first position of the substring from an offset on; -1 when there is none. */
export type SubstringFinder = (text: string, from: number) => number;

/** Creates a finder of a substring. */
export function createFinder(substring: string): SubstringFinder {
  if (substring.length <= maxBuiltInLength) return (text, from) => text.indexOf(substring, from);
  const borders = bordersOf(substring);
  return (text, from) => find(text, from, substring, borders);
}

/** Knuth, Morris and Pratt: each unit of the text is read once. */
function find(text: string, from: number, substring: string, borders: Uint32Array): number {
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    matched = extend(substring, borders, matched, text.charCodeAt(at));
    if (matched === substring.length) return at + 1 - matched;
  }
  return -1;
}

/** For each prefix, by its length, the length of its longest proper suffix that is a prefix, too. */
function bordersOf(substring: string): Uint32Array {
  const borders = new Uint32Array(substring.length + 1);
  for (let i = 1; i < substring.length; i++)
    borders[i + 1] = extend(substring, borders, borders[i] ?? 0, substring.charCodeAt(i));
  return borders;
}

function extend(substring: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && substring.charCodeAt(length) !== unit) length = borders[length] ?? 0;
  return substring.charCodeAt(length) === unit ? length + 1 : 0;
}
