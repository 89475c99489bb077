/** Collects requests for a suite: each with the requirements that it fulfills and the mutants that it notices. */

import type { Candidate } from "./candidate.ts";
import { minimizeTests } from "./minimize.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { MutantRules } from "./mutants/mutant-rules.ts";
import { fulfilledBy } from "./requirements/fulfilled.ts";
import type { Requirement } from "./requirements/requirements.ts";
import type { SuiteModel } from "./suite-model.ts";

/** A request with the requirements that it fulfills and the mutants that it notices. */
export interface CollectedCandidate {
  readonly candidate: Candidate;
  readonly requirements: ReadonlySet<string>;
  readonly mutants: ReadonlySet<Mutant>;
}

/** The state of the collection. */
export interface SuiteBuilder {
  readonly collected: readonly CollectedCandidate[];
  isFulfilled(id: string): boolean;
  /** Whether a requirement counts and is not fulfilled yet. */
  isOpen(id: string): boolean;
  isNoticed(mutant: Mutant): boolean;
  /** Adds a request; `also` are requirements that its evaluation does not show. */
  add(candidate: Candidate, also?: readonly string[]): void;
  /** The requirements that a request would fulfill. */
  fulfilled(candidate: Candidate): readonly string[];
  /** A list of which no request can be left out. */
  minimized(): readonly CollectedCandidate[];
}

/** Starts a collection. Only the given requirements and mutants count. */
export function createSuiteBuilder(
  model: SuiteModel,
  requirements: readonly Requirement[],
  mutantRules?: MutantRules,
): SuiteBuilder {
  const known = new Set(requirements.map(({ id }) => id));
  const collected: CollectedCandidate[] = [];
  const done = new Set<string>();
  const noticed = new Set<Mutant>();
  return {
    collected,
    isFulfilled: (id) => done.has(id),
    isOpen: (id) => known.has(id) && !done.has(id),
    isNoticed: (mutant) => noticed.has(mutant),
    fulfilled: (candidate) => fulfilledBy(candidate, model),
    add: (candidate, also = []) => {
      const ids = [...fulfilledBy(candidate, model), ...also].filter((id) => known.has(id));
      const mutants = new Set(mutantRules === undefined ? [] : noticedBy(candidate, model, mutantRules));
      for (const id of ids) done.add(id);
      for (const mutant of mutants) noticed.add(mutant);
      collected.push({ candidate, requirements: new Set(ids), mutants });
    },
    minimized: () => minimize(collected),
  };
}

/** The mutants whose decision on a request is another one. */
export function noticedBy(
  candidate: Candidate,
  { evaluator }: Pick<SuiteModel, "evaluator">,
  mutantRules: MutantRules,
): readonly Mutant[] {
  const { zoneClass } = candidate;
  if (zoneClass === undefined) return [];
  const { key } = evaluator.decide(zoneClass.rules, candidate);
  return mutantRules
    .mutantsIn(zoneClass)
    .filter(({ rules }) => evaluator.decide(rules, candidate).key !== key)
    .map(({ mutant }) => mutant);
}

function minimize(collected: readonly CollectedCandidate[]): readonly CollectedCandidate[] {
  const numbers = new Map<string | Mutant, number>();
  const numberOf = (one: string | Mutant) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  };
  const tests = collected.map(
    ({ requirements, mutants }) => new Set([...requirements, ...mutants].map(numberOf)),
  );
  return minimizeTests(tests).flatMap((i) => collected[i] ?? []);
}
