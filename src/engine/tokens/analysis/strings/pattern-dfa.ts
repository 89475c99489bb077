/** Regular expressions as DFAs: whether some part of a string matches. */

import { type CodeSet, hasCode } from "../../expression/patterns/code-sets.ts";
import { type Dfa, deadState } from "./dfa.ts";
import { byteGroup } from "./length-dfa.ts";
import { type PlainNode, plainPattern } from "./plain-patterns.ts";

/** A state of a nondeterministic automaton: a character leads on, or nothing, or a place in the string. */
interface NfaState {
  readonly set?: CodeSet;
  readonly anchor?: "start" | "end";
  readonly next: number[];
}

/** The maximum number of states of a nondeterministic automaton (`chosen`). */
const maxStates = 200;

/** Represents all bytes that are not ASCII. */
const otherByte = 0x80;

/** The last state, in which the pattern has matched. */
const matched = 0;

/** The DFA of a valid pattern; undefined when the pattern has parts that are not supported, or is large. */
export function patternDfa(pattern: string): Dfa | undefined {
  const node = plainPattern(pattern);
  if (node === undefined) return undefined;
  const nfa: NfaState[] = [{ next: [] }];
  const start = compileNode(nfa, node, matched);
  return start === undefined ? undefined : createDfa(nfa, start);
}

/** Adds the states of a node before a state, and returns the first; undefined when there are too many. */
function compileNode(nfa: NfaState[], node: PlainNode, after: number): number | undefined {
  if (nfa.length > maxStates) return undefined;
  switch (node.kind) {
    case "start":
    case "end":
      return nfa.push({ anchor: node.kind, next: [after] }) - 1;
    case "class":
      return nfa.push({ set: node.set, next: [after] }) - 1;
    case "sequence":
      return node.items.reduceRight<number | undefined>(
        (rest, item) => (rest === undefined ? undefined : compileNode(nfa, item, rest)),
        after,
      );
    case "choice": {
      const starts = node.items.map((item) => compileNode(nfa, item, after));
      const known = starts.filter((start) => start !== undefined);
      return known.length < starts.length ? undefined : nfa.push({ next: known }) - 1;
    }
    case "repeat":
      return compileRepetition(nfa, node, after);
  }
}

function compileRepetition(
  nfa: NfaState[],
  { item, min, max }: Extract<PlainNode, { kind: "repeat" }>,
  after: number,
): number | undefined {
  let start: number | undefined = after;
  if (max === Infinity) {
    const next = [after];
    start = nfa.push({ next }) - 1;
    const first = compileNode(nfa, item, start);
    if (first === undefined) return undefined;
    next.push(first);
  } else {
    for (let i = min; i < max; i++) {
      const first: number | undefined = compileNode(nfa, item, start);
      if (first === undefined) return undefined;
      start = nfa.push({ next: [after, first] }) - 1;
    }
  }
  for (let i = 0; i < min && start !== undefined; i++) start = compileNode(nfa, item, start);
  return start;
}

/** A state of the DFA. */
interface PatternState {
  /** The states of the other automaton before this position, without those that nothing leads to. */
  readonly reached: ReadonlySet<number>;
  readonly isStart: boolean;
  /** Whether the unit before is the first half of a surrogate pair: both halves are one character. */
  readonly isInPair: boolean;
  readonly next: Map<string, number>;
}

const acceptedState = 0;

function createDfa(nfa: readonly NfaState[], start: number): Dfa {
  const nothing: ReadonlySet<number> = new Set();
  const states: PatternState[] = [{ reached: nothing, isStart: false, isInPair: false, next: new Map() }];
  const numbers = new Map<string, number>();

  function numberOf(reached: ReadonlySet<number>, isStart: boolean, isInPair: boolean): number {
    if (reached.has(matched)) return acceptedState;
    const key = `${[...reached].sort((a, b) => a - b).join()} ${isStart} ${isInPair}`;
    const known = numbers.get(key) ?? states.push({ reached, isStart, isInPair, next: new Map() }) - 1;
    numbers.set(key, known);
    return known;
  }

  function step(number: number, unit: string): number {
    if (number === acceptedState || number === deadState) return number;
    const state = states[number];
    if (state === undefined) return deadState;
    const group = byteGroup(unit);
    const key = group === 0 ? unit : `group ${group}`;
    const known = state.next.get(key);
    if (known !== undefined) return known;
    const next = stepFrom(state, unit, group);
    state.next.set(key, next);
    return next;
  }

  function stepFrom({ reached, isInPair }: PatternState, unit: string, group: number): number {
    if (isInPair && group === 4) return numberOf(reached, false, false);
    const code = group === 0 ? unit.charCodeAt(0) : otherByte;
    const following = new Set<number>();
    for (const state of reached) {
      const { set, next } = nfa[state] ?? { next: [] };
      if (set !== undefined && hasCode(set, code)) for (const target of next) following.add(target);
    }
    // A match can start at each position.
    following.add(start);
    return numberOf(closureOf(nfa, following, "inner"), false, group === 3);
  }

  return {
    start: numberOf(closureOf(nfa, new Set([start]), "start"), true, false),
    step,
    output: (number) => {
      const state = states[number];
      if (number === acceptedState || state === undefined) return Number(number === acceptedState);
      const isMatched = closureOf(nfa, state.reached, state.isStart ? "only" : "end").has(matched);
      return Number(isMatched);
    },
    units: unitsOf(nfa),
    countsBytes: true,
  };
}

/** A position in a string: the only one of the empty string, or the first, the last or another one. */
type Position = "only" | "start" | "end" | "inner";

/** All states that can be reached without a character. */
function closureOf(nfa: readonly NfaState[], from: ReadonlySet<number>, position: Position): Set<number> {
  const closure = new Set(from);
  for (const state of closure) {
    const { set, anchor, next } = nfa[state] ?? { next: [] };
    const isBarred = anchor !== undefined && anchor !== position && position !== "only";
    if (set === undefined && !isBarred) for (const target of next) closure.add(target);
  }
  return closure;
}

/** The ASCII characters that some class distinguishes from those that are not ASCII. */
function unitsOf(nfa: readonly NfaState[]): Set<string> {
  const ascii = Array.from({ length: 128 }, (_, code) => code);
  const sets = nfa.flatMap(({ set }) => (set === undefined ? [] : [set]));
  const isDistinguished = (code: number) =>
    sets.some((set) => hasCode(set, code) !== hasCode(set, otherByte));
  return new Set(ascii.filter(isDistinguished).map((code) => String.fromCharCode(code)));
}
