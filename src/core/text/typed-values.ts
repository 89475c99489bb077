/** Integers and booleans of queries, paths, headers and form fields, as one string each (`chosen`). */

const digits = /^(?:0|[1-9]\d*)$/;

/** The format of integers in messages: `0`, or digits without a leading zero. */
export const integerText = "an integer without leading zeros";

/** The integer of a string, at most the largest safe one; undefined for another string, such as `01` or `+1`. */
export function parseInteger(text: string): number | undefined {
  return digits.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}

/** The format of booleans in messages. */
export const booleanText = "`true` or `false`";

/** The boolean of a string; undefined for another string, such as `TRUE` or `1`. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}
