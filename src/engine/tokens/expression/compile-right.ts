/** Compiles the right sides of comparisons. */

import { compileValue, type Program, type Read } from "./compile-value.ts";
import { operatorsOfType } from "./language/operators.ts";
import { type Address, type ScalarType, unknown } from "./language/types.ts";
import { undecidedPart } from "./patterns/regular-expression.ts";
import type { Comparison, SetItem } from "./tree.ts";
import { compileAddressRanges, compileRanges } from "./values/ranges.ts";

/** The right side: a test of a value, or a value to read with the comparison. */
export type Right =
  | ((value: unknown) => boolean)
  | { readonly read: Read; readonly holds: (value: unknown, operand: unknown) => boolean };

/** A right side that is unknown, and the comparison with it. */
const unknownOperand: Right = { read: () => unknown, holds: () => false };

/** Compiles the right side of a comparison. */
export function compileRight(program: Program, { left, operator, right }: Comparison): Right {
  const type = left.type as ScalarType;
  switch (right.kind) {
    case "set":
      return compileSet(type, right.items);
    case "list": {
      const list = program.lists.get(right.name);
      if (list === undefined) return unknownOperand;
      return (value) => list.has(value as never);
    }
    case "regex":
      if (undecidedPart(right.value) !== undefined) return unknownOperand;
      return compileOperand(type, operator, right.value);
    case "wildcard":
      return compileOperand(type, operator, right.value);
    case "literal": {
      const { value: operand } = right;
      const entry = operatorsOfType(type).get(operator);
      if (entry?.operand === "string") return compileOperand(type, operator, operand as string);
      const holds = holdsOf(type, operator);
      return (value) => holds(value, operand);
    }
    default:
      return { read: compileValue(program, right), holds: holdsOf(type, operator) };
  }
}

/** The parser has checked that the type has the operator, and that the operand is of its kind. */
function holdsOf(type: ScalarType, operator: Comparison["operator"]) {
  const entry = operatorsOfType(type).get(operator);
  if (entry?.operand !== "value") throw new RangeError(`${type} has no operator ${operator} of two values.`);
  return entry.holds;
}

function compileOperand(type: ScalarType, operator: Comparison["operator"], operand: string) {
  const entry = operatorsOfType(type).get(operator);
  if (entry === undefined || !("compile" in entry))
    throw new RangeError(`${type} has no operator ${operator} of a string.`);
  return entry.compile(operand) as (value: unknown) => boolean;
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
