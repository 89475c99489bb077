/** Changes of the operand of a comparison. */

import type { OperandKind, Operands } from "../../expression/language/operators.ts";

/** The string in place of one in a mutant, which must not be one of those used. */
export type ReplaceString = (value: string, used: readonly string[]) => string;

/** The operands in place of another one, by its kind; regular expressions are not changed. */
const otherOperands: {
  readonly [K in OperandKind]: (operand: Operands[K], replace: ReplaceString) => readonly Operands[K][];
} = {
  string: (value, replace) => [replace(value, [value])],
  wildcard: otherStar,
  regex: () => [],
  set: otherSets,
  integer: (operand) => [operand + 1],
};

/** The operands in place of another one of a kind. */
export function operandChanges<K extends OperandKind>(
  kind: K,
  operand: Operands[K],
  replace: ReplaceString,
): readonly Operands[K][] {
  return otherOperands[kind](operand, replace);
}

/** The pattern without its last star, or with one. */
function otherStar(pattern: string): readonly string[] {
  if (!/(?<!\\)(?:\\\\)*\*$/.test(pattern)) return [`${pattern}*`];
  return pattern === "*" ? [] : [pattern.slice(0, -1)];
}

/** The set with one string less, and with one string changed. */
function otherSets(values: readonly string[], replace: ReplaceString): readonly (readonly string[])[] {
  const fewer = values.length === 1 ? [] : values.map((_, i) => values.toSpliced(i, 1));
  return [...fewer, ...values.map((value, i) => values.with(i, replace(value, values)))];
}
