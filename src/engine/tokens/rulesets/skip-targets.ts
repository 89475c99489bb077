/** The steps and names that a `skip` skips. */

import type { ActionParameters } from "./model.ts";
import type { Program, Step } from "./program.ts";

/** The kinds of what a `skip` can leave out of later phases. */
export const skipKinds = ["phases", "products", "rulesets", "rules"] as const;

/** A kind of what a `skip` leaves out of later phases. */
export type SkipKind = (typeof skipKinds)[number];

/** The effect of a `skip`. */
export interface SkipEffect {
  /** The first step that is evaluated again. */
  readonly to: number;
  /** Later steps that are skipped: rules, and the `execute` rules of rulesets. */
  readonly steps: readonly number[];
  /** The parts of later phases that it leaves out: each a kind, a space and a name. */
  readonly later: readonly string[];
}

/** The effect of the `skip` at a step. Rulesets that are not of this phase are of a later one. */
export function skipEffect<E>({ steps, places, rulesets: own }: Program<E>, at: number): SkipEffect {
  const { rule, rulesetEnd, levelEnd } = steps[at] as Step<E>;
  const parameters = rule.action_parameters ?? {};
  const { ruleset, phase, phases = [], products = [], rulesets = [], rules = {} } = parameters;
  const to = phase === "current" ? levelEnd : ruleset === "current" ? rulesetEnd : at + 1;
  const executed = new Set(rulesets);
  const named = skippedRules(rules);
  const skipped = [
    ...named.flatMap(([ruleset, id]) => places.get(ruleset)?.get(id) ?? []),
    ...(executed.size === 0
      ? []
      : [...steps.keys()].filter((i) => executed.has(executedId(steps[i] as Step<E>) ?? ""))),
  ];
  const later: Readonly<Record<SkipKind, readonly string[]>> = {
    phases,
    products,
    rulesets: rulesets.filter((id) => !own.has(id)),
    rules: named.filter(([id]) => !own.has(id)).map((names) => names.join("/")),
  };
  return {
    to,
    steps: skipped.filter((step) => step > at),
    later: skipKinds.flatMap((kind) => later[kind].map((name) => `${kind} ${name}`)),
  };
}

/** The names of what is left out of later phases, by kind. */
export function skippedByKind(later: readonly string[]): Readonly<Record<SkipKind, readonly string[]>> {
  const namesOf = (kind: SkipKind) =>
    later.filter((target) => target.startsWith(`${kind} `)).map((target) => target.slice(kind.length + 1));
  return {
    phases: namesOf("phases"),
    products: namesOf("products"),
    rulesets: namesOf("rulesets"),
    rules: namesOf("rules"),
  };
}

function executedId({ rule }: Step<unknown>): string | undefined {
  return rule.action === "execute" ? rule.action_parameters?.id : undefined;
}

function skippedRules(rules: NonNullable<ActionParameters["rules"]>): (readonly [string, string])[] {
  return Object.entries(rules).flatMap(([ruleset, ids]) =>
    skippedIds(ids).map((id) => [ruleset, id] as const),
  );
}

/** The ids of rules that a `skip` names: an array, or a string with commas and optional spaces. */
export function skippedIds(ids: string | readonly string[]): readonly string[] {
  if (typeof ids !== "string") return ids;
  const list = ids.split(",").map((id) => id.trim());
  return list.filter((id) => id !== "");
}
