/** Whether comparisons have the same results for all tokens, which are not known before they are minted. */

import { toBytes } from "../../expression/values/bytes.ts";
import { type ComparisonDfa, comparisonDfa, compileStringTest } from "../strings/comparison-dfas.ts";
import { deadState } from "../strings/dfa.ts";
import { conditionOf, literalsOf, piecesOf, type StringTest } from "../strings/string-test.ts";

/** Letters of tokens, of which real ones have any. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Every pair of letters. */
const allPairs = [...letters].map((first) => [...letters].map((second) => first + second).join("")).join("");

/**
 * Tokens that have only in common what all tokens have. A comparison with different results for them depends on the
 * letters of the token, which are not known before it is minted.
 */
const typicalTokens = [
  `eyJ${"qQ".repeat(30)}.eyJ${"qQ".repeat(60)}.${"qQ".repeat(43)}`,
  `eyJ${"wW".repeat(40)}.e30.${"wW".repeat(170)}`,
  `eyJ${allPairs}.eyJ${allPairs}.${allPairs}`,
] as const;

/** Whether every token has the results of a placeholder, in a source's value after a prefix. */
export function hasTypicalAnswers(
  comparisons: readonly StringTest[],
  prefix: string,
  placeholder: string,
): boolean {
  if (comparisons.length === 0) return true;
  if (comparisons.some((comparison) => dependsOnToken(comparison, prefix, placeholder))) return false;
  const tests = comparisons.map(compileStringTest);
  const resultsOf = (token: string) => tests.map((test) => test(prefix + token)).join();
  return new Set([placeholder, ...typicalTokens].map(resultsOf)).size === 1;
}

const byteLength = (text: string) => toBytes(text).length;

/** The bytes of the longest tokens. */
const maxTokenBytes = Math.max(...typicalTokens.map(byteLength));

/** Whether some tokens can have another result than the typical ones: by their length, first or last letters. */
function dependsOnToken(comparison: StringTest, prefix: string, placeholder: string): boolean {
  const condition = conditionOf(comparison);
  if (condition.integer === "len") {
    const { operand } = condition;
    return operand >= byteLength(prefix + placeholder) && operand <= byteLength(prefix) + maxTokenBytes;
  }
  if (literalsOf(condition) !== undefined) return false;
  const pieces = piecesOf(condition);
  if (pieces === undefined) return !isConstantAfter(comparisonDfa(comparison), prefix);
  return reachesToken(pieces.start, prefix) || /^[\w-]+$/.test(pieces.end);
}

/** The maximum number of states after a prefix that are compared. */
const maxStates = 500;

/** Whether a comparison has one result for the prefix with any letters of tokens after it. */
function isConstantAfter({ dfa, holds }: ComparisonDfa, prefix: string): boolean {
  const advance = (state: number, units: string) =>
    units.split("").reduce((from, unit) => (from === deadState ? from : dfa.step(from, unit)), state);
  const states = new Set([advance(dfa.start, `${prefix}eyJ`)]);
  const results = new Set<boolean>();
  for (const state of states) {
    results.add(holds(dfa.output(state)));
    if (results.size > 1 || states.size > maxStates) return false;
    for (const letter of `${letters}.`) states.add(advance(state, letter));
  }
  return true;
}

/** Whether a value must start with the prefix and more letters of the token than all tokens start with. */
function reachesToken(start: string, prefix: string): boolean {
  return start.toLowerCase().startsWith(`${prefix}eyJ`.toLowerCase()) && start.length > prefix.length + 3;
}
