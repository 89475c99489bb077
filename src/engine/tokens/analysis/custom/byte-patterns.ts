/** Whether a regular expression has the same result for the characters of a text and for its bytes in UTF-8. */

import { type Dfa, deadState } from "../strings/dfa.ts";
import { byteGroup } from "../strings/length-dfa.ts";
import { patternDfa } from "../strings/pattern-dfa.ts";

/** One code unit of each group of `byteGroup`, and the bytes that it adds; as bytes, all that are not ASCII are equal. */
const otherUnits: readonly string[] = ["é", "€", "\ud800", "\udc00"];

/** Any byte that is not ASCII. */
const otherByte = "\u0080";

/** The maximum number of pairs of states (`chosen`). */
const maxPairs = 2_000;

/** Whether a supported pattern has the same results; false for others, and where that is not known. */
export function isSameForBytes(pattern: string): boolean {
  const dfa = patternDfa(pattern);
  if (dfa === undefined) return false;
  const filler = asciiFiller(dfa);
  const alphabet = [...dfa.units, ...filler, ...otherUnits];
  const start = { ofText: dfa.start, ofBytes: dfa.start, isInPair: false };
  const seen = new Set([keyOf(start)]);
  const queue = [start];
  for (const pair of queue) {
    if (dfa.output(pair.ofText) !== dfa.output(pair.ofBytes)) return false;
    if (queue.length > maxPairs) return false;
    for (const unit of alphabet) {
      const next = stepPair(dfa, pair, unit);
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      queue.push(next);
    }
  }
  return true;
}

/** The states after a text, and after its bytes. */
interface StatePair {
  readonly ofText: number;
  readonly ofBytes: number;
  /** Whether the text ends with the first half of a surrogate pair. */
  readonly isInPair: boolean;
}

function keyOf({ ofText, ofBytes, isInPair }: StatePair): string {
  return `${ofText} ${ofBytes} ${isInPair}`;
}

function stepPair(dfa: Dfa, { ofText, ofBytes, isInPair }: StatePair, unit: string): StatePair {
  const group = byteGroup(unit);
  const isSecondHalf = group === 4 && isInPair;
  const bytes =
    group === 0 ? unit : otherByte.repeat(isSecondHalf ? 1 : group === 4 ? 3 : Math.min(group + 1, 3));
  return {
    ofText: stepAll(dfa, ofText, unit),
    ofBytes: stepAll(dfa, ofBytes, bytes),
    isInPair: group === 3,
  };
}

function stepAll(dfa: Dfa, state: number, units: string): number {
  return units.split("").reduce((from, unit) => (from === deadState ? from : dfa.step(from, unit)), state);
}

/** An ASCII character without transitions of its own. */
function asciiFiller({ units }: Dfa): string[] {
  const codes = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return codes.filter((unit) => !units.has(unit)).slice(0, 1);
}
