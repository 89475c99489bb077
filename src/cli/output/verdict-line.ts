/** A verdict in one line. */
import { decidingCustomRule, decidingExpression } from "../../engine/tokens/verdict/decider.ts";
import { describeLeaf } from "../../engine/tokens/verdict/describe-leaf.ts";
import { unevaluatedOutcome } from "../../engine/tokens/verdict/unevaluated.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";

/** The reason of a verdict in a few words. */
export function reasonOf(verdict: Verdict): string {
  if (verdict.outcome === "undecided") return `needs ${verdict.custom?.needs.join(", ")}`;
  if (unevaluatedOutcome(verdict) === "not_an_operation") return "no operation matches";
  if (unevaluatedOutcome(verdict) === "no_rule") return "no enabled rule covers the operation";
  if (verdict.outcome === "no_rule" || verdict.outcome === "not_an_operation")
    return "custom rules let the request pass";
  const decider = decidingExpression(verdict);
  if (decider === undefined && verdict.outcome === "custom_rule") return "a custom rule decided";
  const parts = (decider ? [decider] : verdict.trace.expressions).flatMap(({ decidedBy }) => decidedBy);
  const reasons = parts.flatMap(({ config, reason }) => (config === undefined ? [] : (reason ?? [])));
  const descriptions = reasons.length > 0 ? reasons : parts.map((part) => describeLeaf(part));
  return [...new Set(descriptions)].join(", ");
}

/** The title of the rule that decided, or its id when it has no title. */
export function ruleOf(verdict: Verdict): string {
  const { rule } = verdict;
  return rule ? (rule.title ?? rule.id) : (decidingCustomRule(verdict) ?? "-");
}
