/** The custom rules of a zone after a change of one of them. */

import { type CompiledCustom, compileCustom } from "../../../expression/custom/compile.ts";
import { createProgram } from "../../../expression/custom/compile-value.ts";
import { printCustomExpression } from "../../../expression/custom/print.ts";
import type { CustomExpression } from "../../../expression/custom/tree.ts";
import type { ReadCustomRule, ReadRuleset } from "../../../rulesets/input/read-rulesets.ts";
import type { ReadCustomRules } from "../../../zone/zone-input.ts";
import type { CustomEdit } from "./ruleset-changes.ts";

/** A change of one rule of the ruleset with an id. */
export type CustomChange = CustomEdit & { readonly ruleset: string };

/** Applies a change. All expressions are compiled again, as they share what they read of a request. */
export function applyCustomChange(custom: ReadCustomRules, change: CustomChange): ReadCustomRules {
  const { configurations, lists } = custom.program;
  const program = createProgram({ configurations, lists });
  const compiled = new Map<CustomExpression, CompiledCustom>();

  function compile(tree: CustomExpression): CompiledCustom {
    const known = compiled.get(tree);
    if (known !== undefined) return known;
    const result = compileCustom(program, printCustomExpression(tree), tree);
    if (!result.ok) throw new RangeError(result.problems[0].message);
    compiled.set(tree, result.value);
    return result.value;
  }

  function changedRules(read: ReadRuleset<CompiledCustom>): ReadRuleset<CompiledCustom> {
    const rules = read.ruleset.id === change.ruleset ? applyEdit(read.rules, change) : read.rules;
    return {
      ...read,
      rules: rules.map((one) => ({ ...one, expression: one.expression && compile(one.expression.tree) })),
    };
  }

  function applyEdit(
    rules: readonly ReadCustomRule<CompiledCustom>[],
    edit: CustomEdit,
  ): readonly ReadCustomRule<CompiledCustom>[] {
    const own = rules[edit.index];
    if (own === undefined) return rules;
    if (edit.edit === "swap") return rules.toSpliced(edit.index, 1).toSpliced(edit.index + 1, 0, own);
    const expression = edit.tree === undefined ? own.expression : compile(edit.tree);
    return rules.with(edit.index, { ...own, rule: edit.rule, expression });
  }

  const { entries, executable } = custom.rulesets;
  return {
    program,
    rulesets: {
      ...custom.rulesets,
      entries: {
        ...(entries.account && { account: changedRules(entries.account) }),
        ...(entries.zone && { zone: changedRules(entries.zone) }),
      },
      executable: new Map([...executable].map(([id, one]) => [id, changedRules(one)])),
    },
  };
}
