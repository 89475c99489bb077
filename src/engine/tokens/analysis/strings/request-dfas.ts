/**
 * The possible values of the parts of a request, as DFAs. The `sendable` DFAs accept values that a client can send
 * for certain; the others accept every value of a request that can be evaluated.
 */

import { readWithUrl } from "../../zone/target.ts";
import { isNormalizedPath } from "../../zone/url-normalization.ts";
import { type Dfa, deadState } from "./dfa.ts";

const noUnits: ReadonlySet<string> = new Set();

/** The ASCII characters that pass a test. */
function asciiWhere(test: (unit: string) => boolean): ReadonlySet<string> {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return new Set(ascii.filter(test));
}

/** Non-empty strings of the units given. */
function nonEmptyDfa(allowed: ReadonlySet<string>): Dfa {
  return {
    start: 0,
    step: (state, unit) => (state !== deadState && allowed.has(unit) ? 1 : deadState),
    output: (state) => (state === 1 ? 1 : 0),
    units: noUnits,
  };
}

/** Methods, exactly: tokens (RFC 9110, section 9.1), whose letters are compared in upper case. */
export const methodDfa = nonEmptyDfa(asciiWhere((unit) => /[!#$%&'*+\-.^_`|~0-9A-Z]/.test(unit)));

/** The characters of a path after `URL` has parsed it. */
const pathUnits = asciiWhere((unit) => readWithUrl(`http://a/x${unit}y`)?.path === `/x${unit}y`);

/** In a segment with at least one character that is not a dot. */
const otherSegment = 9;

/** Before the first slash. */
const beforePath = 10;

/**
 * Paths, exactly: a slash, then segments that are neither `.` nor `..`, also not written `%2e`. A state is three times
 * the number of dots so far, plus the number of characters read of a `%2e`.
 */
export const pathDfa: Dfa = {
  start: beforePath,
  step: stepPath,
  output: (state) => (state === deadState || state === beforePath || isDotSegment(state) ? 0 : 1),
  units: new Set("/.%2eE"),
};

function stepPath(state: number, unit: string): number {
  if (state === deadState || !pathUnits.has(unit)) return deadState;
  if (state === beforePath) return unit === "/" ? 0 : deadState;
  if (unit === "/") return isDotSegment(state) ? deadState : 0;
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

/** After a slash, a percent sign, and each hexadecimal digit behind it; 0 after any other character. */
const afterSlash = 1;
const afterPercent = 2;
const afterDigit = 3;
const hexCapitals = "0123456789ABCDEF";

/** The characters of a normalized path that are not a slash or a part of an encoded one. */
const plainUnits = asciiWhere((unit) => unit !== "/" && isNormalizedPath(`/x${unit}y`, "cloudflare"));

/** Of the paths of `URL`, exactly those that a normalization leaves as they are. */
export const normalizedPathDfas: Readonly<Record<"rfc3986" | "cloudflare", Dfa>> = {
  rfc3986: normalizedPathDfa("rfc3986"),
  cloudflare: normalizedPathDfa("cloudflare"),
};

function normalizedPathDfa(normalization: "rfc3986" | "cloudflare"): Dfa {
  const step = (state: number, unit: string): number => {
    if (state === deadState) return deadState;
    const digit = hexCapitals.indexOf(unit);
    if (state === afterPercent) return digit === -1 ? deadState : afterDigit + digit;
    if (state >= afterDigit) {
      const isKept = isNormalizedPath(`/%${hexCapitals[state - afterDigit]}${unit}`, normalization);
      return digit !== -1 && isKept ? 0 : deadState;
    }
    if (unit === "/") return state === afterSlash && normalization === "cloudflare" ? deadState : afterSlash;
    if (unit === "%") return afterPercent;
    return plainUnits.has(unit) ? 0 : deadState;
  };
  return {
    start: 0,
    step,
    output: (state) => (state === 0 || state === afterSlash ? 1 : 0),
    units: new Set(["/", "%", ...hexCapitals, ...[...pathUnits].filter((unit) => !plainUnits.has(unit))]),
  };
}

/** The characters of a query after `URL` has parsed it. */
const queryUnits = asciiWhere((unit) => {
  return URL.canParse(`http://a/?x${unit}y`) && new URL(`http://a/?x${unit}y`).search === `?x${unit}y`;
});

/** Queries, exactly, without their question mark; empty when a URL has none. */
export const queryDfa: Dfa = {
  start: 0,
  step: (state, unit) => (state !== deadState && queryUnits.has(unit) ? 0 : deadState),
  output: (state) => (state === deadState ? 0 : 1),
  units: noUnits,
};

/** After the question mark of a URI: without a query, and with one. */
const afterMark = 11;
const inQuery = 12;

/** Paths with their queries, exactly: a question mark is followed by a query that is not empty. */
export const uriDfa: Dfa = {
  start: pathDfa.start,
  step: (state, unit) => {
    if (state >= afterMark) return queryUnits.has(unit) ? inQuery : deadState;
    if (unit !== "?") return pathDfa.step(state, unit);
    return pathDfa.output(state) === 1 ? afterMark : deadState;
  },
  output: (state) => (state >= afterMark ? Number(state === inQuery) : pathDfa.output(state)),
  units: new Set([
    ...pathDfa.units,
    "?",
    ...[...pathUnits].filter((unit) => !queryUnits.has(unit)),
    ...[...queryUnits].filter((unit) => !pathUnits.has(unit)),
  ]),
};

/** The characters that queries can have, letters first. */
export const queryFillers: string = [...queryUnits].toSorted(lettersFirst).join("");

/** The characters that both paths and queries can have, letters first. */
export const uriFillers: string = [...queryUnits]
  .filter((unit) => pathUnits.has(unit))
  .toSorted(lettersFirst)
  .join("");

function lettersFirst(a: string, b: string): number {
  const rank = (unit: string) =>
    /[x-z]/.test(unit) ? 0 : /[a-z]/.test(unit) ? 1 : /[A-Z0-9]/.test(unit) ? 2 : 3;
  return rank(a) - rank(b);
}

/** Hosts: every character that can occur in one. */
export const hostDfa = nonEmptyDfa(
  asciiWhere((unit) => unit > " " && unit !== "\u007f" && !/[A-Z/?#@\\]/.test(unit)),
);

/** Common host names: labels that start with a letter and end with a letter or a digit. */
export const sendableHostDfa: Dfa = {
  start: 0,
  step: (state, unit) => {
    if (/[a-z]/.test(unit)) return state === deadState ? deadState : 1;
    if (state === deadState || state === 0) return deadState;
    if (unit === ".") return state === 1 ? 0 : deadState;
    if (unit === "-") return 2;
    return /[0-9]/.test(unit) ? 1 : deadState;
  },
  output: (state) => (state === 1 ? 1 : 0),
  units: new Set("-."),
};

/** Strings of the units that pass a test, without spaces at their ends. */
function trimmedDfa(isAllowed: (unit: string) => boolean): Dfa {
  return {
    start: 0,
    step: (state, unit) => {
      if (state === deadState || !isAllowed(unit)) return deadState;
      if (unit !== " ") return 1;
      return state === 0 ? deadState : 2;
    },
    output: (state) => (state === 0 || state === 1 ? 1 : 0),
    units: new Set([" "]),
  };
}

/** Field values that a client can send (RFC 9110, section 5.5). */
export const sendableHeaderDfa = trimmedDfa((unit) => /[\x20-\x7e\x80-\xff]/.test(unit));

/** Cookie values that a client can send: printable ASCII except the semicolon. */
export const sendableCookieDfa = trimmedDfa((unit) => /[\x20-:<-~]/.test(unit));

/** Cookie values as they are read: any string without a semicolon. */
export const cookieDfa: Dfa = {
  start: 0,
  step: (state, unit) => (state === deadState || unit === ";" ? deadState : 0),
  output: (state) => (state === deadState ? 0 : 1),
  units: new Set([";"]),
};
