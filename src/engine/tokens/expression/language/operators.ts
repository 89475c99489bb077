/** The operators of comparisons: one entry each. The DFAs of the analysis are in a table of their own, for the bundle of the page. */

import { compilePattern } from "../patterns/regular-expression.ts";
import { createFinder } from "../substring.ts";
import { compileWildcard } from "../wildcard.ts";
import type { Values, ValueType } from "./types.ts";

/** Operands of operators, by kind. */
export interface Operands {
  /** One string. */
  readonly string: string;
  /** A pattern whose `*` is any text. */
  readonly wildcard: string;
  /** A regular expression. */
  readonly regex: string;
  /** Strings in braces. */
  readonly set: readonly string[];
  /** An integer from 0. */
  readonly integer: number;
}

/** The kind of an operand. */
export type OperandKind = keyof Operands;

/** Everything about an operator; an entry without one of the members does not compile. */
interface Operator<T extends ValueType, K extends OperandKind> {
  /** The kind of its operand. */
  readonly operand: K;
  /** The spellings besides its name; a `call` is written as a function of the value and the operand. */
  readonly form: "call" | readonly string[];
  /** The node of the syntax tree for a comparison with a field alone. */
  readonly node: "comparison" | "function";
  /** Compiles it to a test of a value. */
  readonly compile: (operand: Operands[K]) => (value: Values[T]) => boolean;
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

type Operators<T extends ValueType> = Readonly<
  Record<string, { [K in OperandKind]: Operator<T, K> }[OperandKind]>
>;

/** Defines a table of operators of a type. In a mutant, those with the same kind of operand take each other's place. */
export const defineOperators =
  <T extends ValueType>() =>
  <const Table extends Operators<T>>(table: Table): Table =>
    table;

/** The operators of strings. */
export const stringOperators = defineOperators<"String">()({
  eq: {
    operand: "string",
    form: ["=="],
    node: "comparison",
    compile: (expected) => (value) => value === expected,
    help: "The value is the string.",
  },
  ne: {
    operand: "string",
    form: ["!="],
    node: "comparison",
    compile: (expected) => (value) => value !== expected,
    help: "The value is another string; false without a value.",
  },
  in: {
    operand: "set",
    form: [],
    node: "comparison",
    compile: (strings) => {
      const set = new Set(strings);
      return (value) => set.has(value);
    },
    help: "The value is one of the strings.",
  },
  contains: {
    operand: "string",
    form: [],
    node: "comparison",
    compile: (part) => {
      const find = createFinder(part);
      return (value) => find(value, 0) !== -1;
    },
    help: "The value contains the string.",
  },
  wildcard: {
    operand: "wildcard",
    form: [],
    node: "comparison",
    compile: (pattern) => compileWildcard(pattern, false),
    help: "The value matches the pattern, in which `*` is any text; letters match in both cases.",
  },
  "strict wildcard": {
    operand: "wildcard",
    form: [],
    node: "comparison",
    compile: (pattern) => compileWildcard(pattern, true),
    help: "The value matches the pattern, in which `*` is any text.",
  },
  matches: {
    operand: "regex",
    form: ["~"],
    node: "function",
    compile: compilePattern,
    help: "A part of the value matches the regular expression.",
  },
  starts_with: {
    operand: "string",
    form: "call",
    node: "function",
    compile: (start) => (value) => value.startsWith(start),
    help: "The value starts with the string.",
  },
  ends_with: {
    operand: "string",
    form: "call",
    node: "function",
    compile: (end) => (value) => value.endsWith(end),
    help: "The value ends with the string.",
  },
});

/** An operator of integers. */
const ofIntegers = (spelling: string, holds: (value: number, operand: number) => boolean, help: string) => ({
  operand: "integer" as const,
  form: [spelling],
  node: "function" as const,
  compile: (operand: number) => (value: number) => holds(value, operand),
  help,
});

/** The operators of integers. */
export const integerOperators = defineOperators<"Int">()({
  eq: ofIntegers("==", (value, operand) => value === operand, "The number is the integer."),
  ne: ofIntegers("!=", (value, operand) => value !== operand, "The number is another integer."),
  lt: ofIntegers("<", (value, operand) => value < operand, "The number is less than the integer."),
  le: ofIntegers("<=", (value, operand) => value <= operand, "The number is at most the integer."),
  gt: ofIntegers(">", (value, operand) => value > operand, "The number is greater than the integer."),
  ge: ofIntegers(">=", (value, operand) => value >= operand, "The number is at least the integer."),
});

/** The operators by the type of the value. */
export const operatorsOf = { String: stringOperators, Int: integerOperators } as const satisfies {
  readonly [T in ValueType]: Operators<T>;
};

/** The name of an operator of strings. */
export type StringOperator = keyof typeof stringOperators;
/** The name of an operator of integers. */
export type IntegerOperator = keyof typeof integerOperators;
/** The operators that are written as calls, all of strings. */
export const callOperators = (Object.keys(stringOperators) as StringOperator[]).filter(
  (name) => stringOperators[name].form === "call",
);
/** The operators of strings whose entry has some members. */
export type StringOperatorWith<Members> = {
  [N in StringOperator]: (typeof stringOperators)[N] extends Members ? N : never;
}[StringOperator];
/** The operand of an operator of strings. */
export type OperandOf<N extends StringOperator> = Operands[(typeof stringOperators)[N]["operand"]];

/** The entry of an operator, for callers that pass it the operand of the same comparison. */
export function operatorOf(
  type: ValueType,
  name: StringOperator | IntegerOperator,
): Operator<ValueType, OperandKind> {
  // The parser has checked that the type has the operator and that the operand is of its kind.
  return (operatorsOf[type] as Operators<never>)[name] as unknown as Operator<ValueType, OperandKind>;
}
