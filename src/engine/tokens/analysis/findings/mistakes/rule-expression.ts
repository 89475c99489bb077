/** The expression of a rule, in which mistakes are searched. */

import type { Expression } from "../../../expression/tree.ts";
import type { CompiledList } from "../../../expression/values/lists.ts";

/** An expression, and what is known of its rule. */
export interface RuleExpression {
  readonly text: string;
  readonly tree: Expression;
  /** The value for which the rule rejects a request; absent for a rule that rejects none. */
  readonly rejects?: boolean;
  /** The lists that the expression can name. */
  readonly lists?: ReadonlyMap<string, CompiledList>;
}
