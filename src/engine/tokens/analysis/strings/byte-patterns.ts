/**
 * Regular expressions of expressions, which are of bytes, as DFAs over code units: a unit that is not ASCII is as many bytes as
 * it adds to a string in UTF-8, and a pattern of ASCII characters tells none of them from another.
 */

import { createLruCache } from "../../../../core/lru-cache.ts";
import { type Dfa, deadState } from "./dfa.ts";
import { byteGroup } from "./length-dfa.ts";
import { patternDfa } from "./pattern-dfa.ts";

/** Any byte that is not ASCII. */
const otherByte = "\u0080";

/** The DFAs of the latest patterns, whose states are kept. */
const dfas = createLruCache<Dfa | "unsupported">(200);

/** The DFA of a pattern over bytes; undefined when it has characters that are not ASCII, or other parts without a DFA. */
export function bytePatternDfa(pattern: string): Dfa | undefined {
  const known = dfas.get(pattern) ?? createDfa(pattern) ?? "unsupported";
  dfas.set(pattern, known);
  return known === "unsupported" ? undefined : known;
}

function createDfa(pattern: string): Dfa | undefined {
  const bytes = patternDfa(pattern);
  if (bytes === undefined) return undefined;
  // A state is twice that of the bytes, plus one after the first half of a surrogate pair.
  function step(state: number, unit: string): number {
    if (state === deadState) return deadState;
    const group = byteGroup(unit);
    const isSecondHalf = group === 4 && state % 2 === 1;
    const count = group < 3 ? group + 1 : isSecondHalf ? 1 : 3;
    let next = Math.trunc(state / 2);
    for (let i = 0; i < count && next !== deadState; i++)
      next = bytes?.step(next, group === 0 ? unit : otherByte) ?? deadState;
    return next === deadState ? deadState : 2 * next + Number(group === 3);
  }
  return {
    start: 2 * bytes.start,
    step,
    output: (state) => bytes.output(state === deadState ? deadState : Math.trunc(state / 2)),
    units: bytes.units,
    countsBytes: true,
  };
}
