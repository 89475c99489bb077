/** Sets of integers and addresses: ranges in order, searched by halves. */

import type { Address } from "../language/types.ts";

/** From the first to the last value. */
export interface ValueRange {
  readonly first: Address;
  readonly last: Address;
}

/** Compiles ranges to a test of a value. All values of one call are comparable. */
export function compileRanges(ranges: readonly ValueRange[]): (value: Address) => boolean {
  const merged = mergeRanges(ranges);
  const firsts = merged.map(({ first }) => first);
  const lasts = merged.map(({ last }) => last);
  return (value) => {
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] as Address) <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (lasts[low - 1] as Address);
  };
}

/** Compiles ranges of addresses: a value is compared with those of its family. */
export function compileAddressRanges(ranges: readonly ValueRange[]): (value: Address) => boolean {
  const ofIpv4 = compileRanges(ranges.filter(({ first }) => typeof first === "number"));
  const ofIpv6 = compileRanges(ranges.filter(({ first }) => typeof first === "bigint"));
  return (value) => (typeof value === "number" ? ofIpv4(value) : ofIpv6(value));
}

function mergeRanges(ranges: readonly ValueRange[]): ValueRange[] {
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const merged: ValueRange[] = [];
  for (const range of sorted) {
    const before = merged.at(-1);
    if (before === undefined || range.first > before.last) merged.push(range);
    else if (range.last > before.last) merged[merged.length - 1] = { first: before.first, last: range.last };
  }
  return merged;
}
