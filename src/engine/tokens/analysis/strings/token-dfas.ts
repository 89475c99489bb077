/** The possible values of token sources: values with a token, and values with a compact JWS. */

import { type Dfa, deadState } from "./dfa.ts";

const scheme = "bearer";

/** States after the scheme: a colon, then white space. */
const afterColon = scheme.length + 1;
const afterSpace = scheme.length + 2;

const schemeUnits: readonly string[] = [...`${scheme}${scheme.toUpperCase()}: \t`];

/** Accepts source values with a token: values that are not empty without `Bearer`. */
export const tokenPresenceDfa: Dfa = {
  start: 0,
  step: (state, unit) => (state === deadState ? deadState : stepScheme(state, unit)),
  output: (state) => (state === 0 || (state >= scheme.length && state <= afterSpace) ? 0 : 1),
  units: new Set(schemeUnits),
};

function stepScheme(state: number, unit: string): number {
  if (state < scheme.length) return unit.toLowerCase() === scheme[state] ? state + 1 : deadState;
  if (unit === " " || unit === "\t") return afterSpace;
  return unit === ":" && state === scheme.length ? afterColon : deadState;
}

/** States of the three segments, each empty or not, after those of the scheme. */
const firstSegment = afterSpace + 1;
const lastSegment = firstSegment + 4;

const base64url = /[A-Za-z0-9_-]/;

/** Accepts values with a token of three non-empty segments after an optional `Bearer`. */
export const compactJwsDfa: Dfa = {
  start: 0,
  step: (state, unit) => (state === deadState ? deadState : stepToken(state, unit)),
  output: (state) => (state === lastSegment ? 1 : 0),
  units: new Set([...schemeUnits, "."]),
};

function stepToken(state: number, unit: string): number {
  if (state < firstSegment) {
    const next = stepScheme(state, unit);
    if (next !== deadState) return next;
  }
  const canStartToken = state === 0 || (state <= scheme.length && state > 0) || state === afterSpace;
  if (state <= afterSpace && !canStartToken) return deadState;
  if (base64url.test(unit)) return stepInSegment(state);
  return unit === "." ? stepOverDot(state) : deadState;
}

/** Odd distances from the first segment are dots, even ones are segments that are not empty. */
function stepInSegment(state: number): number {
  if (state < firstSegment) return firstSegment;
  return (state - firstSegment) % 2 === 1 ? state + 1 : state;
}

function stepOverDot(state: number): number {
  if (state === 0 || state === afterSpace) return deadState;
  if (state < firstSegment) return firstSegment + 1;
  return (state - firstSegment) % 2 === 1 || state === lastSegment ? deadState : state + 1;
}
