/** Changes of the parts of expressions. */

import type { RuleKind } from "../../expression/language/rule-kinds.ts";
import type { Expression, Value } from "../../expression/tree.ts";
import type { ReadConfig } from "../../zone/zone-input.ts";

/** The strings that the same value is compared with elsewhere in the zone, the most common ones of its kind first. */
export interface KnownStrings {
  /** Strings of the zone. */
  readonly inZone: readonly string[];
  /** A string in place of another one, for fields with a fixed vocabulary. */
  readonly usual: readonly string[];
}

/** The names of a zone; strings are bytes. */
export interface KnownNames {
  /** The strings that a value is compared with. */
  strings(value: Value): KnownStrings;
  /** The names in a map. */
  keys(map: Value): readonly string[];
  /** The names in lookups. */
  readonly claims: readonly string[];
}

/** The part of a zone that changes of an expression depend on. */
export interface ExpressionContext {
  readonly rules: RuleKind;
  readonly configs: readonly ReadConfig[];
  readonly known: KnownNames;
}

/** Another expression in place of a part. */
export interface ChangedPart {
  readonly changed: Expression;
  /** In one clause; by default which part becomes which. */
  readonly description?: string;
}

/** Changes of a node of the tree, without its operands. */
export type PartChanges = (node: Expression, context: ExpressionContext) => readonly ChangedPart[];
