/**
 * Deterministic finite automata over UTF-16 code units: one for each comparison with a string. All of them can run
 * over the same string at once, which finds every combination of results that any string produces.
 */

import { splitPattern } from "../../expression/wildcard.ts";

/** A DFA whose states are integers. The output of the last state is its result for the whole string. */
export interface Dfa {
  readonly start: number;
  step(state: number, unit: string): number;
  /** The result for a string that ends in this state; 0 means that the string is rejected. */
  output(state: number): number;
  /** The code units with transitions of their own; all other code units have the same transitions. */
  readonly units: ReadonlySet<string>;
  /** Present when only those others have the same transitions that add as many bytes to a string in UTF-8. */
  readonly countsBytes?: true;
}

/** The state from which no string is accepted any more, in DFAs that have one. */
export const deadState = -1;

/** Outputs the index of the string in a list, counted from 1; 0 when it is not in the list. */
export function stringSetDfa(values: readonly string[]): Dfa {
  const trie: Trie = { transitions: [new Map()], outputs: [0] };
  for (const [i, value] of values.entries()) insert(trie, value, i + 1);
  return {
    start: 0,
    step: (state, unit) =>
      state === deadState ? deadState : (trie.transitions[state]?.get(unit) ?? deadState),
    output: (state) => (state === deadState ? 0 : (trie.outputs[state] ?? 0)),
    units: new Set(values.flatMap((value) => value.split(""))),
  };
}

/** A tree of strings; both lists are indexed by state. */
interface Trie {
  readonly transitions: Map<string, number>[];
  readonly outputs: number[];
}

/** Adds a string; of equal strings the first one keeps its output. */
function insert({ transitions, outputs }: Trie, value: string, output: number): void {
  let state = 0;
  for (const unit of value.split("")) {
    const next = transitions[state]?.get(unit) ?? transitions.push(new Map()) - 1;
    transitions[state]?.set(unit, next);
    outputs[next] ??= 0;
    state = next;
  }
  outputs[state] ||= output;
}

/** Accepts strings that contain a substring. */
export function substringDfa(substring: string): Dfa {
  const search = createSearch(substring);
  const { length } = substring;
  return {
    start: 0,
    step: (state, unit) => (state === length ? length : search(state, unit)),
    output: (state) => (state === length ? 1 : 0),
    units: new Set(substring.split("")),
  };
}

/** Accepts strings that match a wildcard pattern; unless `strict`, the case of the letters A to Z is ignored. */
export function wildcardDfa(pattern: string, strict: boolean): Dfa {
  const fold = strict ? (unit: string) => unit : lowerAscii;
  const pieces = splitPattern(pattern).map((piece) => piece.split("").map(fold).join(""));
  const units = new Set(
    pieces.flatMap((piece) => piece.split("").flatMap((u) => (strict ? [u] : bothCases(u)))),
  );
  const inner = pieces.length === 1 ? stringSetDfa(pieces) : pieceSequenceDfa(pieces);
  return { ...inner, step: (state, unit) => inner.step(state, fold(unit)), units };
}

/** Accepts strings that start with a prefix and, after it, end with a suffix. */
export function affixDfa(prefix: string, suffix: string): Dfa {
  return {
    ...pieceSequenceDfa([prefix, suffix]),
    units: new Set([...prefix.split(""), ...suffix.split("")]),
  };
}

/** Accepts strings that start with the first piece, end with the last one, and contain the others between, in order. */
function pieceSequenceDfa(pieces: readonly string[]): Dfa {
  const [prefix = "", ...others] = pieces;
  const suffix = others.pop() ?? "";
  const searches: { start: number; search: ReturnType<typeof createSearch> }[] = [];
  let end = prefix.length;
  for (const piece of [...others.filter((other) => other !== ""), suffix]) {
    searches.push({ start: end, search: createSearch(piece) });
    end += piece.length;
  }

  /** The state after a complete piece is the start of the search for the next one. */
  function step(state: number, unit: string): number {
    if (state === deadState) return deadState;
    if (state < prefix.length) return prefix[state] === unit ? state + 1 : deadState;
    const current = searches.findLast(({ start }) => start <= state);
    return current === undefined ? deadState : current.start + current.search(state - current.start, unit);
  }

  return { start: 0, step, output: (state) => (state === end ? 1 : 0), units: new Set() };
}

/** Searches for a piece unit by unit (Knuth, Morris and Pratt): how much of it the string so far ends with. */
function createSearch(piece: string): (matched: number, unit: string) => number {
  const borders = [0];
  const search = (matched: number, unit: string): number => {
    let length = matched === piece.length ? (borders[matched] ?? 0) : matched;
    while (length > 0 && piece[length] !== unit) length = borders[length] ?? 0;
    return piece[length] === unit ? length + 1 : 0;
  };
  if (piece.length > 0) borders.push(0);
  for (let i = 1; i < piece.length; i++) borders.push(search(borders[i] ?? 0, piece.charAt(i)));
  return search;
}

/** Accepts the strings that another DFA rejects. */
export function complementDfa(dfa: Dfa): Dfa {
  // States are those of the other DFA plus one, so that its dead state is not the dead state here.
  return {
    start: dfa.start + 1,
    step: (state, unit) => dfa.step(state - 1, unit) + 1,
    output: (state) => (dfa.output(state - 1) === 0 ? 1 : 0),
    units: dfa.units,
  };
}

/** Whether a DFA accepts a string. */
export function accepts(dfa: Dfa, value: string): boolean {
  return dfa.output(runDfa(dfa, dfa.start, value)) !== 0;
}

/** The state after a string that begins in a state. */
export function runDfa(dfa: Dfa, from: number, value: string): number {
  return value
    .split("")
    .reduce((state, unit) => (state === deadState ? deadState : dfa.step(state, unit)), from);
}

function lowerAscii(unit: string): string {
  return unit >= "A" && unit <= "Z" ? unit.toLowerCase() : unit;
}

function bothCases(unit: string): string[] {
  return unit >= "a" && unit <= "z" ? [unit, unit.toUpperCase()] : [unit];
}
