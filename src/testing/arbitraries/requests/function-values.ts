/** Values of a field for which a comparison with functions is true, and values for which it is false. */

import type { TextComparison } from "../../../engine/tokens/analysis/strings/string-test.ts";
import {
  operandKindOf,
  type TextOperandKind,
  type TextOperands,
} from "../../../engine/tokens/analysis/strings/text-operators.ts";
import { compileValueTest } from "../../../engine/tokens/analysis/strings/text-test.ts";
import type { FastCheck } from "../fast-check.ts";

/** The maximum number of values with the same result. */
const maxValues = 4;

/** The maximum length of a value that is made for a comparison of its length. */
const maxLength = 4096;

/** Values of the field, before the functions: up to four that make the comparison true, and up to four that do not. */
export function valuesOfTest(fc: FastCheck, test: TextComparison): string[] {
  const holds = compileValueTest(test);
  const [passing, failing]: [string[], string[]] = [[], []];
  for (const value of new Set(candidates(fc, test))) {
    const list = holds(value) ? passing : failing;
    if (list.length < maxValues) list.push(value);
  }
  return [...passing, ...failing];
}

/** Values near the operand of a comparison. */
function candidates(fc: FastCheck, { functions, operator, operand }: TextComparison): string[] {
  const near = nearOperand[operandKindOf(functions, operator)] as NearOperand<typeof operand>;
  return [...near(operand, fc), ...neutral];
}

type NearOperand<Operand> = (operand: Operand, fc: FastCheck) => readonly string[];

/** Values near an operand, by its kind. */
const nearOperand: { readonly [K in TextOperandKind]: NearOperand<TextOperands[K]> } = {
  string: (value) => [value, `${value}x`, `x${value}`, `x${value}x`].flatMap(spellings),
  order: (value) => [value, `${value}x`, value.slice(0, -1)],
  wildcard: (pattern) => matchesOfWildcard(pattern).flatMap(spellings),
  regex: (pattern, fc) => matchesOf(fc, pattern),
  set: (values) => values.flatMap(spellings),
  integer: valuesOfLength,
};

/** Values that most comparisons do not match; paths start with a slash. */
const neutral = ["x", "/x", "/", ""];

/** A string in the letter cases that `lower` and `upper` produce. */
function spellings(text: string): string[] {
  return [text, text.toLowerCase(), text.toUpperCase()];
}

/** Values of a length and its neighbors, each also as a path. */
function valuesOfLength(length: number): string[] {
  return [length, length + 1, length - 1, length + 8, 0]
    .filter((count) => count >= 0 && count <= maxLength)
    .flatMap((count) => (count === 0 ? [""] : [`/${"x".repeat(count - 1)}`, "x".repeat(count)]));
}

/** Strings that a pattern of `wildcard` matches: `\*` and `\\` are literal. */
function matchesOfWildcard(pattern: string): string[] {
  return ["x", ""].map((filling) =>
    pattern.replace(/\\([*\\])|\*+/g, (_, literal: string | undefined) => literal ?? filling),
  );
}

/** The number of random strings for a regular expression. */
const matchCount = 8;

/** Strings that a regular expression matches, as far as JavaScript reads it in the same way. */
function matchesOf(fc: FastCheck, pattern: string): string[] {
  try {
    // linear: strings are made from it, and it is run on at most 0 characters
    const matching = fc.stringMatching(new RegExp(pattern, "u"), { size: "xsmall" });
    return fc.sample(matching, { numRuns: matchCount, seed: 1 });
  } catch {
    return [];
  }
}
