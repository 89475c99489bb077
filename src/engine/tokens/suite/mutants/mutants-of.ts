/** All mutants of a zone, in the order of its rules, operations, configurations, custom rules and lists. */

import { addTo } from "../../../../core/groups.ts";
import { maskText } from "../../../../core/text/secrets.ts";
import { pointer, quote, quoteChange } from "../../../../errors.ts";
import type { CompiledCustom } from "../../expression/compile.ts";
import { expressionLimits } from "../../expression/grammar.ts";
import { parseExpression } from "../../expression/parser.ts";
import { printTree } from "../../expression/printer.ts";
import type { Expression } from "../../expression/tree.ts";
import { listsOf } from "../../expression/tree-queries.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import type { ReadCustomRule, ReadRuleset } from "../../rulesets/input/read-rulesets.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { hostsOf, type ZoneClass } from "../zone-classes.ts";
import { entriesOf, type MutantKind } from "./catalogue.ts";
import type { RuleEdit } from "./change.ts";
import { knownNamesOf } from "./known-names.ts";
import type { Mutant } from "./mutant.ts";
import { routeKey } from "./operation-mutants.ts";
import type { ExpressionContext, PartChanges } from "./part-changes.ts";
import type { RuleContext } from "./rule-mutants.ts";
import type { ChangedLeaf, RulesetContext } from "./ruleset-mutants.ts";

/** The maximum distance of two rules that are exchanged, among those that apply to the same requests (`chosen`). */
const maxOrderDistance = 12;

/** The mutants of a zone. `classes` are those of the zone. */
export function mutantsOf(zone: ReadZone, classes: readonly ZoneClass[]): Mutant[] {
  return [
    ...ruleMutants(zone, classes),
    ...operationMutants(zone),
    ...configMutants(zone),
    ...customMutants(zone),
  ];
}

function ruleMutants(zone: ReadZone, classes: readonly ZoneClass[]): Mutant[] {
  const context = ruleContext(zone, classes);
  const trees = zone.rules.map(({ expression }) => expression);
  const known = knownNamesOf(zone, trees, context.hosts);
  const expressionsOf = createExpressionChanges({ rules: "token", configs: zone.configs, known });
  const entries = entriesOf("rule");
  return zone.rules.flatMap((read, index) => {
    const at = pointer("rules", index);
    const rule = read.rule.id;
    const changed = entries.flatMap(([kind, create]) =>
      create(read, index, context).map(
        ({ change, at: part, description }): Mutant => ({
          kind,
          rule,
          pointer: at + part,
          description,
          change: { part: "rule", ...change },
        }),
      ),
    );
    const expressions = expressionsOf(read.expression).map(
      ({ kind, description, expression, text }): Mutant => {
        const edit: RuleEdit = {
          edit: "replace",
          index,
          changed: { ...read, rule: { ...read.rule, expression: text }, expression },
        };
        return { kind, rule, pointer: `${at}/expression`, description, change: { part: "rule", ...edit } };
      },
    );
    return [...changed, ...expressions];
  });
}

function ruleContext(zone: ReadZone, classes: readonly ZoneClass[]): RuleContext {
  const byHost = new Map<string, string[]>();
  for (const { hosts, operation } of classes) {
    if (operation === undefined) continue;
    for (const host of new Set([operation.host, ...(hosts.host === undefined ? [] : [hosts.host])]))
      addTo(byHost, host, operation.operation.operation_id);
  }
  const near = nearRules(zone.rules, classes);
  return {
    zone,
    hosts: hostsOf(zone),
    operationsOf: ({ hosts }) => [...new Set(hosts.flatMap((host) => byHost.get(host) ?? []))],
    nearRules: (index) => [...(near.get(index) ?? [])],
  };
}

/** The next and the previous enabled rules of each rule in the lists of rules that cover some class. */
function nearRules(
  rules: readonly ReadRule[],
  classes: readonly ZoneClass[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const positions = new Map(rules.map((rule, i) => [rule, i]));
  const near = new Map<number, Set<number>>();
  const seen = new Set<string>();
  for (const { rules: covering } of classes) {
    const list = covering.filter(({ rule }) => rule.enabled).flatMap((rule) => positions.get(rule) ?? []);
    if (seen.has(list.join()) || seen.add(list.join()) === undefined) continue;
    for (const [i, index] of list.entries()) {
      const found = near.get(index) ?? new Set();
      near.set(index, found);
      const from = Math.max(0, i - maxOrderDistance);
      for (const other of list.slice(from, i + 1 + maxOrderDistance)) if (other !== index) found.add(other);
    }
  }
  return near;
}

/** A changed expression. */
interface ExpressionChange {
  readonly kind: MutantKind;
  readonly description: string;
  readonly expression: Expression;
  readonly text: string;
  readonly leaf?: ChangedLeaf;
}

/** Creates the changes of expressions; equal expressions share theirs. */
function createExpressionChanges(
  context: ExpressionContext,
): (expression: Expression) => readonly ExpressionChange[] {
  const known = new Map<string, readonly ExpressionChange[]>();
  return (expression) => {
    const text = printTree(expression);
    const changes = known.get(text) ?? expressionChanges(expression, text, context);
    known.set(text, changes);
    return changes;
  };
}

/** Every change of one part, without those that are invalid or exceed a limit. Equal results count once. */
function expressionChanges(
  expression: Expression,
  original: string,
  context: ExpressionContext,
): readonly ExpressionChange[] {
  const changes = new Map<string, ExpressionChange>();
  for (const [kind, create] of entriesOf("expression")) {
    for (const { description, tree, leaf } of changedParts(expression, create, context)) {
      const text = printTree(tree);
      if (text === original || changes.has(text) || text.length > expressionLimits.maxLength) continue;
      const parsed = parseExpression(leaf === undefined ? text : printTree(leaf.after), {
        rules: context.rules,
      });
      if (parsed.ok) changes.set(text, { kind, description, expression: tree, text, ...(leaf && { leaf }) });
    }
  }
  return [...changes.values()];
}

/** An expression with a changed part. */
interface ChangedTree {
  readonly description: string;
  readonly tree: Expression;
  /** Undefined when a combination or a negation is changed. */
  readonly leaf?: ChangedLeaf;
}

/** The changes of a node and of each node below it. */
function changedParts(
  node: Expression,
  create: PartChanges,
  context: ExpressionContext,
): readonly ChangedTree[] {
  const own = create(node, context).map(
    ({ changed, description }): ChangedTree => ({
      tree: changed,
      // Masked before it is cut: the name of the secret is in the part that is left out.
      description: description ?? quoteChange(maskText(printTree(node)), maskText(printTree(changed))),
      ...(node.kind !== "combination" && node.kind !== "not" && { leaf: { before: node, after: changed } }),
    }),
  );
  const within = (operand: Expression, rebuild: (changed: Expression) => Expression) =>
    changedParts(operand, create, context).map((part) => ({ ...part, tree: rebuild(part.tree) }));
  switch (node.kind) {
    case "not":
      return [...own, ...within(node.operand, (operand) => ({ ...node, operand }))];
    case "quantified": {
      const inner = within(node.operand, (operand) => ({ ...node, operand }));
      return [...own, ...inner.map((change) => ({ ...change, leaf: { before: node, after: change.tree } }))];
    }
    case "combination": {
      const { operands } = node;
      const inner = operands.flatMap((operand, i) =>
        within(operand, (changed) => ({ ...node, operands: operands.with(i, changed) })),
      );
      return [...own, ...inner];
    }
    default:
      return own;
  }
}

/** The mutants of custom rules, ruleset by ruleset in the order of evaluation, and those of the lists that they name. */
function customMutants(zone: ReadZone): Mutant[] {
  if (zone.custom === undefined) return [];
  const { rulesets: read, program } = zone.custom;
  const rulesets = evaluatedRulesets(read);
  const trees = rulesets.flatMap(({ rules }) => rules.flatMap(({ expression }) => expression?.tree ?? []));
  const known = knownNamesOf(zone, trees, hostsOf(zone));
  const expressionsOf = createExpressionChanges({ rules: "custom", configs: zone.configs, known });
  const executable = [...read.executable.keys()];
  const used = new Set(trees.flatMap(listsOf));
  const lists = [...program.lists].filter(([name]) => used.has(name));
  return [
    ...rulesets.flatMap((ruleset) =>
      ruleset.rules.flatMap((rule, index) =>
        rulesetMutants(rule, index, { ruleset, executable }, expressionsOf),
      ),
    ),
    ...lists.flatMap(([name, list]) => listMutants(name, list, [...program.lists.values()])),
  ];
}

function rulesetMutants(
  read: ReadCustomRule<CompiledCustom>,
  index: number,
  context: RulesetContext,
  expressionsOf: (expression: Expression) => readonly ExpressionChange[],
): Mutant[] {
  const { rule, at, expression } = read;
  const ruleset = context.ruleset.ruleset.id;
  const about = { rule: rule.id, ruleset };
  const edits = entriesOf("custom rule").flatMap(([kind, create]) =>
    create(read, index, context).map(({ change, at: part, description }): Mutant => {
      const of = { part: "custom rule", ruleset, ...change } as const;
      return { ...about, kind, pointer: at + part, description, change: of };
    }),
  );
  const changes = expression === undefined ? [] : expressionsOf(expression.tree);
  const expressions = changes.map(({ kind, description, expression: tree, leaf }): Mutant => {
    const edit = { edit: "replace", index, rule, tree, ...(leaf && { leaf }) } as const;
    const change = { part: "custom rule", ruleset, ...edit } as const;
    return { ...about, kind, pointer: `${at}/expression`, description, change };
  });
  return [...edits, ...expressions];
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

function listMutants(name: string, list: CompiledList, all: readonly CompiledList[]): Mutant[] {
  const others = all.filter((other) => other !== list && other.kind === list.kind);
  return entriesOf("list").flatMap(([kind, create]) =>
    create(list, others).map(
      ({ edit, description }): Mutant => ({
        kind,
        list: name,
        pointer: `${pointer("lists", name)}/items`,
        description: `${quote(`$${name}`)}: ${description}`,
        change: { part: "list", name, ...edit },
      }),
    ),
  );
}

function operationMutants({ operations = [] }: ReadZone): Mutant[] {
  const used = new Set(operations.map(routeKey));
  const methods = [...new Set(operations.map(({ method }) => method))];
  const context = {
    methods,
    isFree: (operation: (typeof operations)[number]) => !used.has(routeKey(operation)),
  };
  return operations.flatMap((read, index) =>
    entriesOf("operation").flatMap(([kind, create]) =>
      create(read, context).map(
        ({ change, at, description }): Mutant => ({
          kind,
          operation: read.operation.operation_id,
          pointer: pointer("operations", index) + at,
          description,
          change: { part: "operation", index, changed: change },
        }),
      ),
    ),
  );
}

function configMutants(zone: ReadZone): Mutant[] {
  return zone.configs.flatMap((read, index) =>
    entriesOf("config").flatMap(([kind, create]) =>
      create(read, zone).map(
        ({ change, at, description }): Mutant => ({
          kind,
          config: read.id,
          pointer: pointer("configs", index) + at,
          description,
          change: { part: "config", index, changed: change },
        }),
      ),
    ),
  );
}
