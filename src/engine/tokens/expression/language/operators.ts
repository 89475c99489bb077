/** The operators by the type of the value: one entry each (`observed`). */

import { compilePattern } from "../patterns/regular-expression.ts";
import { createFinder } from "../substring.ts";
import { compileWildcard } from "../wildcard.ts";
import type { Address, Int, ScalarType } from "./types.ts";

/** The kind of an operand: a literal or a value of the same type, a string, a pattern, or a set or list. */
export type OperandKind = "value" | "string" | "wildcard" | "regex" | "set";

/** How an operator is evaluated, by the kind of its operand. */
type Evaluation<Value> =
  | {
      readonly operand: "value";
      /** Whether a value and an operand pass. */
      readonly holds: (value: Value, operand: Value) => boolean;
    }
  | {
      readonly operand: "string" | "wildcard" | "regex";
      /** Compiles the operand to a test of a value. */
      readonly compile: (operand: string) => (value: string) => boolean;
    }
  | { readonly operand: "set" };

/** Everything about an operator; an entry without one of the members does not compile. */
export type Operator<Value> = Evaluation<Value> & {
  /** The spellings besides its name. */
  readonly form: readonly string[];
  /** One sentence, for completion and the reference. */
  readonly help: string;
};

type Table<Value> = Readonly<Record<string, Operator<Value>>>;

function define<Value>() {
  return <const T extends Table<Value>>(table: T): T => table;
}

const equality = {
  eq: {
    operand: "value",
    form: ["=="],
    holds: (value: unknown, operand: unknown) => value === operand,
    help: "The values are equal.",
  },
  ne: {
    operand: "value",
    form: ["!="],
    holds: (value: unknown, operand: unknown) => value !== operand,
    help: "The values differ; false when one is missing.",
  },
} as const;

const inSet = { operand: "set", form: [], help: "The value is in the set or the list." } as const;

/** The operators of order; `comparable` is whether two values have an order. */
const order = <Value extends Int | string>(comparable: (a: Value, b: Value) => boolean) =>
  ({
    lt: {
      operand: "value",
      form: ["<"],
      holds: (value: Value, operand: Value) => comparable(value, operand) && value < operand,
      help: "The value is less.",
    },
    le: {
      operand: "value",
      form: ["<="],
      holds: (value: Value, operand: Value) => comparable(value, operand) && value <= operand,
      help: "The value is less or equal.",
    },
    gt: {
      operand: "value",
      form: [">"],
      holds: (value: Value, operand: Value) => comparable(value, operand) && value > operand,
      help: "The value is greater.",
    },
    ge: {
      operand: "value",
      form: [">="],
      holds: (value: Value, operand: Value) => comparable(value, operand) && value >= operand,
      help: "The value is greater or equal.",
    },
  }) as const;

/** The operators. Strings are compared byte by byte. In a mutant, those with the same kind of operand take each other's place. */
export const operators = {
  Bool: {},
  Int: define<Int>()({
    ...equality,
    ...order<Int>(() => true),
    in: inSet,
    bitwise_and: {
      operand: "value",
      form: ["&"],
      holds: shareBits,
      help: "The integers share a bit.",
    },
  }),
  IP: define<Address>()({
    ...equality,
    ...order<Address>((a, b) => typeof a === typeof b),
    in: inSet,
  }),
  String: define<string>()({
    ...equality,
    ...order<string>(() => true),
    in: inSet,
    contains: {
      operand: "string",
      form: [],
      compile: (part) => {
        const find = createFinder(part);
        return (value) => find(value, 0) !== -1;
      },
      help: "The value contains the string.",
    },
    wildcard: {
      operand: "wildcard",
      form: [],
      compile: (pattern) => compileWildcard(pattern, false),
      help: "The value matches the pattern, in which `*` is any text; letters match in both cases.",
    },
    "strict wildcard": {
      operand: "wildcard",
      form: [],
      compile: (pattern) => compileWildcard(pattern, true),
      help: "The value matches the pattern, in which `*` is any text.",
    },
    matches: {
      operand: "regex",
      form: ["~"],
      compile: compilePattern,
      help: "A part of the value matches the regular expression.",
    },
  }),
} as const satisfies { readonly [T in ScalarType]: Table<never> };

/** The name of an operator. */
export type OperatorName = { [T in ScalarType]: keyof (typeof operators)[T] }[ScalarType];

/** The operators of a type by name. */
export function operatorsOfType(type: ScalarType): ReadonlyMap<OperatorName, Operator<unknown>> {
  return operatorMaps[type];
}

const operatorMaps = Object.fromEntries(
  Object.entries(operators).map(([type, table]) => [type, new Map(Object.entries(table))]),
) as unknown as Record<ScalarType, ReadonlyMap<OperatorName, Operator<unknown>>>;

/** Whether two integers share a bit; negative ones are in two's complement. */
function shareBits(value: Int, operand: Int): boolean {
  return (BigInt.asUintN(64, BigInt(value)) & BigInt.asUintN(64, BigInt(operand))) !== 0n;
}
