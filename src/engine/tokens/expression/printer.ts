/** Prints a syntax tree with as few parentheses as possible: `parse(print(e))` equals `e`. */

import { combinators, type Expression, type FunctionTest } from "./ast.ts";
import { printField } from "./field.ts";
import { resultType } from "./language/functions.ts";
import { operatorOf } from "./language/operators.ts";
import { printString } from "./literal.ts";
import { printPattern } from "./patterns/pattern-literal.ts";

/**
 * Prints an expression in its canonical spelling.
 *
 * @example
 * ```ts
 * const parsed = parseExpression('!(is_jwt_valid("a")) || (http.host == "x" && is_jwt_present("b"))');
 * if (parsed.ok) printExpression(parsed.value);
 * // => 'not is_jwt_valid("a") or http.host eq "x" and is_jwt_present("b")'
 * ```
 */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "combination":
      return printCombination(expression.operator, expression.operands);
    case "not":
      return `not ${printIn(expression.operand, combinators.length)}`;
    case "token":
      return `${expression.test}(${printString(expression.configId)})`;
    case "function":
      return printFunctionTest(expression);
    case "comparison":
      return `${printField(expression.field)} ${expression.operator} ${printOperand(expression)}`;
  }
}

function printCombination(operator: (typeof combinators)[number], operands: readonly Expression[]): string {
  const level = combinators.indexOf(operator);
  return operands.map((operand) => printIn(operand, level)).join(` ${operator} `);
}

/** Prints an operand of a combination: in parentheses unless it has a higher precedence level. */
function printIn(expression: Expression, level: number): string {
  const printed = printExpression(expression);
  const own = expression.kind === "combination" ? combinators.indexOf(expression.operator) : Infinity;
  return own > level ? printed : `(${printed})`;
}

function printFunctionTest({ quantifier, functions, field, operator, operand }: FunctionTest): string {
  const value = functions.reduceRight((inner, name) => `${name}(${inner})`, printField(field));
  const { form, operand: kind } = operatorOf(resultType(functions), operator);
  const printed =
    kind === "regex" && typeof operand === "string" ? printPattern(operand) : printFunctionOperand(operand);
  const test = form === "call" ? `${operator}(${value}, ${printed})` : `${value} ${operator} ${printed}`;
  return quantifier === undefined ? test : `${quantifier}(${test})`;
}

function printFunctionOperand(operand: FunctionTest["operand"]): string {
  if (typeof operand === "number") return String(operand);
  return typeof operand === "string" ? printString(operand) : `{${operand.map(printString).join(" ")}}`;
}

function printOperand(comparison: Extract<Expression, { kind: "comparison" }>): string {
  if (!("values" in comparison)) return printString(comparison.value);
  return comparison.values.length === 0 ? "{}" : `{${comparison.values.map(printString).join(" ")}}`;
}
