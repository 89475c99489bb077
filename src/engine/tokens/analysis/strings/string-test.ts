/** The comparisons at one location of a request, with functions or without, as tests of its value. */

import type { Comparison, FunctionTest } from "../../expression/ast.ts";
import { compileComparison } from "../../expression/compiler.ts";
import type { IntegerOperator, StringOperator } from "../../expression/language/operators.ts";
import { compileValueTest } from "../../expression/value.ts";
import { type UriPart, uriPart } from "./derived-dfas.ts";
import { type IntegerFunction, type StringFunction, splitFunctions } from "./function-dfas.ts";
import { type AffixPieces, dfasOf } from "./operator-dfas.ts";

/** A comparison of a location's value, or of a part of it. */
export interface StringTest {
  readonly comparison: Comparison | FunctionTest;
  /** Present when the location is a URI, and only this part of it is compared. */
  readonly part?: UriPart;
}

/** The condition of a test on a value. */
export type StringCondition = StringOfValue | IntegerOfValue;

interface ValueOfPart {
  readonly part: UriPart | undefined;
  /** The functions before the comparison whose results are strings, the outermost first. */
  readonly functions: readonly StringFunction[];
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
  if (comparison.kind === "comparison") {
    const operand = "values" in comparison ? comparison.values : comparison.value;
    return { part, functions: [], integer: undefined, operator: comparison.operator, operand };
  }
  const { operator, operand } = comparison;
  // The parser has checked that operator and operand are of the type of the value.
  return { part, ...splitFunctions(comparison.functions), operator, operand } as StringCondition;
}

/** Compiles a test to a function of the location's value. */
export function compileStringTest({ comparison, part }: StringTest): (value: string) => boolean {
  const test =
    comparison.kind === "comparison" ? compileComparison(comparison) : compileValueTest(comparison);
  return part === undefined ? test : (value) => test(uriPart(value, part));
}

/** The strings that a condition compares with, and whether it is true for all others; undefined for other conditions. */
export function literalsOf(condition: StringCondition): Literals | undefined {
  if (condition.integer !== undefined) return undefined;
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
  if (condition.integer !== undefined) return undefined;
  const dfas = dfasOf(condition.operator);
  return "literals" in dfas || dfas.pieces === "none" ? undefined : dfas.pieces(condition.operand);
}
