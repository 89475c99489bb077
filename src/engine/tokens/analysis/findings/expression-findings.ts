/** What is wrong with an expression by itself: parts that never change, and parts that change nothing. */

import { quote } from "../../../../errors.ts";
import type { Combination, Expression } from "../../expression/ast.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { createSpace, type Frame, type Space } from "../requests/variables.ts";
import type { AnalysisCheck } from "./checks.ts";

/** A finding before it has a place. */
export interface ExpressionFinding {
  readonly check: AnalysisCheck;
  readonly message: string;
}

/** An expression in its space. */
interface Examined {
  readonly space: Space;
  readonly configs: BoundConfigs;
}

/** Everything about an expression that is to be read within a frame. */
export function expressionFindings(
  expression: Expression,
  configs: BoundConfigs,
  frame: Frame,
  meter: Meter,
): ExpressionFinding[] {
  const space = createSpace([{ expression, configs }], frame, meter);
  const examined = { space, configs };
  const whole = constantValue(examined, expression);
  const duplicates = combinationsOf(expression).flatMap(duplicateOperands);
  if (whole !== undefined)
    return [constantExpression(whole), ...constantParts(examined, expression), ...duplicates];
  const redundant = combinationsOf(expression).flatMap((combination) =>
    redundantOperands(examined, combination),
  );
  return [...constantParts(examined, expression), ...duplicates, ...redundant];
}

/** True or false when the expression is so everywhere. */
function constantValue({ space, configs }: Examined, expression: Expression): boolean | undefined {
  const truth = space.truth(expression, configs);
  if (space.isNever(truth)) return false;
  return space.isNever(space.diagrams.not(truth)) ? true : undefined;
}

function constantExpression(value: boolean): ExpressionFinding {
  return value
    ? {
        check: "always-true",
        message: "The expression is true for every request that the rule covers, so it never acts.",
      }
    : {
        check: "always-false",
        message: "The expression is false for every request that the rule covers, so it acts on all.",
      };
}

/** Leaves with one value; the whole expression is no part of itself. */
function constantParts(examined: Examined, expression: Expression): ExpressionFinding[] {
  const parts = new Map(leaves(expression).map((leaf) => [printExpression(leaf), leaf]));
  return [...parts].flatMap(([text, leaf]) => {
    const value = leaf === expression ? undefined : constantValue(examined, leaf);
    if (value === undefined) return [];
    return [
      {
        check: "constant-part" as const,
        message: `${quote(text)} is ${value} for every request that the rule covers.`,
      },
    ];
  });
}

function combinationsOf(expression: Expression): Combination[] {
  if (expression.kind === "not") return combinationsOf(expression.operand);
  if (expression.kind !== "combination") return [];
  return [expression, ...expression.operands.flatMap(combinationsOf)];
}

function duplicateOperands({ operator, operands }: Combination): ExpressionFinding[] {
  const texts = operands.map(printExpression);
  const repeated = new Set(texts.filter((text, i) => texts.indexOf(text) < i));
  return [...repeated].map((text) => {
    const message = `${quote(text)} stands more than once among the operands of one \`${operator}\`.`;
    return { check: "duplicate-operand", message };
  });
}

/** Operands without which the combination is the same; of two that replace each other the later one. */
function redundantOperands(
  { space, configs }: Examined,
  { operator, operands }: Combination,
): ExpressionFinding[] {
  if (operator === "xor") return [];
  const kept = [...new Map(operands.map((operand) => [printExpression(operand), operand])).values()];
  const { diagrams } = space;
  const join = (parts: readonly Expression[]) =>
    parts.map((part) => space.truth(part, configs)).reduce((a, b) => diagrams.combine(operator, a, b));
  const whole = join(kept);
  const found: ExpressionFinding[] = [];
  for (const operand of kept.toReversed()) {
    const others = kept.filter((other) => other !== operand);
    if (others.length === 0 || constantValue({ space, configs }, operand) !== undefined) continue;
    if (!space.isNever(diagrams.combine("xor", whole, join(others)))) continue;
    kept.splice(kept.indexOf(operand), 1);
    const message = `${quote(printExpression(operand))} changes nothing in its \`${operator}\`: the other operands alone give the same.`;
    found.unshift({ check: "redundant-operand", message });
  }
  return found;
}
