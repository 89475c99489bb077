/** DFAs of what functions and parts of a URI make of a string. */

import { type Dfa, deadState } from "./dfa.ts";

/** A part of a URI: before the first question mark, or after it. */
export type UriPart = "path" | "query";

/** The result of another DFA for the string with its ASCII letters in lower or upper case. */
export function caseDfa(dfa: Dfa, change: "lower" | "upper"): Dfa {
  const isChanged = change === "lower" ? isUpper : isLower;
  const apply = (unit: string) => {
    if (!isChanged(unit)) return unit;
    return change === "lower" ? unit.toLowerCase() : unit.toUpperCase();
  };
  const units = [...dfa.units].flatMap((unit) => {
    if (isChanged(unit)) return [];
    return isUpper(unit) || isLower(unit) ? [unit.toLowerCase(), unit.toUpperCase()] : [unit];
  });
  return { ...dfa, step: (state, unit) => dfa.step(state, apply(unit)), units: new Set(units) };
}

/** The result of another DFA for a part of a URI; the query of a URI without question mark is empty. */
export function uriPartDfa(dfa: Dfa, part: UriPart): Dfa {
  return part === "path" ? pathPartDfa(dfa) : queryPartDfa(dfa);
}

/** The string that a part of a URI is. */
export function uriPart(uri: string, part: UriPart): string {
  const mark = uri.indexOf("?");
  if (part === "path") return mark === -1 ? uri : uri.slice(0, mark);
  return mark === -1 ? "" : uri.slice(mark + 1);
}

function pathPartDfa(dfa: Dfa): Dfa {
  // A state is twice that of the other DFA, plus one after the question mark.
  const stateOf = (inner: number, isAfter: boolean) =>
    inner === deadState ? deadState : 2 * inner + Number(isAfter);
  return {
    ...dfa,
    start: stateOf(dfa.start, false),
    step: (state, unit) => {
      if (state === deadState || state % 2 === 1) return state;
      return unit === "?" ? state + 1 : stateOf(dfa.step(state / 2, unit), false);
    },
    output: (state) => dfa.output(state === deadState ? deadState : Math.trunc(state / 2)),
    units: new Set([...dfa.units, "?"]),
  };
}

function queryPartDfa(dfa: Dfa): Dfa {
  // State 0 is before the question mark; the others are those of the other DFA plus one.
  const stateOf = (inner: number) => (inner === deadState ? deadState : inner + 1);
  return {
    ...dfa,
    start: 0,
    step: (state, unit) => {
      if (state === deadState) return deadState;
      if (state === 0) return unit === "?" ? stateOf(dfa.start) : 0;
      return stateOf(dfa.step(state - 1, unit));
    },
    output: (state) => {
      if (state === deadState) return dfa.output(deadState);
      return dfa.output(state === 0 ? dfa.start : state - 1);
    },
    units: new Set([...dfa.units, "?"]),
  };
}

function isUpper(unit: string): boolean {
  return unit >= "A" && unit <= "Z";
}

function isLower(unit: string): boolean {
  return unit >= "a" && unit <= "z";
}
