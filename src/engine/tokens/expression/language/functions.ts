/** The functions of a value: one entry each. Their effect on a DFA is in a table of the analysis. */

import type { Values, ValueType } from "./types.ts";

/** Everything about a function; an entry without one of the members does not compile. */
interface ValueFunctionEntry<P extends ValueType, R extends ValueType> {
  /** The type of its argument. */
  readonly parameter: P;
  /** The type of its result. */
  readonly result: R;
  /** The result for an argument. */
  readonly apply: (value: Values[P]) => Values[R];
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

/** Defines a function. */
export const defineFunction = <P extends ValueType, R extends ValueType>(entry: ValueFunctionEntry<P, R>) =>
  entry;

/** The functions of a value (`observed`). */
export const valueFunctions = {
  lower: defineFunction({
    parameter: "String",
    result: "String",
    apply: (value) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    help: "The string with its ASCII letters in lower case.",
  }),
  upper: defineFunction({
    parameter: "String",
    result: "String",
    apply: (value) => value.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    help: "The string with its ASCII letters in upper case.",
  }),
  len: defineFunction({
    parameter: "String",
    result: "Int",
    apply: byteLength,
    help: "The length of the string in bytes of UTF-8.",
  }),
} as const;

/** A function of a value. */
export type ValueFunction = keyof typeof valueFunctions;

/** The names of the functions. */
export const functionNames = Object.keys(valueFunctions) as readonly ValueFunction[];

/** The length of a string in UTF-8. */
export function byteLength(value: string): number {
  let length = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** Compiles nested functions, the outermost first. */
export function compileFunctions(names: readonly ValueFunction[]): (value: string) => Values[ValueType] {
  const [outer, ...inner] = names;
  if (outer === undefined) return (value) => value;
  // The parser has checked that the result of each function is an argument of the next.
  const apply = valueFunctions[outer].apply as (value: Values[ValueType]) => Values[ValueType];
  if (inner.length === 0) return apply;
  const argument = compileFunctions(inner);
  return (value) => apply(argument(value));
}

/** The type of a value with functions, the outermost first. */
export function resultType([outer]: readonly ValueFunction[]): ValueType {
  return outer === undefined ? "String" : valueFunctions[outer].result;
}
