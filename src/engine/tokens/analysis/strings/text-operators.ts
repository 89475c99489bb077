/** The operators of texts and their lengths, with the kinds of their operands. */

import type { operators } from "../../expression/language/operators.ts";
import type { TextFunction } from "./function-dfas.ts";

/** The operands of a comparison by kind. */
export interface TextOperands {
  readonly string: string;
  /** A string of an operator of order. */
  readonly order: string;
  readonly wildcard: string;
  readonly regex: string;
  readonly set: readonly string[];
  readonly integer: number;
}

/** The kind of an operand. */
export type TextOperandKind = keyof TextOperands;

/** The kinds of the operands of the operators of strings; an operator without an entry does not compile. */
export const stringOperators = {
  eq: "string",
  ne: "string",
  lt: "order",
  le: "order",
  gt: "order",
  ge: "order",
  in: "set",
  contains: "string",
  wildcard: "wildcard",
  "strict wildcard": "wildcard",
  matches: "regex",
  starts_with: "string",
  ends_with: "string",
} as const satisfies Readonly<
  Record<keyof (typeof operators)["String"] | "starts_with" | "ends_with", TextOperandKind>
>;

/** An operator of a string; `starts_with` and `ends_with` are functions in the text. */
export type StringOperator = keyof typeof stringOperators;

/** An operator of an integer, whose operand is one from 0. */
export type IntegerOperator = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** The operand of an operator of strings. */
export type OperandOf<N extends StringOperator> = TextOperands[(typeof stringOperators)[N]];

/** The kind of the operand of a comparison. */
export function operandKindOf(
  functions: readonly TextFunction[],
  operator: StringOperator | IntegerOperator,
): TextOperandKind {
  return functions[0] === "len" ? "integer" : stringOperators[operator];
}
