/** The comparisons at one location of a request, with functions or without, as tests of its value. */

import type { Comparison, FunctionTest } from "../../expression/ast.ts";
import { compileComparison } from "../../expression/compiler.ts";
import { compileValueTest } from "../../expression/value.ts";
import { splitPattern } from "../../expression/wildcard.ts";
import { type CaseFunction, type UriPart, uriPart } from "./derived-dfas.ts";

/** A comparison of a location's value, or of a part of it. */
export interface StringTest {
  readonly comparison: Comparison | FunctionTest;
  /** Present when the location is a URI, and only this part of it is compared. */
  readonly part?: UriPart;
}

/** What a test asks of a value. */
export interface StringCondition {
  readonly part: UriPart | undefined;
  /** The change of letter case before the comparison: of nested ones the outermost. */
  readonly change: CaseFunction | undefined;
  readonly operator: FunctionTest["operator"];
  /** A number when the length is compared. */
  readonly operand: FunctionTest["operand"];
}

/** The condition of a test. */
export function conditionOf({ comparison, part }: StringTest): StringCondition {
  if (comparison.kind === "comparison") {
    const operand = comparison.operator === "in" ? comparison.values : comparison.value;
    return { part, change: undefined, operator: comparison.operator, operand };
  }
  const { operator, operand, functions } = comparison;
  const [change] = functions;
  return { part, change: change === "len" ? undefined : change, operator, operand };
}

/** Compiles a test to a function of the location's value. */
export function compileStringTest({ comparison, part }: StringTest): (value: string) => boolean {
  const test =
    comparison.kind === "comparison" ? compileComparison(comparison) : compileValueTest(comparison);
  return part === undefined ? test : (value) => test(uriPart(value, part));
}

/** The strings that a condition with `eq`, `ne` or `in` compares with; none for the others. */
export function literalsOf({ operator, operand }: StringCondition): readonly string[] {
  if (typeof operand === "object") return operand;
  const isLiteral = operator === "eq" || operator === "ne";
  return isLiteral && typeof operand === "string" ? [operand] : [];
}

/** Whether the whole value is compared with strings, as it is. */
export function isWholeString({ part, change, operator, operand }: StringCondition): boolean {
  const isLiteral = operator === "eq" || operator === "ne" || operator === "in";
  return isLiteral && typeof operand !== "number" && part === undefined && change === undefined;
}

/** The pieces that a value must start with, contain between, and end with; undefined for other conditions. */
export interface AffixPieces {
  readonly start: string;
  readonly between: readonly string[];
  readonly end: string;
}

/** The pieces of a condition that is met by a sequence of strings. */
export function piecesOf({ operator, operand }: StringCondition): AffixPieces | undefined {
  if (typeof operand !== "string") return undefined;
  switch (operator) {
    case "contains":
      return { start: "", between: [operand], end: "" };
    case "starts_with":
      return { start: operand, between: [], end: "" };
    case "ends_with":
      return { start: "", between: [], end: operand };
    case "wildcard":
    case "strict wildcard": {
      const [start = "", ...others] = splitPattern(operand);
      const end = others.pop() ?? "";
      return { start, between: others, end };
    }
    default:
      return undefined;
  }
}
