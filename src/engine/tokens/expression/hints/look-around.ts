/** Patterns with look-around, which regular expressions here do not have, as tests of their parts. */

import { printPattern } from "../patterns/pattern-literal.ts";

/** A group of look-around, and the pattern on both sides of it. */
interface LookAround {
  readonly before: string;
  readonly sign: string;
  readonly inside: string;
  readonly after: string;
}

const openings = ["(?=", "(?!", "(?<=", "(?<!"];

/**
 * The tests that together have the meaning of a pattern with look-around; undefined for another pattern.
 *
 * @param left the value that the pattern is compared with
 */
export function testsOfLookAround(left: string, pattern: string): string | undefined {
  const found = findLookAround(pattern);
  if (found === undefined) return undefined;
  const { before, sign, inside, after } = found;
  const test = (part: string) => `${left} matches ${printPattern(part)}`;
  const isBehind = sign.startsWith("(?<");
  const isAlone = isBehind ? isFree(before) : isFree(after);
  const whole = isBehind ? before + inside + after : before + inside + (isAlone ? "" : after);
  const isNegative = sign.endsWith("!");
  if (isBehind) return isNegative ? both(test(after), test(whole)) : test(whole);
  if (!isNegative) return isAlone ? test(whole) : `(${test(before + inside)} and ${test(before + after)})`;
  return isFree(before) && isAlone ? `not ${test(whole)}` : both(test(before + after), test(before + inside));
}

const both = (matched: string, other: string) => `(${matched} and not ${other})`;

/** Whether a part of a pattern matches everything. */
function isFree(part: string): boolean {
  return /^\^?(?:\.[*+])?\$?$/.test(part);
}

function findLookAround(pattern: string): LookAround | undefined {
  const starts = openings.map((sign) => ({ sign, at: pattern.indexOf(sign) })).filter(({ at }) => at !== -1);
  const [first] = starts.sort((a, b) => a.at - b.at || b.sign.length - a.sign.length);
  if (first === undefined) return undefined;
  const start = first.at + first.sign.length;
  const end = endOfGroup(pattern, start);
  if (end === undefined) return undefined;
  return {
    before: pattern.slice(0, first.at),
    sign: first.sign,
    inside: pattern.slice(start, end),
    after: pattern.slice(end + 1),
  };
}

/** The offset of the parenthesis that closes the group around an offset. */
function endOfGroup(pattern: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "(") depth++;
    else if (character === ")" && depth-- === 0) return at;
  }
  return undefined;
}
