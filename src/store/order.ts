/**
 * The order of values that the port promises. Strings are ordered by code point; a lone surrogate, which is no
 * character, is ordered between U+0004 and U+0005. A store compares at least the first 400 bytes of a string.
 */
import type { FieldValue } from "./port.ts";

/** Orders strings by code point, numbers by value, false before true. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (a === b) return 0;
  return (a as number) < (b as number) ? -1 : 1;
}

/** Orders strings by code point. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return rankAt(a, i) - rankAt(b, i);
  return a.length - b.length;
}

/** The position of a UTF-16 unit in the order: the units of surrogate pairs are above all others. */
function rankAt(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 0xd800) return unit;
  if (unit >= 0xe000) return unit - 0x800;
  return isPaired(text, i) ? unit + 0x2000 : 4 + (unit - 0xd7ff) / 0x1000;
}

function isPaired(text: string, i: number): boolean {
  const isHigh = text.charCodeAt(i) < 0xdc00;
  const other = text.charCodeAt(isHigh ? i + 1 : i - 1);
  return isHigh ? other >= 0xdc00 && other < 0xe000 : other >= 0xd800 && other < 0xdc00;
}

/** Bytes (UTF-8) of a string that decide its order in every store. Behind them, the order is the store's choice. */
export const maxOrderedBytes = 400;
/** Size of the longest escape that a store writes for one character: a lone surrogate in an SQL column. */
const maxCharacterBytes = 10;

/** The beginning of a string that every store orders by. */
export function orderedPrefix(text: string): string {
  if (text.length * maxCharacterBytes <= maxOrderedBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    // A character that reaches beyond the limit is not compared.
    if (bytes > maxOrderedBytes - maxCharacterBytes) return text.slice(0, end);
    bytes += storedBytes(character);
    end += character.length;
  }
  return text;
}

/** Size of a character in a store, in bytes; SQL columns escape U+0000..U+0004 and lone surrogates. */
function storedBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 4) return 3;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  return code >= 0xd800 && code < 0xe000 ? maxCharacterBytes : 3;
}

/**
 * Compares as every store does: 0 for equal values, and for strings that differ so late that a store may list them
 * in either order.
 */
export function compareInStores(a: FieldValue, b: FieldValue): number {
  return compareValues(comparedPart(a), comparedPart(b));
}

function comparedPart(value: FieldValue): FieldValue {
  return typeof value === "string" ? orderedPrefix(value) : value;
}

/**
 * Restores the exact order of what a store has listed: `compareValues`, without a limit on bytes. Keeps in memory
 * only neighbors with long strings that a store may list in either order. Works on whole pages, since a listing can
 * have millions of items; a page that it yields can be empty.
 *
 * @param keysOf the values of the listing's order, the most significant first
 * @param compare the exact order of the items
 */
export async function* inExactOrder<T>(
  pages: AsyncIterable<readonly T[]>,
  keysOf: (item: T) => readonly FieldValue[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<readonly T[], void, undefined> {
  let tied: T[] = [];
  let tie: string | undefined;
  for await (const page of pages) {
    const sorted: T[] = [];
    for (const item of page) {
      const next = tieOf(keysOf(item));
      if (next === undefined || next !== tie) {
        for (const record of tied.sort(compare)) sorted.push(record);
        tied = [];
      }
      tie = next;
      (next === undefined ? sorted : tied).push(item);
    }
    yield sorted;
  }
  yield tied.sort(compare);
}

/** The part of keys that every store orders by, when that is not all of them. */
function tieOf(keys: readonly FieldValue[]): string | undefined {
  const cut = keys.findIndex((key) => key !== comparedPart(key));
  return cut === -1 ? undefined : JSON.stringify(keys.slice(0, cut + 1).map(comparedPart));
}
