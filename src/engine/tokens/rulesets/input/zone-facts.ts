/** The facts of a zone that the expressions of custom rules read: its name and its plan. */

import { alternatives, type CodedDiagnostic, quote } from "../../../../errors.ts";
import { toBytes } from "../../expression/values/bytes.ts";
import { invalidValue } from "../../input-problem.ts";

/** The plans, with the values of `cf.zone.plan` (`ENT` `observed`; of the others there is weak evidence). */
export const zonePlans = { free: "FREE", pro: "PRO", business: "BIZ", enterprise: "ENT" } as const;

/** The plan of a zone. */
export type ZonePlan = keyof typeof zonePlans;

/** The values of the fields that are of the zone, as bytes; those that it does not say are unknown. */
export type ZoneFacts = Readonly<Partial<Record<"cf.zone.name" | "cf.zone.plan", string>>>;

/** Of a zone that says nothing. */
export const noFacts: ZoneFacts = {};

/** The facts, and what is wrong with them. */
export interface ZoneFactsReading {
  readonly facts: ZoneFacts;
  /** Undefined when it is not known. */
  readonly plan: ZonePlan | undefined;
  readonly problems: readonly CodedDiagnostic[];
}

/** Reads the members of any type. */
export function readZoneFacts({
  name,
  plan,
}: {
  readonly name?: unknown;
  readonly plan?: unknown;
}): ZoneFactsReading {
  const problems: CodedDiagnostic[] = [];
  const isName = typeof name === "string" && name !== "";
  if (name !== undefined && !isName)
    problems.push(invalidValue("/name", "`name`", "the domain of the zone, such as `example.com`", name));
  const isPlan = typeof plan === "string" && Object.hasOwn(zonePlans, plan);
  if (plan !== undefined && !isPlan)
    problems.push(invalidValue("/plan", "`plan`", alternatives(Object.keys(zonePlans).map(quote)), plan));
  return {
    facts: {
      ...(isName && { "cf.zone.name": toBytes(name.toLowerCase()) }),
      ...(isPlan && { "cf.zone.plan": zonePlans[plan as ZonePlan] }),
    },
    plan: isPlan ? (plan as ZonePlan) : undefined,
    problems,
  };
}
