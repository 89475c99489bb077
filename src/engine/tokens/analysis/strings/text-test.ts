/** Evaluates comparisons of strings that were not read from a request, as an analysis and generators do. */

import { operators } from "../../expression/language/operators.ts";
import { appliedFunctions } from "../../expression/values/apply.ts";
import { toBytes } from "../../expression/values/bytes.ts";
import type { TextComparison } from "./string-test.ts";

type ComparedText = Pick<TextComparison, "functions" | "operator" | "operand">;

/** Compiles a comparison to a test of the text that it compares, before its functions. */
export function compileValueTest(comparison: ComparedText): (value: string) => boolean {
  const holds = compileOperator(comparison);
  const functions = comparison.functions.map((name) => appliedFunctions[name]).reverse();
  return (text) => holds(functions.reduce<unknown>((value, apply) => apply([value], noJson), toBytes(text)));
}

const noJson = () => undefined;

function compileOperator({ functions, operator, operand }: ComparedText): (value: unknown) => boolean {
  if (operator === "starts_with" || operator === "ends_with") {
    const affix = toBytes(String(operand));
    return (value) => appliedFunctions[operator]([value, affix], noJson) === true;
  }
  if (Array.isArray(operand)) {
    const strings = new Set<unknown>(operand.map(toBytes));
    return (value) => strings.has(value);
  }
  const literal = typeof operand === "string" ? toBytes(operand) : operand;
  const entry = Object.entries(operators[functions[0] === "len" ? "Int" : "String"]).find(
    ([name]) => name === operator,
  )?.[1];
  if (entry !== undefined && "compile" in entry)
    return entry.compile(String(literal)) as (value: unknown) => boolean;
  if (entry === undefined || !("holds" in entry)) throw new RangeError(`There is no operator ${operator}.`);
  const holds = entry.holds as (value: unknown, operand: unknown) => boolean;
  return (value) => holds(value, literal);
}
