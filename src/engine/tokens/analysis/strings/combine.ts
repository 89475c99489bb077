/** The product of several DFAs: every combination of their outputs, each with a shortest string that produces it. */

import { type Meter, spend } from "../budget.ts";
import { type Dfa, deadState } from "./dfa.ts";
import { byteGroup, byteGroups } from "./length-dfa.ts";

/** The DFAs of a product, and the strings that it is run over. */
export interface DfaProduct {
  /** The DFAs whose outputs are wanted. */
  readonly observedDfas: readonly Dfa[];
  /** Strings that one of these does not accept are left out. */
  readonly requiredDfas: readonly Dfa[];
  /** Keep strings apart that are equal to all other DFAs, so that a sendable one is found. */
  readonly guideDfas: readonly Dfa[];
  /** Candidates for the one code unit that represents all units without transitions of their own, best first. */
  readonly fillerUnits: Iterable<string>;
  /** Whether a client can send the string as it is. */
  readonly isSendable: (value: string) => boolean;
}

/** One combination of outputs. */
export interface OutputCombination {
  /** The outputs of the observed DFAs. */
  readonly outputs: readonly number[];
  /** A string that produces them, a sendable one when there is one. */
  readonly value: string;
  readonly sendable: boolean;
}

/** A string, and the states of all DFAs at its end. */
export interface ProductState {
  readonly states: readonly number[];
  readonly value: string;
}

interface QueuedState {
  readonly states: readonly number[];
  value: string;
  isAscii: boolean;
}

/**
 * Runs DFAs over all strings, shortest first, and yields the first string for each combination of their states; one of
 * ASCII characters is preferred, because only these have the same length in every encoding.
 * Strings are left out when the first `required` DFAs accept no string that starts with them.
 */
export function* traverseProduct(
  dfas: readonly Dfa[],
  required: number,
  alphabet: readonly string[],
  meter: Meter,
): Generator<ProductState> {
  const start = { states: dfas.map((dfa) => dfa.start), value: "", isAscii: true };
  const seen = new Map<string, QueuedState>([[start.states.join(), start]]);
  const queue = [start];
  for (const current of queue) {
    yield current;
    spend(meter, alphabet.length * (1 + current.states.filter((state) => state !== deadState).length));
    for (const unit of alphabet) {
      const states = dfas.map((dfa, i) => {
        const state = current.states[i] ?? deadState;
        return state === deadState ? deadState : dfa.step(state, unit);
      });
      const key = states.join();
      const isAscii = current.isAscii && unit < "\x80";
      const known = seen.get(key);
      if (known !== undefined) {
        if (isAscii && !known.isAscii) Object.assign(known, { value: current.value + unit, isAscii });
        continue;
      }
      if (states.slice(0, required).includes(deadState)) continue;
      const next = { states, value: current.value + unit, isAscii };
      seen.set(key, next);
      queue.push(next);
    }
  }
}

/** Every combination of outputs, those with the shortest strings first. */
export function findOutputCombinations(product: DfaProduct, meter: Meter): OutputCombination[] {
  const { observedDfas, requiredDfas, guideDfas, isSendable } = product;
  const dfas = [...requiredDfas, ...observedDfas, ...guideDfas];
  const alphabet = alphabetOf(dfas, product.fillerUnits);
  const found = new Map<string, OutputCombination>();
  for (const { states, value } of traverseProduct(dfas, requiredDfas.length, alphabet, meter)) {
    if (!requiredDfas.every((dfa, i) => dfa.output(states[i] ?? deadState) !== 0)) continue;
    const observedStates = states.slice(requiredDfas.length);
    const outputs = observedDfas.map((dfa, i) => dfa.output(observedStates[i] ?? deadState));
    const key = outputs.join();
    const known = found.get(key);
    if (known?.sendable) continue;
    const sendable = isSendable(value);
    if (known === undefined || sendable) found.set(key, { outputs, value, sendable });
  }
  return [...found.values()];
}

/** Code units that represent all others, then the units that some DFA has transitions for. */
export function alphabetOf(dfas: readonly Dfa[], fillerUnits: Iterable<string>): string[] {
  const named = new Set(dfas.flatMap(({ units }) => [...units]));
  const countsBytes = dfas.some((dfa) => dfa.countsBytes);
  const groupOf = countsBytes ? byteGroup : () => 0;
  const groups = countsBytes ? byteGroups : 1;
  const fillers = new Map<number, string>();
  for (const unit of fillerUnits) {
    if (named.has(unit) || fillers.has(groupOf(unit))) continue;
    fillers.set(groupOf(unit), unit);
    if (fillers.size === groups) break;
  }
  return [...fillers.values(), ...named];
}
