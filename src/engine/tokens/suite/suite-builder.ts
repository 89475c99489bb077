/** Collects requests for a suite: each with the requirements that it fulfills and the mutants that it notices. */

import type { Candidate } from "./candidate.ts";
import { minimizeTests } from "./minimize.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { MutantTester } from "./mutants/mutant-tester.ts";
import { fulfilledBy } from "./requirements/fulfilled.ts";
import type { Requirement } from "./requirements/requirements.ts";
import type { SuiteModel } from "./suite-model.ts";

/** A request with the numbers of the requirements that it fulfills and the mutants that it notices. */
export interface CollectedCandidate {
  readonly candidate: Candidate;
  readonly numbers: readonly number[];
}

/** The state of the collection. */
export interface SuiteBuilder {
  /** The requests that fulfill a requirement. */
  fulfilling(id: string): readonly Candidate[];
  isFulfilled(id: string): boolean;
  /** Whether a requirement counts and is not fulfilled yet. */
  isOpen(id: string): boolean;
  isNoticed(mutant: Mutant): boolean;
  /** Makes a requirement count. */
  require(id: string): void;
  /** Adds a request; `also` are requirements that its evaluation does not show. */
  add(candidate: Candidate, also?: readonly string[]): void;
  /** Adds a request that is not left out. */
  keep(candidate: Candidate, also?: readonly string[]): void;
  /** The requirements that a request would fulfill. */
  fulfilled(candidate: Candidate): readonly string[];
  /**
   * A list of which no request can be left out, for the requirements and mutants that count; of those that notice a
   * mutant, only the first requests are considered.
   */
  minimized(counts?: (one: string | Mutant) => boolean): readonly Candidate[];
}

/** The maximum number of requests that are remembered for noticing a mutant: more do not make a suite smaller. */
const maxNoticing = 12;

/** Starts a collection. Only the given requirements and mutants count. */
export function createSuiteBuilder(
  model: SuiteModel,
  requirements: readonly Requirement[],
  tester?: MutantTester,
): SuiteBuilder {
  const known = new Set(requirements.map(({ id }) => id));
  const collected: CollectedCandidate[] = [];
  const byRequirement = new Map<string, Candidate[]>();
  const noticed = new Map<Mutant, number>();
  const numberOf = createNumbers();
  let fixed = 0;

  const isOpen = (mutant: Mutant) => (noticed.get(mutant) ?? 0) < maxNoticing;
  function add(candidate: Candidate, also: readonly string[] = []): void {
    const ids = new Set([...fulfilledBy(candidate, model), ...also].filter((id) => known.has(id)));
    for (const id of ids) {
      const list = byRequirement.get(id);
      if (list === undefined) byRequirement.set(id, [candidate]);
      else list.push(candidate);
    }
    const mutants = tester?.noticedBy({ candidate, nowMs: 0 }, isOpen) ?? [];
    for (const mutant of mutants) noticed.set(mutant, (noticed.get(mutant) ?? 0) + 1);
    collected.push({ candidate, numbers: [...ids, ...mutants].map(numberOf) });
  }

  return {
    fulfilling: (id) => byRequirement.get(id) ?? [],
    isFulfilled: (id) => byRequirement.has(id),
    isOpen: (id) => known.has(id) && !byRequirement.has(id),
    isNoticed: (mutant) => noticed.has(mutant),
    require: (id) => known.add(id),
    fulfilled: (candidate) => fulfilledBy(candidate, model),
    add,
    keep: (candidate, also) => {
      add(candidate, also);
      fixed++;
    },
    minimized: (counts) => {
      const isCounted = counts && numberOf.all().map(counts);
      const tests = collected.map(({ numbers }) =>
        isCounted ? numbers.filter((number) => isCounted[number]) : numbers,
      );
      return minimizeTests(tests, fixed).flatMap((i) => collected[i]?.candidate ?? []);
    },
  };
}

interface Numbers {
  (one: string | Mutant): number;
  /** Everything that has a number, in their order. */
  all(): readonly (string | Mutant)[];
}

function createNumbers(): Numbers {
  const numbers = new Map<string | Mutant, number>();
  const numberOf = (one: string | Mutant) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  };
  return Object.assign(numberOf, { all: () => [...numbers.keys()] });
}
