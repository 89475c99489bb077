/** The order that every store lists values in: part of the port's contract. */
import type { FieldValue } from "./port.ts";

/** Orders text by code point, numbers by value, false before true. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return a === b ? 0 : (a as number) < (b as number) ? -1 : 1;
}

/** Orders text by code point. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return fixSurrogate(x) - fixSurrogate(y);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates below U+E000..U+FFFF; by code point they are above. */
function fixSurrogate(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
