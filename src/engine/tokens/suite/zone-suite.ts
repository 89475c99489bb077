/** A generated suite as users get it. */

import type { MutantSubject } from "./mutants/mutant.ts";
import type { UnreachableRequirement } from "./requirements/unreachable.ts";
import type { SuiteRequest } from "./suite-request.ts";

/** A mutant without a decision on whether some request notices it. */
export interface UndecidedMutant extends MutantSubject {
  /** Why it is not decided. */
  readonly reason: string;
}

/** The mutants of the zone. */
export interface SuiteMutants {
  /** The number that the suite notices. */
  readonly noticed: number;
  /** The number that no request can notice. */
  readonly equivalent: number;
  /** The mutants for which neither is known. */
  readonly undecided: readonly UndecidedMutant[];
}

/** A generated suite. */
export interface ZoneSuite {
  /** The requests; few could be left out without losing a requirement or a mutant. */
  readonly requests: readonly SuiteRequest[];
  /** The number of requirements that the requests fulfill. */
  readonly fulfilled: number;
  /** Requirements that no request of the suite fulfills, with the reason. */
  readonly unreachable: readonly UnreachableRequirement[];
  /** The mutants of the zone. */
  readonly mutants: SuiteMutants;
  /** The numbers of requests with each value of the option `operations`. */
  readonly sizes: {
    /** With a request for each operation. */
    readonly each: number;
    /** With a request for each class of operations that the same rules cover. */
    readonly classes: number;
  };
}

/** Requests in which each rule fires and passes. */
export interface CoveringRequests {
  /** The requests; none can be left out. */
  readonly requests: readonly SuiteRequest[];
  /** The rules that cannot fire, or cannot pass, with the reason. */
  readonly unreachable: readonly UnreachableRequirement[];
}
