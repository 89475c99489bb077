/** Runs several automata over all texts at once, and finds every combination of their answers with a shortest text. */

import { type Meter, spend } from "../budget.ts";
import { type Automaton, dead } from "./dfa.ts";

/** What is asked about all texts of a kind. */
export interface Exploration {
  /** Whose answers are wanted. */
  readonly observed: readonly Automaton[];
  /** Texts that one of these does not accept do not count. */
  readonly required: readonly Automaton[];
  /** Tells texts apart that are the same to all others, so that one is found that is `real`. */
  readonly guides: readonly Automaton[];
  /** Units to stand for all that no automaton names, the nicest first. */
  readonly others: Iterable<string>;
  /** Whether a text can be sent as it is. */
  readonly isReal: (text: string) => boolean;
}

/** One combination of answers. */
export interface Finding {
  /** Answers of the observed automata. */
  readonly outputs: readonly number[];
  /** A text that gives them; one that can be sent when there is one. */
  readonly text: string;
  readonly real: boolean;
}

/** A text, and the states in which automata are at its end. */
export interface Reached {
  readonly states: readonly number[];
  readonly text: string;
}

/**
 * Runs automata over all texts, shortest first, and gives the first text for each combination of their states.
 * Texts of which the first `required` automata can accept nothing more are left out.
 */
export function* reach(
  automata: readonly Automaton[],
  required: number,
  alphabet: readonly string[],
  meter: Meter,
): Generator<Reached> {
  const start = automata.map((automaton) => automaton.start);
  const seen = new Set([start.join()]);
  const queue: Reached[] = [{ states: start, text: "" }];
  for (const place of queue) {
    yield place;
    spend(meter, alphabet.length * (1 + place.states.filter((state) => state !== dead).length));
    for (const unit of alphabet) {
      const states = automata.map((automaton, i) => {
        const state = place.states[i]!;
        return state === dead ? dead : automaton.step(state, unit);
      });
      const key = states.join();
      if (seen.has(key) || states.slice(0, required).includes(dead)) continue;
      seen.add(key);
      queue.push({ states, text: place.text + unit });
    }
  }
}

/** Every combination of answers, those with the shortest texts first. */
export function explore(exploration: Exploration, meter: Meter): Finding[] {
  const { observed, required, guides, isReal } = exploration;
  const automata = [...required, ...observed, ...guides];
  const alphabet = alphabetOf(automata, exploration.others);
  const found = new Map<string, Finding>();
  for (const place of reach(automata, required.length, alphabet, meter)) note(place);
  return [...found.values()];

  function note({ states, text }: Reached): void {
    if (required.some((automaton, i) => automaton.output(states[i]!) === 0)) return;
    const outputs = observed.map((automaton, i) => automaton.output(states[required.length + i]!));
    const key = outputs.join();
    const known = found.get(key);
    if (known?.real) return;
    const real = isReal(text);
    if (known === undefined || real) found.set(key, { outputs, text, real });
  }
}

/** The units that some automaton names, after one that stands for all others. */
export function alphabetOf(automata: readonly Automaton[], others: Iterable<string>): string[] {
  const named = new Set(automata.flatMap(({ units }) => [...units]));
  for (const unit of others) if (!named.has(unit)) return [unit, ...named];
  return [...named];
}
