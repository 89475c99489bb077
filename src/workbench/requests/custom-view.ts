/** The custom part of a verdict as the page shows it: each rule with its result, and the parts of those that may match. */
import type {
  CustomRuleName,
  CustomTrace,
  CustomVerdict,
} from "../../engine/tokens/rulesets/ruleset-verdict.ts";
import type { CustomPartView, CustomRuleKey, RulesetView } from "../messages.ts";
import { type ExpressionView, viewOfExpression } from "./expression-view.ts";

/** Rulesets with the expressions that a verdict refers to. */
type KnownRulesets = readonly Pick<RulesetView, "id" | "rules">[];

/** Maximum number of custom rules in a view (`chosen`). */
const maxRules = 1_000;

/** The view. */
export function viewOfCustom(
  { action, response, rule: decider, skipped, needs, rules }: CustomVerdict,
  expressions: readonly CustomTrace[],
  rulesets: KnownRulesets,
): CustomPartView {
  const keyOf = (rule: { readonly ruleset: string; readonly rule: string }) =>
    JSON.stringify([rule.ruleset, rule.rule]);
  const traces = new Map(expressions.map((expression) => [keyOf(expression), expression]));
  return {
    action,
    ...(response && { response: `${response.status_code} ${response.content_type ?? ""}`.trim() }),
    ...(decider && { decider: named(decider) }),
    skipped: [...skipped.phases, ...skipped.products],
    needs,
    rules: rules.slice(0, maxRules).map((rule) => ({
      ...named(rule),
      action: rule.action,
      result: rule.result,
      ...viewOfRule(expressionOf(rule, rulesets), traces.get(keyOf(rule))),
    })),
  };
}

function viewOfRule(expression: string, trace: CustomTrace | undefined): ExpressionView {
  return trace === undefined ? { leaves: [] } : viewOfExpression("custom", expression, trace);
}

function named({ ruleset, rule, description }: CustomRuleName): CustomRuleKey {
  return { ruleset, rule, title: description || rule };
}

function expressionOf({ ruleset, rule }: CustomRuleName, rulesets: KnownRulesets): string {
  const rules = rulesets.find(({ id }) => id === ruleset)?.rules ?? [];
  return rules.find(({ id }) => id === rule)?.expression ?? "";
}
