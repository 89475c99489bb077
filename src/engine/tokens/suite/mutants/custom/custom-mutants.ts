/** All mutants of the custom rules of a zone that can be evaluated. */

import { quote } from "../../../../../errors.ts";
import type { CompiledCustom } from "../../../expression/custom/compile.ts";
import { parseCustomExpression } from "../../../expression/custom/parse.ts";
import { printCustomExpression } from "../../../expression/custom/print.ts";
import type { CustomExpression } from "../../../expression/custom/tree.ts";
import { toBytes } from "../../../expression/custom/values/bytes.ts";
import type { ReadRuleset } from "../../../rulesets/input/read-rulesets.ts";
import type { ReadZone } from "../../../zone/zone-input.ts";
import { entriesOf, type MutantKind } from "../catalogue.ts";
import type { Mutant } from "../mutant.ts";
import { changedTrees, claimNamesOf, type TreeContext } from "./tree-changes.ts";

/** The mutants, ruleset by ruleset in the order of evaluation. */
export function customMutants({ custom, configs }: ReadZone): Mutant[] {
  if (custom === undefined) return [];
  const rulesets = evaluatedRulesets(custom.rulesets);
  const trees = rulesets.flatMap(({ rules }) => rules.flatMap(({ expression }) => expression?.tree ?? []));
  const context: TreeContext = {
    claimNames: [...new Set(trees.flatMap(claimNamesOf))],
    configIds: configs.map(({ id }) => toBytes(id)),
  };
  const executable = [...custom.rulesets.executable.keys()];
  return rulesets.flatMap((ruleset) =>
    ruleset.rules.flatMap((read, index) => {
      const about = { rule: read.rule.id, ruleset: ruleset.ruleset.id };
      const edits = entriesOf("custom rule").flatMap(([kind, create]) =>
        create(read, index, { ruleset, executable }).map((one): Mutant => {
          const { change, at, description } = one;
          return {
            ...about,
            kind,
            pointer: read.at + at,
            description,
            change: { part: "custom rule", ruleset: about.ruleset, ...change },
          };
        }),
      );
      const { expression } = read;
      if (expression === undefined) return edits;
      const expressions = changedExpressions(expression.tree, context).map(
        ({ kind, description, tree, text }): Mutant => ({
          ...about,
          kind,
          pointer: `${read.at}/expression`,
          description,
          change: {
            part: "custom rule",
            ruleset: about.ruleset,
            edit: "replace",
            index,
            rule: { ...read.rule, expression: text },
            tree,
          },
        }),
      );
      return [...edits, ...expressions];
    }),
  );
}

/** The entry points, each before the rulesets that it executes. */
function evaluatedRulesets({
  entries,
  executable,
}: NonNullable<ReadZone["custom"]>["rulesets"]): readonly ReadRuleset<CompiledCustom>[] {
  const found = new Set<ReadRuleset<CompiledCustom>>();
  for (const entry of [entries.account, entries.zone]) {
    if (entry === undefined) continue;
    found.add(entry);
    for (const { rule } of entry.rules) {
      const executed = rule.action === "execute" && executable.get(rule.action_parameters?.id ?? "");
      if (executed) found.add(executed);
    }
  }
  return [...found];
}

interface TreeChange {
  readonly kind: MutantKind;
  readonly description: string;
  readonly tree: CustomExpression;
  readonly text: string;
}

/** Every change of one part, without those that are not a valid expression. Equal results count once. */
function changedExpressions(tree: CustomExpression, context: TreeContext): readonly TreeChange[] {
  const original = printCustomExpression(tree);
  const changes = new Map<string, TreeChange>();
  for (const [kind, create] of entriesOf("custom expression")) {
    for (const { tree: changed, before, after } of changedTrees(tree, create, context)) {
      const text = printCustomExpression(changed);
      if (text === original || changes.has(text)) continue;
      const parsed = parseCustomExpression(text);
      if (!parsed.ok) continue;
      const [from, to] = [before, after].map((one) => quote(printCustomExpression(one)));
      changes.set(text, { kind, description: `${from} becomes ${to}`, tree: parsed.value, text });
    }
  }
  return [...changes.values()];
}
