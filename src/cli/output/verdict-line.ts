/** A verdict in one line. */
import { decidingCustomRule } from "../../engine/tokens/verdict/custom-reason.ts";
import { unevaluatedOutcome } from "../../engine/tokens/verdict/unevaluated.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";

/** The reason of a verdict in a few words. */
export function reasonOf(verdict: Verdict): string {
  if (verdict.outcome === "custom_rule") return "a custom rule decided";
  if (verdict.outcome === "undecided") return `needs ${verdict.custom?.needs.join(", ")}`;
  if (unevaluatedOutcome(verdict) === "not_an_operation") return "no operation matches";
  if (unevaluatedOutcome(verdict) === "no_rule") return "no enabled rule covers the operation";
  if (verdict.outcome === "no_rule" || verdict.outcome === "not_an_operation")
    return "custom rules let the request pass";
  const expressions = verdict.rule
    ? verdict.trace.expressions.filter((e) => e.ruleId === verdict.rule?.id)
    : verdict.trace.expressions;
  const parts = expressions.flatMap((e) => e.decidedBy);
  const reasons = parts.flatMap((part) => part.reason ?? []);
  const descriptions = reasons.length > 0 ? reasons : parts.map((part) => `${part.text} is ${part.value}`);
  return [...new Set(descriptions)].join(", ");
}

/** The title of the rule that decided, or its id when it has no title. */
export function ruleOf(verdict: Verdict): string {
  const { rule } = verdict;
  return rule ? (rule.title ?? rule.id) : (decidingCustomRule(verdict) ?? "-");
}
