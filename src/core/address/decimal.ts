/** Decimal numbers inside of addresses and ports. */

/** Parses a decimal number without leading zeros from a part of a string; undefined when it is not one, or above `max`. */
export function parseDecimal(text: string, start: number, end: number, max: number): number | undefined {
  if (start >= end || (end - start > 1 && text.charCodeAt(start) === 48)) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    value = value * 10 + digit;
    if (value > max) return undefined;
  }
  return value;
}
