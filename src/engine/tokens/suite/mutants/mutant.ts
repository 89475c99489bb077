/** Mutants of a zone: the zone with exactly one change. */

import type { MutantKind } from "./catalogue.ts";
import type { ZoneChange } from "./change.ts";

/** A zone with one change. */
export interface Mutant {
  /** The changed part. */
  readonly kind: MutantKind;
  /** The id of the changed rule; absent when an operation or a configuration is changed. */
  readonly rule?: string;
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
