/** The comparisons at one location of a request, with functions or without, as tests of its value. */

import type { ValueField } from "../../expression/field.ts";
import type { quantifiers } from "../../expression/tree.ts";
import type { UriPart } from "./derived-dfas.ts";
import type { Dfa } from "./dfa.ts";
import {
  type IntegerFunction,
  type StringFunction,
  splitFunctions,
  type TextFunction,
} from "./function-dfas.ts";
import type { InnerValue } from "./inner-values.ts";
import { type AffixPieces, dfasOf } from "./operator-dfas.ts";
import type { IntegerOperator, StringOperator } from "./text-operators.ts";

/**
 * A comparison of a string of the request, or of functions of it, with a literal. False when the value is missing; `any`
 * of no values is false and `all` of no values is true.
 */
export interface TextComparison {
  /** Present when the index of the field is `*`. */
  readonly quantifier?: (typeof quantifiers)[number];
  /** The functions of the value, the outermost first; usually none. */
  readonly functions: readonly TextFunction[];
  /** The compared field, which the functions are of. */
  readonly field: ValueField;
  readonly operator: StringOperator | IntegerOperator;
  /** The string, the pattern, the strings of a set, or the integer that a length is compared with. */
  readonly operand: string | readonly string[] | number;
  /** Present when the value is in the query or the path that the field is. */
  readonly inner?: InnerValue;
  /** Present when the value is a part of the compared string. */
  readonly run?: StateRun;
}

/** A part of a compared string: the states of the DFA of the comparison before and after it. */
export interface StateRun {
  readonly dfa: Dfa;
  readonly from: number;
  /** At the end of the string, the test of the last state. */
  readonly to: number | ((output: number) => boolean);
}

/** The key of a comparison of a value: equal for equal ones, wherever the value is. */
export function comparisonKey(comparison: Omit<TextComparison, "field">): string {
  const { functions, operator, operand, inner, run } = comparison;
  const states = run && [run.from, typeof run.to === "number" ? run.to : "accepted"];
  return JSON.stringify([functions, operator, operand, inner, states]);
}

/** A comparison of a location's value, or of a part of it. */
export interface StringTest {
  readonly comparison: Omit<TextComparison, "field">;
  /** Present when the location is a URI, and only this part of it is compared. */
  readonly part?: UriPart;
}

/** The condition of a test on a value. */
export type StringCondition = StringOfValue | IntegerOfValue;

interface ValueOfPart {
  readonly part: UriPart | undefined;
  /** The functions before the comparison whose results are strings, the outermost first. */
  readonly functions: readonly StringFunction[];
  readonly inner: InnerValue | undefined;
  readonly run: StateRun | undefined;
}

/** A comparison of a string. */
export interface StringOfValue extends ValueOfPart {
  readonly integer: undefined;
  readonly operator: StringOperator;
  readonly operand: string | readonly string[];
}

/** A comparison of an integer. */
export interface IntegerOfValue extends ValueOfPart {
  /** The outermost function. */
  readonly integer: IntegerFunction;
  readonly operator: IntegerOperator;
  readonly operand: number;
}

/** The condition of a test. */
export function conditionOf({ comparison, part }: StringTest): StringCondition {
  const { operator, operand, inner, run } = comparison;
  // The parser has checked that operator and operand are of the type of the value.
  return {
    part,
    inner,
    run,
    ...splitFunctions(comparison.functions),
    operator,
    operand,
  } as StringCondition;
}

/** Whether a condition is of a part of the compared string, or of a value in the location's. */
export function isPartial({ inner, run }: StringCondition): boolean {
  return inner !== undefined || run !== undefined;
}

/** The strings that a condition compares with, and whether it is true for all others; undefined for other conditions. */
export function literalsOf(condition: StringCondition): Literals | undefined {
  if (condition.integer !== undefined || isPartial(condition)) return undefined;
  const dfas = dfasOf(condition.operator);
  if (!("literals" in dfas)) return undefined;
  return { strings: dfas.literals(condition.operand), isNegated: dfas.isNegated };
}

/** Strings that a value is compared with. */
export interface Literals {
  readonly strings: readonly string[];
  readonly isNegated: boolean;
}

/** The strings that the whole value is compared with, as it is; undefined for other conditions. */
export function wholeLiteralsOf(condition: StringCondition): Literals | undefined {
  const { part, functions } = condition;
  return part === undefined && functions.length === 0 ? literalsOf(condition) : undefined;
}

/** The pieces of a condition that is met by a sequence of strings; undefined for other conditions. */
export function piecesOf(condition: StringCondition): AffixPieces | undefined {
  if (condition.integer !== undefined || isPartial(condition)) return undefined;
  const dfas = dfasOf(condition.operator);
  return "literals" in dfas || dfas.pieces === "none" ? undefined : dfas.pieces(condition.operand);
}
