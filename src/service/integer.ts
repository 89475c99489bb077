/** Integers of queries and paths: `0`, or digits without a leading zero (`chosen`). */

const digits = /^(?:0|[1-9]\d*)$/;

/** The format in messages. */
export const integerText = "an integer without leading zeros";

/** The integer of a string, rounded above the safe integers; undefined for another string, such as `01` or `+1`. */
export function parseInteger(text: string): number | undefined {
  return digits.test(text) ? Number(text) : undefined;
}
