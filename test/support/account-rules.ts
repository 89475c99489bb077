/** Custom rules of an account: only those of a zone can skip the rest of the phase. */
import type { ActionParameters } from "../../src/engine/tokens/rulesets/model.ts";

/** The rule with a skip that an account can have. */
export function ofAccount<Rule extends { readonly action_parameters?: ActionParameters }>(rule: Rule): Rule {
  const { phase, products: _, ...others } = rule.action_parameters ?? {};
  return phase === undefined ? rule : { ...rule, action_parameters: { ...others, ruleset: "current" } };
}
