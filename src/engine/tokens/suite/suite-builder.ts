/** Collects requests for a suite: each with the requirements that it fulfills and the mutants that it notices. */

import { addTo } from "../../../core/groups.ts";
import type { Candidate } from "./candidate.ts";
import { chooseRequests, type Reason } from "./collection.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { MutantTester } from "./mutants/mutant-tester.ts";
import { fulfilledBy } from "./requirements/fulfilled.ts";
import type { Requirement } from "./requirements/requirements.ts";
import type { SuiteModel } from "./suite-model.ts";

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
  minimized(counts?: (reason: Reason) => boolean): readonly Candidate[];
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
  const collected: { readonly candidate: Candidate; readonly reasons: ReadonlySet<Reason> }[] = [];
  const byRequirement = new Map<string, Candidate[]>();
  const noticed = new Map<Mutant, number>();
  let fixed = 0;

  const isOpen = (mutant: Mutant) => (noticed.get(mutant) ?? 0) < maxNoticing;
  function add(candidate: Candidate, also: readonly string[] = []): void {
    const ids = new Set([...fulfilledBy(candidate, model), ...also].filter((id) => known.has(id)));
    for (const id of ids) addTo(byRequirement, id, candidate);
    const mutants = tester?.noticedBy({ candidate, nowMs: 0 }, isOpen) ?? [];
    for (const mutant of mutants) noticed.set(mutant, (noticed.get(mutant) ?? 0) + 1);
    collected.push({ candidate, reasons: new Set<Reason>([...ids, ...mutants]) });
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
    minimized: (counts) =>
      chooseRequests(collected, { fixed, ...(counts && { counts }) }).map(({ candidate }) => candidate),
  };
}
