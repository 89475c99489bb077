/** Changes of one part of an expression. */

import { quote } from "../../../../errors.ts";
import {
  type Combination,
  type Combinator,
  type Comparison,
  combinators,
  type Expression,
  type FunctionTest,
  type TokenTest,
} from "../../expression/ast.ts";
import { parseExpression } from "../../expression/parser.ts";
import { printExpression } from "../../expression/printer.ts";
import { comparisonChanges, functionChanges } from "./comparison-mutants.ts";
import type { MutantKind } from "./mutant.ts";

/** What the parts of an expression can be changed to. */
export interface ExpressionContext {
  readonly configIds: readonly string[];
  /** The hosts of the zone's rules and operations. */
  readonly hosts: readonly string[];
}

/** A change of an expression. */
export interface ExpressionChange {
  readonly kind: MutantKind;
  readonly description: string;
  readonly expression: Expression;
}

/** Every change of one part, without those that exceed a limit of expressions. Equal results count once. */
export function expressionChanges(expression: Expression, context: ExpressionContext): ExpressionChange[] {
  const original = printExpression(expression);
  const changes = new Map<string, ExpressionChange>();
  for (const change of changesOf(expression, context)) {
    const printed = printExpression(change.expression);
    if (printed !== original && !changes.has(printed) && parseExpression(printed).ok)
      changes.set(printed, change);
  }
  return [...changes.values()];
}

function changesOf(expression: Expression, context: ExpressionContext): readonly ExpressionChange[] {
  if (expression.kind === "combination") return combinationChanges(expression, context);
  const negated = negation(expression);
  if (expression.kind === "not") {
    const inside = changesOf(expression.operand, context).map((change) => ({
      ...change,
      expression: { ...expression, operand: change.expression },
    }));
    return [negated, ...inside];
  }
  const own = expression.kind === "token" ? tokenChanges(expression, context) : partsOf(expression, context);
  return [negated, ...own];
}

/** Adds a `not`, or removes one. */
function negation(expression: Expression): ExpressionChange {
  const printed = quote(printExpression(expression));
  if (expression.kind === "not")
    return {
      kind: "operator",
      description: `the \`not\` of ${printed} is removed`,
      expression: expression.operand,
    };
  const { span } = expression;
  return {
    kind: "operator",
    description: `${printed} is negated`,
    expression: { kind: "not", operand: expression, span },
  };
}

function combinationChanges(
  combination: Combination,
  context: ExpressionContext,
): readonly ExpressionChange[] {
  const { operator, operands } = combination;
  const others = combinators.filter((other) => other !== operator);
  return [
    ...others.map((other) => otherOperator(combination, other)),
    ...operands.map((operand) => withoutOperand(combination, operand)),
    ...operands.flatMap((operand, i) =>
      changesOf(operand, context).map((change) => ({
        ...change,
        expression: { ...combination, operands: operands.with(i, change.expression) },
      })),
    ),
  ];
}

function otherOperator(combination: Combination, other: Combinator): ExpressionChange {
  const description = `the \`${combination.operator}\` of ${quote(printExpression(combination))} becomes \`${other}\``;
  return { kind: "operator", description, expression: { ...combination, operator: other } };
}

function withoutOperand({ operands, ...rest }: Combination, removed: Expression): ExpressionChange {
  const kept = operands.filter((operand) => operand !== removed);
  const [only, ...more] = kept;
  const expression = only !== undefined && more.length === 0 ? only : { ...rest, operands: kept };
  const description = `the operand ${quote(printExpression(removed))} is removed`;
  return { kind: "operand", description, expression };
}

function tokenChanges(leaf: TokenTest, { configIds }: ExpressionContext): readonly ExpressionChange[] {
  const printed = quote(printExpression(leaf));
  const test = leaf.test === "is_jwt_valid" ? "is_jwt_present" : "is_jwt_valid";
  const others = configIds.filter((id) => id !== leaf.configId);
  return [
    { kind: "operator", description: `${printed} becomes \`${test}\``, expression: { ...leaf, test } },
    ...others.map((configId): ExpressionChange => {
      const description = `the configuration of ${printed} becomes ${quote(configId)}`;
      return { kind: "id", description, expression: { ...leaf, configId } };
    }),
  ];
}

function partsOf(leaf: Comparison | FunctionTest, { hosts }: ExpressionContext): readonly ExpressionChange[] {
  const printed = quote(printExpression(leaf));
  const changes = leaf.kind === "function" ? functionChanges(leaf) : comparisonChanges(leaf, hosts);
  return changes.map(({ kind, changed }) => {
    const description = `${printed} becomes ${quote(printExpression(changed))}`;
    return { kind, description, expression: changed };
  });
}
