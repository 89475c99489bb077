/** Findings in a single expression: parts that are constant, and parts that have no effect. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { quote } from "../../../../errors.ts";
import type { Combination, Expression } from "../../expression/ast.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { type Assumptions, createRequestVariables, type RequestVariables } from "../requests/variables.ts";
import type { AnalysisCheck } from "./checks.ts";

/** A finding before its pointer is known. */
export type ExpressionCheck = Pick<Diagnostic<AnalysisCheck>, "rule" | "message">;

/** The variables of an expression in each group of requests, and its configurations. */
interface ExpressionContext {
  readonly groups: readonly RequestVariables[];
  readonly configs: BoundConfigs;
}

/** All findings in an expression over the requests that meet the assumptions of some group. */
export function expressionFindings(
  expression: Expression,
  configs: BoundConfigs,
  groups: readonly Assumptions[],
  meter: Meter,
): ExpressionCheck[] {
  const variables = groups.map((group) => createRequestVariables([{ expression, configs }], group, meter));
  const context = { groups: variables, configs };
  const value = constantValue(context, expression);
  const parts = [
    ...constantParts(context, expression),
    ...missingValues(expression),
    ...undecidedTests(context),
  ];
  const combinations = combinationsOf(expression);
  const duplicates = combinations.flatMap(duplicateOperands);
  if (value !== undefined) return [constantExpression(value), ...parts, ...duplicates];
  const redundant = combinations.flatMap((combination) => redundantOperands(context, combination));
  return [...parts, ...duplicates, ...redundant];
}

/** The value that the expression has for all requests; undefined when it is not constant. */
function constantValue({ groups, configs }: ExpressionContext, expression: Expression): boolean | undefined {
  const isNever = ({ diagramOf, diagrams, isUnsatisfiable }: RequestVariables, value: boolean) => {
    const diagram = diagramOf(expression, configs);
    return isUnsatisfiable(value ? diagram : diagrams.not(diagram));
  };
  if (groups.every((group) => isNever(group, true))) return false;
  return groups.every((group) => isNever(group, false)) ? true : undefined;
}

function constantExpression(value: boolean): ExpressionCheck {
  const always = `The expression is ${value} for every request that the rule covers`;
  return value
    ? { rule: "always-true", message: `${always}, so the rule never acts.` }
    : { rule: "always-false", message: `${always}, so the rule acts on all of them.` };
}

/** Constant leaves; an expression that is a single leaf is not a part of itself. */
function constantParts(context: ExpressionContext, expression: Expression): ExpressionCheck[] {
  const parts = new Map(leaves(expression).map((leaf) => [printExpression(leaf), leaf]));
  return [...parts].flatMap(([printed, leaf]): ExpressionCheck[] => {
    const value = leaf === expression ? undefined : constantValue(context, leaf);
    if (value === undefined) return [];
    const message = `${quote(printed)} is ${value} for every request that the rule covers.`;
    return [{ rule: "constant-part", message }];
  });
}

/** Comparisons that ask that a value is not there, and that hold or fail when there is no value at all (`observed`). */
function missingValues(expression: Expression, isNegated = false): ExpressionCheck[] {
  if (expression.kind === "not") return missingValues(expression.operand, !isNegated);
  if (expression.kind === "combination")
    return expression.operands.flatMap((operand) => missingValues(operand, isNegated));
  if (expression.kind !== "comparison" || !("key" in expression.field)) return [];
  const { operator } = expression;
  const printed = quote(printExpression(expression));
  if (operator === "ne")
    return [{ rule: "missing-value", message: `${printed} is false when the value is missing, too.` }];
  if (!isNegated || (operator !== "eq" && operator !== "in")) return [];
  return [{ rule: "missing-value", message: `\`not\` ${printed} is true when the value is missing, too.` }];
}

/** Comparisons that the analysis takes as true or false for any request. */
function undecidedTests({ groups }: ExpressionContext): ExpressionCheck[] {
  const test = groups.flatMap((group) => group.undecidedTests)[0];
  if (test === undefined) return [];
  const message = `The analysis does not look into ${quote(test)}: findings that depend on it are missing.`;
  return [{ rule: "undecided", message }];
}

function combinationsOf(expression: Expression): Combination[] {
  if (expression.kind === "not") return combinationsOf(expression.operand);
  if (expression.kind !== "combination") return [];
  return [expression, ...expression.operands.flatMap(combinationsOf)];
}

function duplicateOperands({ operator, operands }: Combination): ExpressionCheck[] {
  const printed = operands.map(printExpression);
  const repeated = new Set(printed.filter((operand, i) => printed.indexOf(operand) < i));
  return [...repeated].map((operand) => {
    const message = `${quote(operand)} occurs more than once among the operands of one \`${operator}\`.`;
    return { rule: "duplicate-operand", message };
  });
}

/** Operands without which the combination is the same; of two that are interchangeable the later one. */
function redundantOperands(
  context: ExpressionContext,
  { operator, operands }: Combination,
): ExpressionCheck[] {
  if (operator === "xor") return [];
  const kept = [...new Map(operands.map((operand) => [printExpression(operand), operand])).values()];
  const combine = ({ diagramOf, diagrams }: RequestVariables, list: readonly Expression[]) =>
    list
      .map((operand) => diagramOf(operand, context.configs))
      .reduce((a, b) => diagrams.combine(operator, a, b));
  const isSufficient = (others: readonly Expression[]) =>
    context.groups.every((group) => {
      const differs = group.diagrams.combine("xor", combine(group, operands), combine(group, others));
      return group.isUnsatisfiable(differs);
    });
  const findings: ExpressionCheck[] = [];
  for (const operand of kept.toReversed()) {
    const others = kept.filter((other) => other !== operand);
    if (others.length === 0 || constantValue(context, operand) !== undefined) continue;
    if (!isSufficient(others)) continue;
    kept.splice(kept.indexOf(operand), 1);
    const printed = quote(printExpression(operand));
    const message = `${printed} has no effect in its \`${operator}\`: the result is the same without it.`;
    findings.unshift({ rule: "redundant-operand", message });
  }
  return findings;
}
