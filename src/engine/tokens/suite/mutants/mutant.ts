/** Mutants of the rules of a zone: the zone with exactly one change to one rule. */

import type { ReadRule } from "../../zone/zone-input.ts";

/** The kinds of mutants, in the order in which they are created for a rule. */
export const mutantKinds = [
  "action",
  "enabled",
  "operator",
  "operand",
  "id",
  "method",
  "host",
  "value",
  "exclusion",
  "order",
  "position",
] as const;

/** The part of a rule that a mutant changes. */
export type MutantKind = (typeof mutantKinds)[number];

/** A zone with one change. */
export interface Mutant {
  /** The part that is changed. */
  readonly kind: MutantKind;
  /** The id of the changed rule. */
  readonly rule: string;
  /** RFC 6901 pointer to the changed part of the zone. */
  readonly pointer: string;
  /** The change in one clause, such as ``the action `block` becomes `log` ``. */
  readonly description: string;
  /** The rules of the mutant, in order. */
  readonly rules: readonly ReadRule[];
  /** The ids of the rules that were changed or moved. */
  readonly touched: readonly string[];
}

/** A change of one rule, before it is applied to the zone. */
export interface RuleChange {
  readonly kind: MutantKind;
  /** Pointer into the rule. */
  readonly at: string;
  readonly description: string;
  readonly changed: ReadRule;
}
