/** Decisions whose rules have names instead of ids, for expectations that stay valid when the service gives other ids. */

import type { Decision } from "../verdict/decision.ts";
import type { CustomEffect } from "../verdict/effect.ts";
import type { Outcome } from "../verdict/verdict.ts";
import type { Found, Names, PartNames, RuleName, RulesetName } from "./part-names.ts";

/** An effect of custom rules whose rules and rulesets have ids or names. */
export interface NamedEffect extends Omit<CustomEffect, "skipped" | "logged" | "undecided"> {
  /** The parts of later phases that `skip` leaves out. */
  readonly skipped?:
    | (Omit<NonNullable<CustomEffect["skipped"]>, "rulesets" | "rules"> & {
        readonly rulesets?: readonly (string | RulesetName)[] | undefined;
        readonly rules?: readonly (string | RuleName)[] | undefined;
      })
    | undefined;
  /** The rules that are recorded. */
  readonly logged?: readonly (string | RuleName)[] | undefined;
  /** The rules that may act or not. */
  readonly undecided?: readonly (string | RuleName)[] | undefined;
}

/** A decision whose rules have ids or names. */
export interface NamedDecision extends Omit<Decision, "rule" | "logged" | "custom" | "outcome"> {
  /** The reason for the action. */
  readonly outcome?: Outcome | undefined;
  /** The rule that decided. */
  readonly rule?: string | RuleName | undefined;
  /** The token rules with `log` that fired, in order. */
  readonly logged: readonly (string | RuleName)[];
  /** The effect of custom rules. */
  readonly custom?: NamedEffect | undefined;
}

/** Translates the id or the name of a part. */
type Translate = <N>(names: Names<N>, name: string | N) => string | N;

/** The decision with names in the place of ids, where one is unique. */
export function nameDecision(names: PartNames, decision: NamedDecision): NamedDecision {
  return translate(names, decision, (of, name) => (typeof name === "string" ? of.nameOf(name) : name));
}

/** A decision with ids, or why a name in it is not that of one part. */
export type ResolvedDecision =
  | { readonly decision: Decision }
  | { readonly problems: readonly [string, ...string[]] };

/** The decision with ids in the place of names. */
export function resolveDecision(names: PartNames, decision: NamedDecision): ResolvedDecision {
  const problems: string[] = [];
  const resolved = translate(names, decision, (of, name) => idOf(of.find(name), problems));
  const [first, ...rest] = problems;
  return first === undefined ? { decision: resolved as Decision } : { problems: [first, ...rest] };
}

function idOf(found: Found, problems: string[]): string {
  if ("id" in found) return found.id;
  problems.push(found.problem);
  return "";
}

/** Lists of an effect are sorted by what is in them. */
function translate(names: PartNames, decision: NamedDecision, translateName: Translate): NamedDecision {
  const { rule, logged, custom, ...rest } = decision;
  return {
    ...rest,
    ...(rule !== undefined && { rule: translateName(names.rules, rule) }),
    logged: logged.map((each) => translateName(names.tokenRules, each)),
    ...(custom && { custom: translateEffect(names, custom, translateName) }),
  };
}

function translateEffect(names: PartNames, effect: NamedEffect, translateName: Translate): NamedEffect {
  const { skipped, logged, undecided, ...rest } = effect;
  const all = <N>(of: Names<N>, list: readonly (string | N)[]) =>
    sorted(list.map((each) => translateName(of, each)));
  return {
    ...rest,
    ...(skipped && {
      skipped: {
        ...skipped,
        ...(skipped.rulesets && { rulesets: all(names.rulesets, skipped.rulesets) }),
        ...(skipped.rules && { rules: all(names.customPaths, skipped.rules) }),
      },
    }),
    ...(logged && { logged: all(names.customRules, logged) }),
    ...(undecided && { undecided: all(names.customRules, undecided) }),
  };
}

function sorted<T>(list: readonly T[]): readonly T[] {
  const keyed = list.map((item) => ({ item, key: typeof item === "string" ? item : JSON.stringify(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
