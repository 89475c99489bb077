/** All mutants of a zone, in the order of its rules, operations, configurations and custom rules. */

import { pointer, quote } from "../../../../errors.ts";
import type { Expression } from "../../expression/ast.ts";
import { parseExpression } from "../../expression/parser.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import type { ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { hostsOf, type ZoneClass } from "../zone-classes.ts";
import { entriesOf, type MutantKind } from "./catalogue.ts";
import type { RuleEdit } from "./change.ts";
import { customMutants } from "./custom/custom-mutants.ts";
import { type ExpressionContext, knownOf, type PartChanges } from "./expression-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { routeKey } from "./operation-mutants.ts";
import type { RuleContext } from "./rule-mutants.ts";

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
  const expressionsOf = createExpressionChanges(zone, context.hosts);
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
    const expressions = expressionsOf(read).map(({ kind, description, expression, text }): Mutant => {
      const edit: RuleEdit = {
        edit: "replace",
        index,
        changed: { ...read, rule: { ...read.rule, expression: text }, expression },
      };
      return { kind, rule, pointer: `${at}/expression`, description, change: { part: "rule", ...edit } };
    });
    return [...changed, ...expressions];
  });
}

function ruleContext(zone: ReadZone, classes: readonly ZoneClass[]): RuleContext {
  const byHost = new Map<string, string[]>();
  for (const { hosts, operation } of classes) {
    if (operation === undefined) continue;
    for (const host of new Set([operation.host, ...(hosts.host === undefined ? [] : [hosts.host])]))
      byHost.set(host, [...(byHost.get(host) ?? []), operation.operation.operation_id]);
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

/** A changed expression, with its text. */
interface ExpressionChange {
  readonly kind: MutantKind;
  readonly description: string;
  readonly expression: Expression;
  readonly text: string;
}

/** Creates the changes of expressions; equal expressions share theirs. */
function createExpressionChanges(
  zone: ReadZone,
  hosts: readonly string[],
): (rule: ReadRule) => readonly ExpressionChange[] {
  const all = zone.rules.flatMap(({ expression }) => leaves(expression));
  const context = { zone, ...knownOf(zone, all, hosts) };
  const known = new Map<string, readonly ExpressionChange[]>();
  return ({ expression }) => {
    const text = printExpression(expression);
    const changes = known.get(text) ?? expressionChanges(expression, text, context);
    known.set(text, changes);
    return changes;
  };
}

/** Every change of one part, without those that exceed a limit of expressions. Equal results count once. */
function expressionChanges(
  expression: Expression,
  original: string,
  context: ExpressionContext,
): readonly ExpressionChange[] {
  const changes = new Map<string, ExpressionChange>();
  for (const [kind, create] of entriesOf("expression")) {
    for (const { description, expression: changed } of changedParts(expression, create, context)) {
      const text = printExpression(changed);
      if (text === original || changes.has(text)) continue;
      const parsed = parseExpression(text);
      if (parsed.ok) changes.set(text, { kind, description, expression: parsed.value, text });
    }
  }
  return [...changes.values()];
}

/** The changes of a node and of each node below it. */
function changedParts(
  node: Expression,
  create: PartChanges,
  context: ExpressionContext,
): readonly { readonly description: string; readonly expression: Expression }[] {
  const own = create(node, context).map(({ changed, description }) => ({
    expression: changed,
    description: description ?? `${quote(printExpression(node))} becomes ${quote(printExpression(changed))}`,
  }));
  if (node.kind === "not") {
    const inner = changedParts(node.operand, create, context);
    return [...own, ...inner.map((one) => ({ ...one, expression: { ...node, operand: one.expression } }))];
  }
  if (node.kind !== "combination") return own;
  const inner = node.operands.flatMap((operand, i) =>
    changedParts(operand, create, context).map((one) => ({
      ...one,
      expression: { ...node, operands: node.operands.with(i, one.expression) },
    })),
  );
  return [...own, ...inner];
}

function operationMutants({ operations = [] }: ReadZone): Mutant[] {
  const used = new Set(operations.map(routeKey));
  const methods = [...new Set(operations.map(({ method }) => method))];
  const context = { methods, isFree: (one: (typeof operations)[number]) => !used.has(routeKey(one)) };
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
