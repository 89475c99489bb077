/** The rule of either kind that decided a verdict, or what an undecided one needs. */

import type { TracedExpression } from "./trace-tree.ts";
import type { PlainVerdict } from "./verdict.ts";

/** The id of the rule that decided: a token rule, or a custom rule; undefined when none did. */
export function decidingRuleId({ rule, outcome, custom }: PlainVerdict): string | undefined {
  return rule?.id ?? (outcome === "custom_rule" ? custom?.rule?.rule : undefined);
}

/** The expression of the rule that decided; undefined when none did. */
export function decidingExpression(verdict: PlainVerdict): TracedExpression | undefined {
  const { rule, outcome, trace, custom } = verdict;
  if (rule !== undefined) return trace.expressions.find(({ ruleId }) => ruleId === rule.id);
  const decider = outcome === "custom_rule" ? custom?.rule : undefined;
  return (
    decider &&
    custom?.expressions.find(
      (candidate) => candidate.ruleset === decider.ruleset && candidate.rule === decider.rule,
    )
  );
}

/** The name of the custom rule that decided; undefined when it was not one. */
export function decidingCustomRule({ outcome, custom }: PlainVerdict): string | undefined {
  if (outcome !== "custom_rule" || custom?.rule === undefined) return undefined;
  return custom.rule.description || custom.rule.rule;
}

/** The values to add to a request that is undecided, as one sentence; undefined for any other verdict. */
export function neededFields({ action, custom }: PlainVerdict): string | undefined {
  if (action !== "undecided" || custom === undefined) return undefined;
  return `Undecided: the custom rules need ${custom.needs.map(advice).join(", ")}.`;
}

/** The member of a request, or of a zone, that gives a value. */
function advice(name: string): string {
  if (name.startsWith("$")) return `\`lists: { "${name.slice(1)}": ... }\` of the zone`;
  if (name === "ip.src") return "`ip` of the request";
  if (name.startsWith("http.request.body.")) return "`body` of the request";
  return /^[a-z0-9_.]+$/.test(name) ? `\`fields: { "${name}": ... }\` of the request` : name;
}
