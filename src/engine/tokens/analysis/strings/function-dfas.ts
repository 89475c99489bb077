/** The knowledge of the analysis about each function; a function without an entry does not compile. */

import { decodedDfa } from "./decoded-dfa.ts";
import { caseDfa } from "./derived-dfas.ts";
import type { Dfa } from "./dfa.ts";
import { lengthDfa } from "./length-dfa.ts";

const functionTypes = { lower: "String", upper: "String", url_decode: "String", len: "Int" } as const;

/** A function of a string that the analysis knows; `url_decode` has no options. */
export type TextFunction = keyof typeof functionTypes;

/** The functions whose result has a type. */
type FunctionWith<R extends "String" | "Int"> = {
  [N in TextFunction]: (typeof functionTypes)[N] extends R ? N : never;
}[TextFunction];

/** A function whose result is a string. */
export type StringFunction = FunctionWith<"String">;
/** A function whose result is an integer. */
export type IntegerFunction = FunctionWith<"Int">;

/** A DFA of the result becomes one of the argument. */
export const stringFunctions: { readonly [N in StringFunction]: ((dfa: Dfa) => Dfa) | "undecided" } = {
  lower: (dfa) => caseDfa(dfa, "lower"),
  upper: (dfa) => caseDfa(dfa, "upper"),
  url_decode: decodedDfa,
};

/** A comparison of the result of a function with integers. */
interface IntegerDfas {
  /** Compares the result with ascending integers, as {@link lengthDfa} does. */
  readonly dfa: (integers: readonly number[]) => Dfa;
  /** The maximum integer that is compared exactly (`chosen`). */
  readonly max: number;
  /** The functions of the argument that do not change the result. */
  readonly unchangedBy: readonly TextFunction[];
}

/** A DFA has a state for each byte. */
const maxLength = 2048;

/** The comparisons of the result with integers. */
export const integerFunctions: { readonly [N in IntegerFunction]: IntegerDfas | "undecided" } = {
  len: { dfa: lengthDfa, max: maxLength, unchangedBy: ["lower", "upper"] },
};

/** The functions of a value by the type of their results: at most the outermost one has an integer. */
export function splitFunctions([outer, ...inner]: readonly TextFunction[]): {
  readonly functions: readonly StringFunction[];
  readonly integer: IntegerFunction | undefined;
} {
  if (outer === undefined) return { functions: [], integer: undefined };
  // The parser has checked that the result of each inner function is a string.
  const functions = inner as readonly StringFunction[];
  if (!isInteger(outer)) return { functions: [outer, ...functions], integer: undefined };
  const dfas = integerFunctions[outer];
  const unchangedBy = dfas === "undecided" ? [] : dfas.unchangedBy;
  return { functions: functions.filter((name) => !unchangedBy.includes(name)), integer: outer };
}

function isInteger(name: TextFunction): name is IntegerFunction {
  return functionTypes[name] === "Int";
}
