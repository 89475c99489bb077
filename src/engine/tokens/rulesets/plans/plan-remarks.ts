/** Remarks on what the plan of a zone does not have, and the plan that the rules of a zone without a known one need. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { formatNumber } from "../../../../core/format-count.ts";
import { alternatives, type CodedDiagnostic } from "../../../../errors.ts";
import { inputProblem } from "../../input-problem.ts";
import { type RemarkKind, remark } from "../../remarks/remark.ts";
import type { ZonePlan } from "../input/zone-facts.ts";
import {
  type FeatureNeed,
  type NumberNeed,
  type PlanNeed,
  planNeeds,
  plansWith,
  type RulesetTrees,
} from "./plan-needs.ts";
import { planFeatures, planOrder } from "./plan-table.ts";

/** Maximum number of needs in a message. */
const maxNamed = 5;

const titles = { free: "Free", pro: "Pro", business: "Business", enterprise: "Enterprise" } as const;

/** The plans as alternatives for a message: `Business or Enterprise`. */
function nameOf(plans: readonly ZonePlan[]): string {
  return alternatives(plans.map((plan) => titles[plan]));
}

/** The remarks on what a plan does not have; with an unknown plan, on what no plan has. */
export function planRemarks(
  needs: readonly PlanNeed[],
  plan: ZonePlan | undefined,
): readonly Diagnostic<RemarkKind>[] {
  return needs.flatMap((need): Diagnostic<RemarkKind>[] => {
    const plans = plansWith(need);
    if (plan === undefined ? plans.length > 0 : plans.includes(plan)) return [];
    if (need.kind === "feature") return plan === undefined ? [] : [featureRemark(need, plan)];
    return [numberRemark(need, plan)];
  });
}

/** The remarks on the rulesets of a zone as problems, each with its pointer into the zone. */
export function planProblems(rulesets: RulesetTrees, plan: ZonePlan | undefined): readonly CodedDiagnostic[] {
  return planRemarks(planNeeds(rulesets), plan).map(({ pointer = "", message }) =>
    inputProblem(pointer, message),
  );
}

function featureRemark(need: FeatureNeed, plan: ZonePlan): Diagnostic<RemarkKind> {
  const { name, pointer, span, subject } = need;
  const addOn = need.feature.isAddOn ? " with an add-on" : "";
  const message = `${name} needs the plan ${nameOf(plansWith(need))}${addOn}; the zone has ${titles[plan]}.`;
  return { ...remark("plan-feature", pointer, message), ...(span && { span }), subject };
}

function numberRemark(need: NumberNeed, plan: ZonePlan | undefined): Diagnostic<RemarkKind> {
  const { count, maximum, placeFor } = need;
  const { max, nouns } = maximum;
  const [next] = plansWith(need);
  const highest = planOrder.at(-1) as ZonePlan;
  const limit =
    plan === undefined || (next === undefined && plan === highest)
      ? `no plan has more than ${formatNumber(max[highest])}`
      : `its plan ${titles[plan]} has at most ${formatNumber(max[plan])}, and ${titles[next ?? highest]} ${formatNumber(max[next ?? highest])}`;
  const { pointer, subject } = placeFor(plan ?? highest);
  const message = `The zone has ${formatNumber(count)} ${nouns[count === 1 ? 0 : 1]}; ${limit}.`;
  return { ...remark("plan-limit", pointer, message), subject };
}

/** The remark on token configurations of a zone whose plan has none. */
export function configRemarks(count: number, plan: ZonePlan | undefined): readonly Diagnostic<RemarkKind>[] {
  const feature = planFeatures["token configurations"];
  const at = { name: "A token configuration", pointer: "/configs/0", subject: {} };
  const need: FeatureNeed = { kind: "feature", feature, ...at };
  return count === 0 ? [] : planRemarks([need], plan).map(({ subject: _, ...rest }) => rest);
}

/** The plan that the rules of a zone need, in one sentence; undefined when each plan has what they need. */
export function describeNeeded(needs: readonly PlanNeed[]): string | undefined {
  const lowest = (need: PlanNeed) => planOrder.indexOf(plansWith(need)[0] ?? "free");
  const lowestPlan = Math.max(0, ...needs.map(lowest));
  if (lowestPlan === 0) return undefined;
  const reasons = [...new Set(needs.filter((need) => lowest(need) === lowestPlan).map(reasonOf))];
  const more = reasons.length > maxNamed ? ` and ${reasons.length - maxNamed} more` : "";
  const plans = nameOf(planOrder.slice(lowestPlan));
  return `The rules of the zone need the plan ${plans}, for ${reasons.slice(0, maxNamed).join(", ")}${more}.`;
}

function reasonOf(need: PlanNeed): string {
  if (need.kind === "feature") return need.name.replace(/^(?:The|A)\b/, (article) => article.toLowerCase());
  return `${formatNumber(need.count)} ${need.maximum.nouns[need.count === 1 ? 0 : 1]}`;
}
