/** The order of strings by their bytes in UTF-8, as a DFA over UTF-16 code units. */

import { type Dfa, deadState } from "./dfa.ts";

/** Letters and digits first: they read better in a value that represents others. */
const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).sort(
  (a, b) => Number(/\W/.test(a)) - Number(/\W/.test(b)),
);

/**
 * Accepts the strings whose difference from an operand has one of some signs: below it (-1), equal to it (0) or above it
 * (1). All characters that are not ASCII are above those that are; undefined for an operand with any of them.
 */
export function orderDfa(operand: string, signs: readonly number[]): Dfa | undefined {
  if (operand.split("").some((unit) => unit >= "\x80")) return undefined;
  const { length } = operand;
  // The first states are the units of the operand that a string starts with; the last one is of strings that are decided.
  const decided = length + 1;
  const stateOf = (sign: number) => (signs.includes(sign) ? decided : deadState);
  return {
    start: 0,
    step: (state, unit) => {
      if (state === decided || state === deadState) return state;
      if (state === length || unit > operand.charAt(state)) return stateOf(1);
      return unit === operand.charAt(state) ? state + 1 : stateOf(-1);
    },
    output: (state) => {
      if (state === decided || state === deadState) return Number(state === decided);
      return Number(signs.includes(state === length ? 0 : -1));
    },
    units: new Set(ascii),
  };
}
