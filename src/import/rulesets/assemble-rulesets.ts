/** Makes the rulesets of a zone or an account from its resources. What is not known is undecided, and never left out. */

import { describePhase } from "../../engine/tokens/rulesets/input/other-rules.ts";
import { phases } from "../../engine/tokens/rulesets/input/phases.ts";
import { customPhase, rulesetKinds } from "../../engine/tokens/rulesets/model.ts";
import { quote } from "../../errors.ts";
import type { RulesetsWorld } from "../../schemas/rulesets.ts";
import type { Origin } from "../origin.ts";
import type { Resource, ResourceOf, UnknownValue } from "../reading.ts";
import { type Assembly, accept, drop, leaveOut, leaveUndecided, ofKind, runFor } from "../world/assembly.ts";
import { describeUnknown } from "../world/split-unknown.ts";

type Ruleset = ResourceOf<"ruleset">;
type Rule = Partial<RulesetsWorld[number]["rules"][number]>;

/** A ruleset of a world whose rules may be undecided. */
export interface AssembledRuleset extends Omit<Ruleset["value"], "rules"> {
  readonly rules: readonly Rule[];
}

/** The answers that a part could change, when the verdicts of its zone are undecided themselves. */
export const noAnswers = { hosts: [] } as const;

/**
 * @param at RFC 6901 pointer of the rulesets in the world
 * @param zone id of the zone; undefined for rulesets of an account, which every zone may have
 */
export function assembleRulesets(
  assembly: Assembly,
  resources: readonly Resource[],
  at: string,
  zone?: string,
): readonly AssembledRuleset[] {
  const found = ofKind(resources, "ruleset");
  const values: AssembledRuleset[] = [];
  for (const ruleset of found.filter((resource) => isKept(assembly, resource))) {
    const rules = readRules(assembly, ruleset, zone);
    if (rules === undefined) continue;
    accept(assembly, ruleset as unknown as Resource, `${at}/${values.length}`);
    values.push({ ...ruleset.value, rules });
  }
  return values;
}

/** Rulesets of kinds and phases that no world has are left out. */
function isKept(assembly: Assembly, { value, unknown = [], origin }: Ruleset): boolean {
  const { phase, kind, name } = value;
  if (unknown.some(({ pointer }) => pointer === "/phase" || pointer === "/kind")) return true;
  const isKnownKind = (rulesetKinds as readonly unknown[]).includes(kind);
  if (isKnownKind && phases.includes(String(phase))) return true;
  const what = name === undefined ? "A ruleset" : `The ruleset ${quote(name)}`;
  const reason = isKnownKind
    ? describePhase(String(phase), undefined)
    : `It has the kind ${quote(kind)}, which is not evaluated.`;
  drop(assembly, origin, `${what} is left out. ${reason}`);
  return false;
}

/** The rules, undecided where a value is unknown; undefined when the rules are not known. */
function readRules(
  assembly: Assembly,
  ruleset: Ruleset,
  zone: string | undefined,
): readonly Rule[] | undefined {
  const { value, unknown = [], origin } = ruleset;
  const whole = unknown.filter(({ pointer }) => ["/rules", "/kind", "/phase"].includes(pointer));
  if (whole.length > 0) {
    const message = `A ruleset is left out: ${describeUnknown(whole)}.`;
    leaveOut(assembly, ruleset as unknown as Resource, { about: "rule", zone, message, effect: {} });
    return undefined;
  }
  if (value.rules === undefined && value.phase !== customPhase) {
    const message = `The files do not have the rules of the ruleset ${quote(value.id ?? value.name)}.`;
    drop(assembly, origin, `${message} ${describePhase(String(value.phase), undefined)}`);
    return undefined;
  }
  if (value.rules === undefined) {
    const message = `The files do not have the rules of the ruleset ${quote(value.id ?? value.name)}.`;
    const run = `save the response of \`/rulesets/${value.id ?? "<id>"}\`, too`;
    leaveUndecided(assembly, origin, { about: "rule", zone, message, run, effect: {} });
    return undefined;
  }
  return value.rules.map((rule, i) => readRule(assembly, ruleset, rule, i, zone));
}

function readRule(
  assembly: Assembly,
  ruleset: Ruleset,
  rule: Rule,
  index: number,
  zone: string | undefined,
): Rule {
  const prefix = `/rules/${index}/`;
  const unknown = (ruleset.unknown ?? []).filter((value) => isDecisive(value, prefix));
  if (unknown.length === 0) return rule;
  const named = unknown.map((value) => ({ ...value, pointer: `/${value.pointer.slice(prefix.length)}` }));
  const reason = describeUnknown(named);
  const isKnown = unknown.every(({ pointer }) => pointer === `${prefix}expression`);
  if (rule.enabled !== false) {
    const what =
      ruleset.value.phase === customPhase
        ? "A custom rule"
        : `A rule of the phase ${quote(ruleset.value.phase)}`;
    const message = `${what} is undecided: ${reason}.`;
    const run = runFor(assembly, ruleset as unknown as Resource, unknown);
    const facts = { about: "rule", zone, message, run, effect: noAnswers } as const;
    leaveUndecided(assembly, originOf(ruleset, prefix.slice(0, -1)), facts);
  }
  return undecidedRule(rule, reason, isKnown);
}

const forPeople = ["id", "ref", "description", "logging"];

function isDecisive({ pointer }: UnknownValue, prefix: string): boolean {
  if (!pointer.startsWith(prefix)) return false;
  const [member = ""] = pointer.slice(prefix.length).split("/");
  return !forPeople.includes(member);
}

function originOf({ origin, members }: Ruleset, at: string): Origin {
  return { ...origin, pointer: origin.pointer + (members?.get(at) ?? at) };
}

/**
 * The rule with the reason that its result is unknown. When its action may be another one, it is one that blocks: no
 * verdict can then be decided without it.
 *
 * @param isKnown whether the action and its parameters are known
 */
function undecidedRule(rule: Rule, reason: string, isKnown: boolean): Rule {
  const { expression, undecided, ...known } = rule;
  if (isKnown && rule.action !== "execute") return { ...known, undecided: reason };
  const { action_parameters, logging, exposed_credential_check, ...others } = known;
  return { ...others, action: "block", undecided: reason };
}
