/** The custom part of a verdict as the page shows it: each rule with its result, and the parts of those that may match. */
import { parseCustomExpression } from "../../engine/tokens/expression/custom/parse.ts";
import { leavesOf } from "../../engine/tokens/expression/custom/tree-queries.ts";
import type {
  CustomLeafTrace,
  CustomRuleName,
  CustomVerdict,
} from "../../engine/tokens/rulesets/custom-verdict.ts";
import type { CustomPartView, CustomRuleKey, LeafView, RulesetView } from "../messages.ts";

/** Rulesets with the expressions that a verdict refers to. */
type KnownRulesets = readonly Pick<RulesetView, "id" | "rules">[];

/** Maximum number of custom rules in a view (`chosen`). */
const maxRules = 1_000;

/** The view. */
export function viewOfCustom(custom: CustomVerdict, rulesets: KnownRulesets): CustomPartView {
  const { action, response, rule: decider, skipped, needs, rules, expressions } = custom;
  const keyOf = (one: { readonly ruleset: string; readonly rule: string }) =>
    JSON.stringify([one.ruleset, one.rule]);
  const traces = new Map(expressions.map((one) => [keyOf(one), one.leaves]));
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
      leaves: leafViews(expressionOf(rule, rulesets), traces.get(keyOf(rule)) ?? []),
    })),
  };
}

function named({ ruleset, rule, description }: CustomRuleName): CustomRuleKey {
  return { ruleset, rule, title: description || rule };
}

function expressionOf({ ruleset, rule }: CustomRuleName, rulesets: KnownRulesets): string {
  const rules = rulesets.find(({ id }) => id === ruleset)?.rules ?? [];
  return rules.find(({ id }) => id === rule)?.expression ?? "";
}

/** The parts at their places in the text; none when it is not the text that was evaluated. */
function leafViews(expression: string, traced: readonly CustomLeafTrace[]): readonly LeafView[] {
  const parsed = parseCustomExpression(expression);
  if (!parsed.ok) return [];
  const leaves = leavesOf(parsed.value);
  const isSame = leaves.every(({ span }, i) => expression.slice(span.start, span.end) === traced[i]?.text);
  if (!isSame || leaves.length !== traced.length) return [];
  return leaves.map(({ span: { start, end } }, i) => {
    const { value = null, found } = traced[i] ?? {};
    const text = expression.slice(start, end);
    // Of a Bool without a comparison, the value that was read is that of the part.
    const isSaid = found === undefined || found === String(value);
    return { start, end, text, value, ...(!isSaid && { found }) };
  });
}
