/** Compiles the right sides of comparisons. */

import { operatorsOfType } from "../language/custom-operators.ts";
import { type Address, type ScalarType, unknown } from "../language/custom-types.ts";
import { stringOperators } from "../language/operators.ts";
import { compileBytePattern } from "../patterns/byte-pattern.ts";
import { type CustomProgram, compileValue, type Read } from "./compile-value.ts";
import type { CustomComparison, SetItem } from "./tree.ts";
import { compileAddressRanges, compileRanges } from "./values/ranges.ts";

/** The right side: a test of a value, or a value to read with the comparison. */
export type Right =
  | ((value: unknown) => boolean)
  | { readonly read: Read; readonly holds: (value: unknown, operand: unknown) => boolean };

/** Compiles the right side of a comparison. */
export function compileRight(program: CustomProgram, { left, operator, right }: CustomComparison): Right {
  const type = left.type as ScalarType;
  switch (right.kind) {
    case "set":
      return compileSet(type, right.items);
    case "list": {
      const list = program.lists.get(right.name);
      if (list === undefined) return { read: () => unknown, holds: () => false };
      return (value) => list.has(value as never);
    }
    case "regex":
      return compileBytePattern(right.value) as (value: unknown) => boolean;
    case "wildcard":
      return stringOperators[operator as "wildcard"].compile(right.value) as (value: unknown) => boolean;
    case "literal": {
      const { value: operand } = right;
      if (operator === "contains")
        return stringOperators.contains.compile(operand as string) as (value: unknown) => boolean;
      const holds = holdsOf(type, operator);
      return (value) => holds(value, operand);
    }
    default:
      return { read: compileValue(program, right), holds: holdsOf(type, operator) };
  }
}

function holdsOf(type: ScalarType, operator: CustomComparison["operator"]) {
  const holds = operatorsOfType(type).get(operator)?.holds;
  if (holds === undefined) throw new RangeError(`${type} has no operator ${operator} of two values.`);
  return holds;
}

function compileSet(type: ScalarType, items: readonly SetItem[]): (value: unknown) => boolean {
  if (type === "String") {
    const strings = new Set(items.map((item) => (item.type === "String" ? item.value : "")));
    return (value) => strings.has(value as string);
  }
  const ranges = items.flatMap((item) => (item.type === "String" ? [] : [item]));
  const has = type === "IP" ? compileAddressRanges(ranges) : compileRanges(ranges);
  return (value) => has(value as Address);
}
