/** The needs of the rulesets of a zone: features, and numbers that not every plan has. */

import type { Span } from "../../../../core/diagnostic.ts";
import { pointer } from "../../../../errors.ts";
import { knownFields } from "../../expression/language/fields.ts";
import type { Expression } from "../../expression/tree.ts";
import { testsOf, valuesOf } from "../../expression/tree-queries.ts";
import type { ReadRulesets } from "../input/read-rulesets.ts";
import type { ZonePlan } from "../input/zone-facts.ts";
import type { CustomRule, Ruleset } from "../model.ts";
import {
  type PlanFeature,
  type PlanMaximum,
  planFeatures,
  planFieldOf,
  planMaxima,
  planOrder,
} from "./plan-table.ts";

/** A place in the rulesets of a zone. */
interface PlanPlace {
  /** RFC 6901 pointer into the zone. */
  readonly pointer: string;
  /** The part of the expression at the pointer. */
  readonly span?: Span;
  /** Ids of the ruleset and the rule. */
  readonly subject: Readonly<Record<string, string>>;
}

/** A feature that some plans lack, at the first place in a rule. */
export interface FeatureNeed extends PlanPlace {
  readonly kind: "feature";
  /** Such as "`matches`". */
  readonly name: string;
  readonly feature: PlanFeature;
}

/** More than some plans allow, at the first one above the highest of their limits. */
export interface NumberNeed {
  readonly kind: "number";
  readonly count: number;
  readonly maximum: PlanMaximum;
  /** The place of the first one that a plan does not allow. */
  readonly placeFor: (plan: ZonePlan) => PlanPlace;
}

/** A need that only some plans meet. */
export type PlanNeed = FeatureNeed | NumberNeed;

/** Rulesets with the trees of their expressions. */
export type RulesetTrees = ReadRulesets<{ readonly tree: Expression }>;

/** The plans that have what is needed, in ascending order; empty when none has. */
export function plansWith(need: PlanNeed): readonly ZonePlan[] {
  if (need.kind === "feature") return planOrder.slice(planOrder.indexOf(need.feature.from));
  return planOrder.filter((plan) => need.count <= need.maximum.max[plan]);
}

/** The needs of the rulesets of the zone; those of its account are evaluated only in zones that may have them. */
export function planNeeds(rulesets: RulesetTrees): readonly PlanNeed[] {
  return [...featuresOfRules(rulesets), ...featuresOfOthers(rulesets), ...numbersOf(rulesets)].filter(
    (need) => plansWith(need).length < planOrder.length,
  );
}

const isOfZone = ({ at }: { readonly at: string }) => at.startsWith("/rulesets/");

/** The entry point is the last, so that it has the rules above a limit when the custom rulesets have fewer. */
function ownRulesets({ entries, executable }: RulesetTrees) {
  return [...executable.values(), entries.zone].flatMap((ruleset) =>
    ruleset && isOfZone(ruleset) ? [ruleset] : [],
  );
}

function featuresOfRules(rulesets: RulesetTrees): readonly FeatureNeed[] {
  return ownRulesets(rulesets).flatMap(({ ruleset, rules }) =>
    rules.flatMap(({ rule, expression, at }) => {
      // The action of a rule that an import could not read may be another one.
      if (expression === undefined) return [];
      const subject = { ruleset: ruleset.id, rule: rule.id };
      return [
        ...featuresOfAction(rule).map(({ member, ...found }) => ({
          ...need(found),
          pointer: `${at}/${member}`,
          subject,
        })),
        ...featuresOfExpression(expression.tree, `${at}/expression`, subject),
      ];
    }),
  );
}

type Named = Pick<FeatureNeed, "name" | "feature">;

const need = ({ name, feature }: Named) => ({ kind: "feature", name, feature }) as const;

function featuresOfAction({
  action,
  action_parameters: parameters,
}: CustomRule): readonly (Named & { readonly member: string })[] {
  return [
    ...(action === "log" ? [{ name: "The action `log`", feature: planFeatures.log, member: "action" }] : []),
    ...(parameters?.response
      ? [
          {
            name: "A response of the rule",
            feature: planFeatures.response,
            member: "action_parameters/response",
          },
        ]
      : []),
  ];
}

/** Rules of phases that are not evaluated have expressions of the same language. */
function featuresOfOthers({ others }: RulesetTrees): readonly FeatureNeed[] {
  return others
    .filter(isOfZone)
    .flatMap(({ ruleset, expressions = [] }) =>
      expressions.flatMap(({ at, tree }) => featuresOfExpression(tree, at, { ruleset: ruleset.id })),
    );
}

/** Each feature of an expression once, at its first place. */
function featuresOfExpression(
  tree: Expression,
  at: string,
  subject: PlanPlace["subject"],
): readonly FeatureNeed[] {
  const found = new Map<string, FeatureNeed>();
  const add = (name: string, feature: PlanFeature, span: Span) => {
    if (!found.has(name)) found.set(name, { ...need({ name, feature }), pointer: at, span, subject });
  };
  for (const test of testsOf(tree)) {
    if (test.kind !== "comparison") continue;
    if (test.operator === "matches") add("`matches`", planFeatures.matches, test.span);
    const { right } = test;
    if (right.kind === "list" && right.name.startsWith("cf."))
      add(`The list \`$${right.name}\``, planFeatures["managed lists"], right.span);
  }
  for (const value of valuesOf(tree)) {
    if (value.kind !== "field") continue;
    const feature = planFieldOf(knownFields.get(value.name)?.base ?? value.name);
    if (feature !== undefined) add(`\`${value.name}\``, feature, value.span);
  }
  return [...found.values()];
}

function numbersOf(rulesets: RulesetTrees): readonly NumberNeed[] {
  const all = [...ownRulesets(rulesets), ...rulesets.others.filter(isOfZone)];
  return planMaxima.flatMap((maximum): NumberNeed[] => {
    const places = all
      .filter(({ ruleset: { phase } }) => maximum.phases.includes(phase))
      .flatMap((ruleset) => countedPlaces(maximum.counts, ruleset));
    const count = places.length;
    if (count === 0) return [];
    const placeFor = (plan: ZonePlan) => places[maximum.max[plan]] as PlanPlace;
    return [{ kind: "number", count, maximum, placeFor }];
  });
}

function countedPlaces(
  counts: PlanMaximum["counts"],
  { ruleset, at }: { readonly ruleset: Ruleset; readonly at: string },
): readonly PlanPlace[] {
  const { id, kind } = ruleset;
  if (counts === "custom rulesets")
    return kind === "custom" ? [{ pointer: at, subject: { ruleset: id } }] : [];
  const rules: readonly CustomRule[] = Array.isArray(ruleset.rules) ? ruleset.rules : [];
  return rules.flatMap((rule, i) =>
    counts === "enabled rules" && rule.enabled === false
      ? []
      : [{ pointer: `${at}/rules${pointer(i)}`, subject: { ruleset: id, rule: rule.id } }],
  );
}
