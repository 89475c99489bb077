/** Changes of custom rules beside their expressions: one function a kind. */

import { quote } from "../../../../errors.ts";
import type { CompiledCustom } from "../../expression/compile.ts";
import type { Expression, Test } from "../../expression/tree.ts";
import type { ReadCustomRule, ReadRuleset } from "../../rulesets/input/read-rulesets.ts";
import type { ActionParameters, CustomAction, CustomRule } from "../../rulesets/model.ts";
import { skippedIds } from "../../rulesets/skip-targets.ts";

/** A leaf of an expression, and what takes its place. */
export interface ChangedLeaf {
  readonly before: Test;
  readonly after: Expression;
}

/** A change of one rule of a ruleset. */
export type CustomEdit =
  | {
      readonly edit: "replace";
      readonly index: number;
      readonly rule: CustomRule;
      /** The new expression; absent when it is the same. */
      readonly tree?: Expression;
      /** Present when one leaf of the expression is changed. */
      readonly leaf?: ChangedLeaf;
    }
  | { readonly edit: "swap"; readonly index: number };

/** A change before it belongs to a mutant. */
export interface DescribedEdit {
  readonly change: CustomEdit;
  /** Pointer into the rule, such as `/action`. */
  readonly at: string;
  /** In one clause. */
  readonly description: string;
}

/** Where a rule is. */
export interface RulesetContext {
  readonly ruleset: ReadRuleset<CompiledCustom>;
  /** The ids of the rulesets that can be executed. */
  readonly executable: readonly string[];
}

/** Changes of the rule at a position. */
export type RulesetChanges = (
  rule: ReadCustomRule<CompiledCustom>,
  index: number,
  context: RulesetContext,
) => readonly DescribedEdit[];

/** The actions in whose place each is tried. */
const otherActions: { readonly [A in CustomAction]: readonly CustomAction[] } = {
  block: ["log", "managed_challenge"],
  challenge: ["log", "block"],
  js_challenge: ["log", "block"],
  managed_challenge: ["log", "block"],
  log: ["block"],
  skip: ["log"],
  // A disabled rule executes nothing.
  execute: [],
  rewrite: [],
};

/** Other actions. */
export const customActionChanges: RulesetChanges = ({ rule }, index) =>
  otherActions[rule.action].map((action) => {
    const { action_parameters: _, logging: __, ...others } = rule;
    return {
      change: { edit: "replace", index, rule: { ...others, action } },
      at: "/action",
      description: `the action \`${rule.action}\` becomes \`${action}\``,
    };
  });

/** The rule is disabled, or enabled. */
export const customEnabledChanges: RulesetChanges = ({ rule }, index) => {
  const { enabled = true } = rule;
  return [
    {
      change: { edit: "replace", index, rule: { ...rule, enabled: !enabled } },
      at: rule.enabled === undefined ? "" : "/enabled",
      description: enabled ? "the rule is disabled" : "the rule is enabled",
    },
  ];
};

/** The rule after the next one. */
export const customOrderChanges: RulesetChanges = (_, index, { ruleset }) => {
  if (ruleset.rules[index + 1] === undefined) return [];
  return [{ change: { edit: "swap", index }, at: "", description: "the rule comes after the next one" }];
};

/** Other targets of `skip` and `execute`, and the default response of `block`. */
export const customTargetChanges: RulesetChanges = ({ rule, at }, index, { executable }) => {
  const { action_parameters: parameters = {} } = rule;
  const targets =
    rule.action === "skip"
      ? otherSkips(parameters, at.startsWith("/account_rulesets"))
      : rule.action === "execute"
        ? executable
            .filter((id) => id !== parameters.id)
            .map((id) => ({ parameters: { ...parameters, id }, description: `executes ${quote(id)}` }))
        : parameters.response === undefined
          ? []
          : [{ parameters: {}, description: "blocks with the default response" }];
  return targets.map(({ parameters: changed, description }) => ({
    change: { edit: "replace", index, rule: { ...rule, action_parameters: changed } },
    at: "/action_parameters",
    description: `the rule ${description}`,
  }));
};

interface Target {
  readonly parameters: ActionParameters;
  readonly description: string;
}

/** The lists of a `skip`, and what an element is. */
const skippedLists = { phases: "phase", products: "product", rulesets: "ruleset" } as const;

/** @param isOfAccount whether the rule is one of an account, which cannot skip the rest of the phase */
function otherSkips(parameters: ActionParameters, isOfAccount: boolean): Target[] {
  const { ruleset, phase, rules = {} } = parameters;
  const { ruleset: _, ...withoutRuleset } = parameters;
  const { phase: __, products: ___, ...withoutPhase } = parameters;
  return [
    ...(ruleset === undefined || isOfAccount
      ? []
      : [
          {
            parameters: { ...withoutRuleset, phase: "current" as const },
            description: "skips the rest of the phase at its level",
          },
        ]),
    ...(phase === undefined
      ? []
      : [
          {
            parameters: { ...withoutPhase, ruleset: "current" as const },
            description: "skips the rest of its ruleset",
          },
        ]),
    ...Object.entries(skippedLists).flatMap(([member, noun]) => {
      const list = parameters[member as keyof typeof skippedLists] ?? [];
      return list.map((name, i) => ({
        parameters: { ...parameters, [member]: list.toSpliced(i, 1) },
        description: `no longer skips the ${noun} ${quote(name)}`,
      }));
    }),
    ...Object.entries(rules).flatMap(([id, given]) => {
      const list = skippedIds(given);
      return list.map((rule, i) => ({
        parameters: { ...parameters, rules: { ...rules, [id]: list.toSpliced(i, 1) } },
        description: `no longer skips the rule ${quote(rule)}`,
      }));
    }),
  ];
}
