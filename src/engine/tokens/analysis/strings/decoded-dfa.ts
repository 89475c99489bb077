/** DFAs of strings before `url_decode` without options. */

import { type Dfa, deadState } from "./dfa.ts";

const hexDigits = new Set("0123456789abcdefABCDEF");

/** Represents all characters that are not ASCII. */
const otherCharacter = "é";

/** A state: that of the other DFA, and the start of an escape that is not complete. */
interface DecodingState {
  readonly inner: number;
  readonly pending: "" | "%" | `%${string}`;
}

/**
 * The result of another DFA for the decoded string. The other DFA must not tell characters apart that are not ASCII, and
 * not count bytes: an escape is one byte of such a character.
 */
export function decodedDfa(dfa: Dfa): Dfa {
  const states: DecodingState[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (inner: number, pending: DecodingState["pending"]): number => {
    if (inner === deadState) return deadState;
    const key = `${inner} ${pending}`;
    const number = numbers.get(key) ?? states.push({ inner, pending }) - 1;
    numbers.set(key, number);
    return number;
  };
  const step = (inner: number, unit: string) => (inner === deadState ? deadState : dfa.step(inner, unit));
  const flush = ({ inner, pending }: DecodingState) => pending.split("").reduce(step, inner);
  const start = numberOf(dfa.start, "");
  return {
    start,
    step: (number, unit) => {
      const state = states[number];
      if (state === undefined) return deadState;
      const { inner, pending } = state;
      const isHex = hexDigits.has(unit);
      if (pending === "%" && isHex) return numberOf(inner, `%${unit}`);
      if (pending.length === 2 && isHex) {
        const code = Number.parseInt(pending.slice(1) + unit, 16);
        return numberOf(step(inner, code < 0x80 ? String.fromCharCode(code) : otherCharacter), "");
      }
      const flushed = flush(state);
      if (unit === "%") return numberOf(flushed, "%");
      return numberOf(step(flushed, unit === "+" ? " " : unit), "");
    },
    output: (number) => {
      const state = states[number];
      return dfa.output(state === undefined ? deadState : flush(state));
    },
    units: new Set([...dfa.units, ...hexDigits, "%", "+"]),
  };
}
