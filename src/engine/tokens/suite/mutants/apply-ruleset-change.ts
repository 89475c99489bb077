/** The custom rules of a zone after a change of one of them, or of a list. */

import { type CompiledCustom, compileCustom } from "../../expression/compile.ts";
import { createProgram, type Program } from "../../expression/compile-value.ts";
import { printTree } from "../../expression/printer.ts";
import type { Expression } from "../../expression/tree.ts";
import type { ReadCustomRule, ReadRuleset } from "../../rulesets/input/read-rulesets.ts";
import type { ReadCustomRules } from "../../zone/zone-input.ts";
import type { ListEdit } from "./list-mutants.ts";
import type { CustomEdit } from "./ruleset-mutants.ts";

/** A change of one rule of the ruleset with an id. */
export type CustomChange = CustomEdit & { readonly ruleset: string };

/** Applies a change of a rule. Its expression shares what the others read of a request. */
export function applyCustomChange(custom: ReadCustomRules, change: CustomChange): ReadCustomRules {
  return withRulesets(custom, custom.program, (read) =>
    read.ruleset.id === change.ruleset
      ? { ...read, rules: applyEdit(custom.program, read.rules, change) }
      : read,
  );
}

function applyEdit(
  program: Program,
  rules: readonly ReadCustomRule<CompiledCustom>[],
  edit: CustomEdit,
): readonly ReadCustomRule<CompiledCustom>[] {
  const own = rules[edit.index];
  if (own === undefined) return rules;
  if (edit.edit === "swap") return rules.toSpliced(edit.index, 1).toSpliced(edit.index + 1, 0, own);
  const { rule, tree } = edit;
  if (tree === undefined) return rules.with(edit.index, { ...own, rule });
  const text = printTree(tree);
  const changed = { ...own, rule: { ...rule, expression: text }, expression: compile(program, tree, text) };
  return rules.with(edit.index, changed);
}

/** Applies a change of a list. The rules that name it are compiled again. */
export function applyListChange(custom: ReadCustomRules, { name, changed }: ListEdit): ReadCustomRules {
  const { lists } = custom.program;
  const program = createProgram({ ...custom.program, lists: new Map(lists).set(name, changed()) });
  return withRulesets(custom, program, (read) => ({
    ...read,
    rules: read.rules.map((rule) => {
      const { expression } = rule;
      return { ...rule, expression: expression && compile(program, expression.tree, expression.text) };
    }),
  }));
}

function compile(program: Program, tree: Expression, text: string): CompiledCustom {
  const result = compileCustom(program, text, tree);
  if (!result.ok) throw new RangeError(result.problems[0].message);
  return result.value;
}

function withRulesets(
  { rulesets }: ReadCustomRules,
  program: Program,
  change: (read: ReadRuleset<CompiledCustom>) => ReadRuleset<CompiledCustom>,
): ReadCustomRules {
  const { entries, executable } = rulesets;
  return {
    program,
    rulesets: {
      ...rulesets,
      entries: {
        ...(entries.account && { account: change(entries.account) }),
        ...(entries.zone && { zone: change(entries.zone) }),
      },
      executable: new Map([...executable].map(([id, ruleset]) => [id, change(ruleset)])),
    },
  };
}
