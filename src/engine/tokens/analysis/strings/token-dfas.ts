/** What the values of token sources can be: texts that yield a token, and texts with a compact JWS in them. */

import { type Automaton, dead } from "./dfa.ts";

const scheme = "bearer";

/** States after the scheme: a colon, then white space. */
const afterColon = scheme.length + 1;
const afterSpace = scheme.length + 2;

const schemeUnits: readonly string[] = [...`${scheme}${scheme.toUpperCase()}: \t`];

/** Tells whether a source with this value yields a token: whether anything is left without `Bearer`. */
export const yieldsToken: Automaton = {
  start: 0,
  step: (state, unit) => (state === dead ? dead : stepScheme(state, unit)),
  output: (state) => (state === 0 || (state >= scheme.length && state <= afterSpace) ? 0 : 1),
  units: new Set(schemeUnits),
};

function stepScheme(state: number, unit: string): number {
  if (state < scheme.length) return unit.toLowerCase() === scheme[state] ? state + 1 : dead;
  if (unit === " " || unit === "\t") return afterSpace;
  return unit === ":" && state === scheme.length ? afterColon : dead;
}

/** States of the three segments, each empty or not, behind those of the scheme. */
const firstSegment = afterSpace + 1;
const lastSegment = firstSegment + 4;

const base64url = /[A-Za-z0-9_-]/;

/** Values with a token of three segments, none of them empty, behind an optional `Bearer`. */
export const tokenShape: Automaton = {
  start: 0,
  step: (state, unit) => (state === dead ? dead : stepToken(state, unit)),
  output: (state) => (state === lastSegment ? 1 : 0),
  units: new Set([...schemeUnits, "."]),
};

function stepToken(state: number, unit: string): number {
  if (state < firstSegment) {
    const scheming = stepScheme(state, unit);
    if (scheming !== dead) return scheming;
  }
  const isOpen = state === 0 || (state <= scheme.length && state > 0) || state === afterSpace;
  if (state <= afterSpace && !isOpen) return dead;
  if (base64url.test(unit)) return stepInSegment(state);
  return unit === "." ? stepOverDot(state) : dead;
}

/** Odd distances from the first segment are dots, even ones are segments that have something. */
function stepInSegment(state: number): number {
  if (state < firstSegment) return firstSegment;
  return (state - firstSegment) % 2 === 1 ? state + 1 : state;
}

function stepOverDot(state: number): number {
  if (state === 0 || state === afterSpace) return dead;
  if (state < firstSegment) return firstSegment + 1;
  return (state - firstSegment) % 2 === 1 || state === lastSegment ? dead : state + 1;
}
