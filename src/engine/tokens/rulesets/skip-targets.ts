/** The steps and names that a `skip` skips. */

import type { ActionParameters } from "./model.ts";
import type { Program, Step } from "./program.ts";

/** The effect of a `skip`. */
export interface SkipEffect {
  /** The first step that is evaluated again. */
  readonly to: number;
  /** Later steps that are skipped: rules, and the `execute` rules of rulesets. */
  readonly steps: readonly number[];
  readonly phases: readonly string[];
  readonly products: readonly string[];
}

/** The effect of the `skip` at a step. */
export function skipEffect<E>({ steps, places }: Program<E>, at: number): SkipEffect {
  const { rule, rulesetEnd, levelEnd } = steps[at] as Step<E>;
  const parameters = rule.action_parameters ?? {};
  const { ruleset, phase, phases = [], products = [], rulesets = [], rules = {} } = parameters;
  const to = phase === "current" ? levelEnd : ruleset === "current" ? rulesetEnd : at + 1;
  const executed = new Set(rulesets);
  const skipped = [
    ...skippedRules(rules).flatMap(([ruleset, id]) => places.get(ruleset)?.get(id) ?? []),
    ...(executed.size === 0
      ? []
      : [...steps.keys()].filter((i) => executed.has(executedId(steps[i] as Step<E>) ?? ""))),
  ];
  return { to, steps: skipped.filter((step) => step > at), phases, products };
}

function executedId({ rule }: Step<unknown>): string | undefined {
  return rule.action === "execute" ? rule.action_parameters?.id : undefined;
}

function skippedRules(rules: NonNullable<ActionParameters["rules"]>): (readonly [string, string])[] {
  return Object.entries(rules).flatMap(([ruleset, ids]) => {
    const list = typeof ids === "string" ? ids.split(",").map((id) => id.trim()) : ids;
    return list.map((id) => [ruleset, id] as const);
  });
}
