/** Runs several automata over all texts at once, and finds every combination of their answers with a shortest text. */

import { type Automaton, dead } from "./automaton.ts";
import { type Meter, spend } from "./budget.ts";

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

interface Place {
  readonly states: readonly number[];
  readonly text: string;
}

/** Every combination of answers, those with the shortest texts first. */
export function explore(exploration: Exploration, meter: Meter): Finding[] {
  const { observed, required, guides, isReal } = exploration;
  const automata = [...required, ...observed, ...guides];
  const alphabet = alphabetOf(automata, exploration.others);
  const found = new Map<string, Finding>();
  const start = automata.map((automaton) => automaton.start);
  const seen = new Set([start.join()]);
  const queue: Place[] = [{ states: start, text: "" }];
  for (const place of queue) {
    note(place);
    spend(meter, alphabet.length * (1 + place.states.filter((state) => state !== dead).length));
    for (const unit of alphabet) reach(place, unit);
  }
  return [...found.values()];

  function reach({ states, text }: Place, unit: string): void {
    const next = automata.map((automaton, i) =>
      states[i] === dead ? dead : automaton.step(states[i]!, unit),
    );
    if (required.some((_, i) => next[i] === dead)) return;
    const key = next.join();
    if (seen.has(key)) return;
    seen.add(key);
    queue.push({ states: next, text: text + unit });
  }

  function note({ states, text }: Place): void {
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
function alphabetOf(automata: readonly Automaton[], others: Iterable<string>): string[] {
  const named = new Set(automata.flatMap(({ units }) => [...units]));
  for (const unit of others) if (!named.has(unit)) return [unit, ...named];
  return [...named];
}
