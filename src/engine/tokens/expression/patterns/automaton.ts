/**
 * Searches with the program of a pattern, with bounded work: a deterministic automaton is built while values are read,
 * and when its states are too many, the rest is searched with sets of instructions, whose size bounds the work for each
 * character.
 */

import { classifyCharacters } from "./character-classes.ts";
import { conditions, opcodes, type PatternProgram } from "./program.ts";

/** Limits of the states that are kept. */
export interface AutomatonLimits {
  /** Maximum number of instructions in all states together. */
  readonly maxKept: number;
}

/** A search for a part that matches. */
export interface Automaton {
  /** Whether some part of a value matches. */
  find(value: string): boolean;
  /** An upper bound of the work for one character: the instructions that are visited, those that accept it {@link acceptedWork} times. */
  maxWork(): number;
  /** Builds all states, with at most this number of steps; whether they are complete, so that a character takes one step. */
  complete(maxSteps: number): boolean;
}

const readsCharacter = 0;
const jumps = 1;
const forks = 2;
const hasCondition = 3;
const matches = 4;
const fails = 5;

/** The kinds of the instructions that read no character. */
const instructionKinds: Readonly<Record<number, number>> = {
  [opcodes.alternative]: forks,
  [opcodes.alternativeMatch]: forks,
  [opcodes.capture]: jumps,
  [opcodes.emptyWidth]: hasCondition,
  [opcodes.fail]: fails,
  [opcodes.match]: matches,
  [opcodes.nothing]: jumps,
};

/** The cost of a character that is accepted, relative to an instruction that is only visited (measured). */
const acceptedWork = 3;

/** Maximum number of steps for a bound by pairs of characters; else the bound is the size of the program. */
const maxBoundSteps = 5_000_000;

/** All conditions. */
const anyCondition = Object.values(conditions).reduce<number>((all, condition) => all | condition, 0);

/** The kinds of characters before a position, as far as conditions distinguish them. */
const kinds = { start: 0, newline: 1, word: 2, other: 3, end: 4 } as const;

type Kind = (typeof kinds)[keyof typeof kinds];

interface State {
  /** The instructions before their conditions are decided, without repetitions. */
  readonly instructions: Uint32Array;
  readonly before: Kind;
  /** The next state by class; absent where it is not known. */
  readonly next: (State | undefined)[];
}

/** Searches with a program. */
export function createAutomaton(program: PatternProgram, { maxKept }: AutomatonLimits): Automaton {
  const { inst, start } = program;
  const classes = classifyCharacters(program);
  const kindOfClass = classes.all.map((characterClass) => kinds[characterClass.kind]);
  const acceptedBy = classes.all.map(({ accepted }) => accepted);
  const kind = Uint8Array.from(inst, ({ op }) => instructionKinds[op] ?? readsCharacter);
  const out = Uint32Array.from(inst, ({ out }) => out);
  const arg = Uint32Array.from(inst, ({ arg }) => arg);
  const visited = new Uint32Array(inst.length);
  const stack = new Uint32Array(inst.length + 1);
  const added = new Uint32Array(inst.length);
  const following = new Uint32Array(inst.length);
  let round = 0;
  let steps = 0;

  /**
   * Follows a set of instructions over a character, into `following`. Returns their number, or -1 when the pattern has
   * matched before the character.
   */
  function follow(
    from: Uint32Array,
    size: number,
    holding: number,
    accepted: Uint8Array,
    stopsAtMatch = true,
  ): number {
    round++;
    let count = 0;
    for (let i = size; i >= 0; i--) {
      // The search starts at each position.
      const first = i === size ? start : (from[i] as number);
      if (visited[first] === round) continue;
      visited[first] = round;
      stack[0] = first;
      let top = 1;
      while (top > 0) {
        const at = stack[--top] as number;
        steps++;
        const next = out[at] as number;
        // Numbers, which the compiler of JavaScript compares faster than members of an object.
        switch (kind[at]) {
          case readsCharacter:
            if (accepted[at] === 1 && added[next] !== round) {
              added[next] = round;
              following[count++] = next;
            }
            break;
          case jumps:
            if (visited[next] !== round) {
              visited[next] = round;
              stack[top++] = next;
            }
            break;
          case forks: {
            const other = arg[at] as number;
            if (visited[next] !== round) {
              visited[next] = round;
              stack[top++] = next;
            }
            if (visited[other] !== round) {
              visited[other] = round;
              stack[top++] = other;
            }
            break;
          }
          case hasCondition:
            if (((arg[at] as number) & ~holding) === 0 && visited[next] !== round) {
              visited[next] = round;
              stack[top++] = next;
            }
            break;
          case matches:
            if (stopsAtMatch) return -1;
        }
      }
    }
    return count;
  }

  const noneAccepted = new Uint8Array(inst.length);
  const states = new Map<string, State>();
  let kept = 0;
  const matched: State = { instructions: new Uint32Array(0), before: kinds.other, next: [] };
  const initial = stateOf(0, kinds.start) as State;

  /** The state of the first instructions of `following`; undefined when no more states can be kept. */
  function stateOf(count: number, before: Kind): State | undefined {
    const instructions = following.slice(0, count).sort();
    const key = `${before} ${instructions.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (kept + count + 1 > maxKept) return undefined;
    kept += count + 1;
    const state = { instructions, before, next: [] };
    states.set(key, state);
    return state;
  }

  /** The next state; undefined when it cannot be kept, and then `following` has this number of its instructions. */
  let lastCount = 0;
  function step(state: State, cls: number): State | undefined {
    const { instructions, before } = state;
    const after = kindOfClass[cls] as Kind;
    lastCount = follow(
      instructions,
      instructions.length,
      conditionsBetween(before, after),
      acceptedBy[cls] as Uint8Array,
    );
    const next = lastCount < 0 ? matched : kept < maxKept ? stateOf(lastCount, after) : undefined;
    if (next !== undefined) state.next[cls] = next;
    return next;
  }

  function matchesAtEnd(instructions: Uint32Array, size: number, before: Kind): boolean {
    return follow(instructions, size, conditionsBetween(before, kinds.end), noneAccepted) < 0;
  }

  /** Searches the rest of a value from the instructions of `following`, without states. */
  function findWithSets(value: string, from: number, size: number, kind: Kind): boolean {
    const current = following.slice();
    let count = size;
    let before = kind;
    for (let at = from; at < value.length; ) {
      const codePoint = value.codePointAt(at) as number;
      at += codePoint > 0xffff ? 2 : 1;
      const cls = classes.classOf(codePoint);
      const after = kindOfClass[cls] as Kind;
      count = follow(current, count, conditionsBetween(before, after), acceptedBy[cls] as Uint8Array);
      if (count < 0) return true;
      current.set(following.subarray(0, count));
      before = after;
    }
    return matchesAtEnd(current, count, before);
  }

  function find(value: string): boolean {
    let state = initial;
    for (let at = 0; at < value.length; ) {
      const codePoint = value.codePointAt(at) as number;
      at += codePoint > 0xffff ? 2 : 1;
      const cls = classes.classOf(codePoint);
      const next = state.next[cls] ?? step(state, cls);
      if (next === matched) return true;
      if (next === undefined) return findWithSets(value, at, lastCount, kindOfClass[cls] as Kind);
      state = next;
    }
    return matchesAtEnd(state.instructions, state.instructions.length, state.before);
  }

  function complete(maxSteps: number): boolean {
    const limit = steps + maxSteps;
    // A set also visits the states that are added while it is read.
    for (const state of states.values())
      for (const cls of classes.all.keys()) {
        if (state.next[cls] === undefined && step(state, cls) === undefined) return false;
        if (steps > limit) return false;
      }
    return true;
  }

  /** The instructions before a character are at most those that accept the one before it, under any conditions. */
  function maxWork(): number {
    const count = classes.all.length;
    if (count ** 2 * inst.length > maxBoundSteps) return acceptedWork * inst.length;
    const everything = Uint32Array.from(inst.keys());
    let max = 0;
    for (const before of acceptedBy) {
      const reached = following.slice(0, follow(everything, everything.length, anyCondition, before, false));
      for (const accepted of acceptedBy) {
        const from = steps;
        const followed = follow(reached, reached.length, anyCondition, accepted, false);
        max = Math.max(max, steps - from + (acceptedWork - 1) * followed);
      }
    }
    return max;
  }

  return { find, complete, maxWork };
}

function conditionsBetween(before: Kind, after: Kind): number {
  const isBoundary = (before === kinds.word) !== (after === kinds.word);
  return (
    (before === kinds.start ? conditions.startOfText | conditions.startOfLine : 0) |
    (before === kinds.newline ? conditions.startOfLine : 0) |
    (after === kinds.end ? conditions.endOfText | conditions.endOfLine : 0) |
    (after === kinds.newline ? conditions.endOfLine : 0) |
    (isBoundary ? conditions.wordBoundary : conditions.noWordBoundary)
  );
}
