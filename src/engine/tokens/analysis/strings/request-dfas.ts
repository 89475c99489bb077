/**
 * Which texts the parts of a request can be, as automata. A *necessary* shape holds for every request that can be
 * evaluated; a *usual* shape for texts that a client can send for sure.
 */

import { readWithUrl } from "../../zone/target.ts";
import { type Automaton, dead } from "./dfa.ts";

const noUnits: ReadonlySet<string> = new Set();

/** All units up to the end of ASCII for which something holds. */
function asciiWhere(holds: (unit: string) => boolean): ReadonlySet<string> {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return new Set(ascii.filter(holds));
}

/** What a method has (RFC 9110, section 9.1: a token); letters are compared in upper case. */
const methodUnits = asciiWhere((unit) => /[!#$%&'*+\-.^_`|~0-9A-Z]/.test(unit));

/** Methods, exactly. */
export const methodShape: Automaton = {
  start: 0,
  step: (state, unit) => (state !== dead && methodUnits.has(unit) ? 1 : dead),
  output: (state) => (state === 1 ? 1 : 0),
  units: noUnits,
};

/** What a path can have as it is after `URL` has read it. */
const pathUnits = asciiWhere((unit) => readWithUrl(`http://a/x${unit}y`)?.path === `/x${unit}y`);

/** A segment in which something stands that is no dot. */
const otherSegment = 9;

/** Before the first slash. */
const beforePath = 10;

/**
 * Paths, exactly: a slash, then segments that are neither `.` nor `..`, also not as `%2e`. A state is the count of
 * dots so far times three, plus how much of `%2e` has been read.
 */
export const pathShape: Automaton = {
  start: beforePath,
  step: stepPath,
  output: (state) => (state === dead || state === beforePath || isDotSegment(state) ? 0 : 1),
  units: new Set("/.%2eE"),
};

function stepPath(state: number, unit: string): number {
  if (state === dead || !pathUnits.has(unit)) return dead;
  if (state === beforePath) return unit === "/" ? 0 : dead;
  if (unit === "/") return isDotSegment(state) ? dead : 0;
  return state === otherSegment ? otherSegment : stepDots(state, unit);
}

function stepDots(state: number, unit: string): number {
  const dots = Math.trunc(state / 3);
  const read = state % 3;
  if (dots === 2) return otherSegment;
  if (read === 0 && unit === ".") return state + 3;
  if (read === 0 && unit === "%") return state + 1;
  if (read === 1 && unit === "2") return state + 1;
  return read === 2 && (unit === "e" || unit === "E") ? (dots + 1) * 3 : otherSegment;
}

function isDotSegment(state: number): boolean {
  return state === 3 || state === 6;
}

/** What a host can have at all. */
const hostUnits = asciiWhere((unit) => unit > " " && unit !== "\u007f" && !/[A-Z/?#@\\]/.test(unit));

/** Hosts: nothing of what cannot stand in one. */
export const hostShape: Automaton = {
  start: 0,
  step: (state, unit) => (state !== dead && hostUnits.has(unit) ? 1 : dead),
  output: (state) => (state === 1 ? 1 : 0),
  units: noUnits,
};

/** Usual host names: labels that start with a letter and end with a letter or a digit. */
export const usualHost: Automaton = {
  start: 0,
  step: (state, unit) => {
    if (/[a-z]/.test(unit)) return state === dead ? dead : 1;
    if (state === dead || state === 0) return dead;
    if (unit === ".") return state === 1 ? 0 : dead;
    if (unit === "-") return 2;
    return /[0-9]/.test(unit) ? 1 : dead;
  },
  output: (state) => (state === 1 ? 1 : 0),
  units: new Set("-."),
};

/** A text without white space at its ends, of units that a test allows. */
function trimmed(isAllowed: (unit: string) => boolean): Automaton {
  return {
    start: 0,
    step: (state, unit) => {
      if (state === dead || !isAllowed(unit)) return dead;
      if (unit !== " ") return 1;
      return state === 0 ? dead : 2;
    },
    output: (state) => (state === 0 || state === 1 ? 1 : 0),
    units: new Set([" "]),
  };
}

/** Field values that a client can send (RFC 9110, section 5.5). */
export const usualHeader = trimmed((unit) => /[\x20-\x7e\x80-\xff]/.test(unit));

/** Cookie values that a client can send: printable ASCII but for the semicolon. */
export const usualCookie = trimmed((unit) => /[\x20-:<-~]/.test(unit));

/** Cookie values as they are read: without semicolon. */
export const cookieShape: Automaton = {
  start: 0,
  step: (state, unit) => (state === dead || unit === ";" ? dead : 0),
  output: (state) => (state === dead ? 0 : 1),
  units: new Set([";"]),
};
