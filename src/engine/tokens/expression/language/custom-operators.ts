/** The operators of custom rules by the type of the value: one entry each (`observed`). */

import type { Address, Int, ScalarType } from "./custom-types.ts";
import { stringOperators } from "./operators.ts";

/** The kind of an operand: a literal or a value of the same type, a string, a pattern, or a set or list. */
export type CustomOperand = "value" | "string" | "wildcard" | "regex" | "set";

/** Everything about an operator; an entry without one of the members does not compile. */
export interface CustomOperator<Value> {
  /** The kind of its operand. */
  readonly operand: CustomOperand;
  /** The spellings besides its name. */
  readonly form: readonly string[];
  /** Whether a value and an operand pass; absent for those of sets and patterns. */
  readonly holds?: (value: Value, operand: Value) => boolean;
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

type Table<Value> = Readonly<Record<string, CustomOperator<Value>>>;

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

/** The operators. Strings are compared byte by byte. */
export const customOperators = {
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
    contains: { operand: "string", form: [], help: stringOperators.contains.help },
    wildcard: { operand: "wildcard", form: [], help: stringOperators.wildcard.help },
    "strict wildcard": { operand: "wildcard", form: [], help: stringOperators["strict wildcard"].help },
    matches: { operand: "regex", form: ["~"], help: stringOperators.matches.help },
  }),
} as const satisfies { readonly [T in ScalarType]: Table<never> };

/** The name of an operator. */
export type CustomOperatorName = { [T in ScalarType]: keyof (typeof customOperators)[T] }[ScalarType];

/** The operators of a type by name. */
export function operatorsOfType(type: ScalarType): ReadonlyMap<CustomOperatorName, CustomOperator<unknown>> {
  return operatorMaps[type];
}

const operatorMaps = Object.fromEntries(
  Object.entries(customOperators).map(([type, table]) => [type, new Map(Object.entries(table))]),
) as unknown as Record<ScalarType, ReadonlyMap<CustomOperatorName, CustomOperator<unknown>>>;

/** Whether two integers share a bit; negative ones are in two's complement. */
function shareBits(value: Int, operand: Int): boolean {
  return (BigInt.asUintN(64, BigInt(value)) & BigInt.asUintN(64, BigInt(operand))) !== 0n;
}
