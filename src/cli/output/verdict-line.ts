/** A verdict in one line. */
import { titleOrId } from "../../engine/tokens/name-with-title.ts";
import type { PartNames } from "../../engine/tokens/names/part-names.ts";
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

/** The rule that decided, in a few words. @param names those of its zone; without them it has its title or its id */
export function ruleOf(verdict: Verdict, names?: PartNames): string {
  const { rule, custom } = verdict;
  if (rule) return names?.tokenRules.shortNameOf(rule.id) ?? titleOrId(rule);
  const decider = decidingCustomRule(verdict);
  if (decider === undefined) return "-";
  const path = `${custom?.rule?.ruleset}/${custom?.rule?.rule}`;
  return names?.customPaths.shortNameOf(path) ?? decider;
}
