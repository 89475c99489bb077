/** Mutants of a zone: the zone with exactly one change. */

import type { SimulatedRequest } from "../../model.ts";
import type { SuiteRequest } from "../suite-request.ts";
import type { MutantKind } from "./catalogue.ts";
import type { ZoneChange } from "./change.ts";

/** A zone with one change. */
export interface Mutant {
  /** The changed part. */
  readonly kind: MutantKind;
  /** The id of the changed rule; absent when a list, an operation or a configuration is changed. */
  readonly rule?: string;
  /** The id of the ruleset of a changed custom rule. */
  readonly ruleset?: string;
  /** The name of the changed list. */
  readonly list?: string;
  /** The id of the changed operation. */
  readonly operation?: string;
  /** The id of the changed configuration. */
  readonly config?: string;
  /** RFC 6901 pointer to the changed part of the zone. */
  readonly pointer: string;
  /** The change in one clause, such as ``the action `block` becomes `log` ``. */
  readonly description: string;
  readonly change: ZoneChange;
}

/** The public part of a mutant. */
export type MutantSubject = Omit<Mutant, "change">;

/** The mutant without its change. */
export function subjectOf({ change: _, ...subject }: Mutant): MutantSubject {
  return subject;
}

/** A request of a suite, with the time at which it arrives. */
export interface TimedRequest {
  /** The request, with real tokens. */
  readonly request: SimulatedRequest;
  /** In milliseconds since 1970. */
  readonly nowMs: number;
}

/** A mutant, and whether the requests notice it. */
export type TestedMutant = MutantSubject &
  (
    | {
        /** Some request has another decision: `request` is the index of the first. */
        readonly result: "noticed";
        readonly request: number;
      }
    | {
        /** No request of the list notices it, but this one would. */
        readonly result: "survived";
        readonly noticedBy: SuiteRequest;
      }
    | {
        /** No request can notice it. */
        readonly result: "equivalent";
      }
    | {
        /** No request of the list notices it, and whether another one would is not known. */
        readonly result: "undecided";
        readonly reason: string;
      }
  );
