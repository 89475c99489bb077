/** The requirements that a request fulfills, found by evaluating it. */

import { acceptsKey, type BoundConfigs } from "../../analysis/bound-expression.ts";
import { printedTree } from "../../expression/printer.ts";
import type { Expression, Test } from "../../expression/tree.ts";
import { tokenTestOf } from "../../expression/tree-queries.ts";
import { decidingLeaves, type LeafTrace, traceTree } from "../../verdict/trace-tree.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ConfigResult } from "../../zone/evaluation.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import { type Candidate, type Evaluator, outcomeOf, type RuleDecision } from "../candidate.ts";
import type { ZoneClass } from "../zone-classes.ts";
import { conditionsOf } from "./conditions.ts";
import { type CheckedState, operationsId, requirementIds } from "./requirements.ts";

/** The input of the search for them. */
export interface FulfilledContext {
  readonly evaluator: Evaluator;
  readonly configs: BoundConfigs;
  readonly precedence: Precedence;
}

/** The ids of the requirements, except near misses. */
export function fulfilledBy(candidate: Candidate, context: FulfilledContext): readonly string[] {
  const { zoneClass } = candidate;
  if (zoneClass === undefined) return [];
  const decision = context.evaluator.decide(zoneClass.rules, candidate);
  const { evaluated, fired } = decision;
  return [
    operationsId(zoneClass, context.precedence),
    ...outcomes(zoneClass, decision),
    ...evaluated.flatMap((rule) => {
      const { id } = rule.rule;
      const result = fired.includes(rule) ? requirementIds.fires(id) : requirementIds.passes(id);
      return [
        result,
        ...conditions(rule, candidate, context),
        ...tokens(rule.expression, candidate, context),
      ];
    }),
  ];
}

function outcomes({ operation }: ZoneClass, decision: RuleDecision): readonly string[] {
  if (operation === undefined) return [];
  const { action, decider } = outcomeOf(decision);
  return [requirementIds.outcome(operation.operation.operation_id, action, decider?.rule.id)];
}

function conditions(
  { rule, expression }: ReadRule,
  candidate: Candidate,
  context: FulfilledContext,
): string[] {
  const evaluate = (part: Expression) => context.evaluator.evaluate(part, candidate);
  const algebra = {
    always: true,
    evaluate,
    and: (left: boolean, right: boolean) => left && right,
    not: (value: boolean) => !value,
  };
  return conditionsOf(expression, algebra).flatMap(({ value, matters }, i) =>
    matters ? [requirementIds.condition(rule.id, i, value)] : [],
  );
}

/** The states and sources of tokens that decided the value of an expression. */
function tokens(expression: Expression, candidate: Candidate, context: FulfilledContext): string[] {
  const tree = traceTree(expression, (leaf) => traceLeaf(leaf, context.evaluator.evaluate(leaf, candidate)));
  const results = [...candidate.evaluation.results.values()];
  return decidingLeaves(tree).flatMap(({ config, value, reason }) => {
    const result = results.find((other) => other.config.id === config);
    if (result === undefined) return [];
    return [
      ...(reason === undefined ? [] : stateOf(result, candidate, context)),
      ...(value ? sourceOf(result) : []),
    ];
  });
}

/** `reason` only marks tests of validity. */
function traceLeaf(leaf: Test, value: boolean): LeafTrace {
  const { test, configId: config } = tokenTestOf(leaf) ?? {};
  const token = config !== undefined && {
    config,
    ...(test === "is_jwt_valid" && { reason: "valid" as const }),
  };
  return { text: printedTree(leaf), span: leaf.span, value, ...token };
}

function stateOf(
  { config: { id }, found }: ConfigResult,
  candidate: Candidate,
  { configs }: FulfilledContext,
) {
  const state = (name: CheckedState) => [requirementIds.state(id, name)];
  if (found === undefined) return state("missing");
  const token = candidate.tokens.find(({ placeholder }) => placeholder === found.token);
  const config = configs.get(id);
  if (token === undefined) return state("malformed");
  return config !== undefined && acceptsKey(config, token.key) ? state(token.state) : [];
}

function sourceOf({ config: { id, sources }, found }: ConfigResult): string[] {
  const index = sources.findIndex(({ text }) => text === found?.source.text);
  return index === -1 ? [] : [requirementIds.source(id, index)];
}
