/** Numbers formatted for people. */

/** A count with its noun: `1 rule`, `0 rules`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number with thousands separators: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}
