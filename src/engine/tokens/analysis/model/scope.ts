/** The inputs of the translation of expressions. */

import type { CompiledList } from "../../expression/values/lists.ts";
import type { ZoneFacts } from "../../rulesets/input/zone-facts.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { ComparisonDfa } from "../strings/comparison-dfas.ts";
import type { Claims } from "./claims.ts";
import type { Formula } from "./formula.ts";
import type { ValuesOfFields } from "./own-fields.ts";
import type { OwnLocations } from "./own-locations.ts";

/** A part of an expression that the analysis does not look into. */
export interface UnreadPart {
  /** In canonical spelling. */
  readonly text: string;
  /** A clause. */
  readonly why: string;
}

/** The names that expressions refer to. */
export interface ExpressionScope {
  readonly configs: BoundConfigs;
  readonly lists?: ReadonlyMap<string, CompiledList>;
  /** The facts of the zone; a field without one has any value. */
  readonly zone?: ZoneFacts;
}

/** The inputs of a translation of expressions. */
export interface TranslationScope extends Required<ExpressionScope> {
  readonly own: OwnLocations;
  readonly values: ValuesOfFields;
  readonly claims: Claims;
  /** The number of audiences that `any` and `all` are expanded to; undefined when it is too large. */
  readonly audiences: number | undefined;
  /** The formulas of the tests that were translated, by their canonical spelling. */
  readonly known: Map<string, Formula>;
  /** The parts that the analysis does not look into, by the keys of their locations. */
  readonly unread: Map<string, UnreadPart>;
  /** The DFAs of comparisons with several strings, by the keys of the comparisons. */
  readonly dfas: Map<string, ComparisonDfa>;
}
