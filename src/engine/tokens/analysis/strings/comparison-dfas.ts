/** The comparisons at one location of a request as DFAs, to be run over all its values. */

import { integerTests } from "../../expression/value.ts";
import { caseDfa, uriPartDfa } from "./derived-dfas.ts";
import { affixDfa, type Dfa, stringSetDfa, substringDfa, wildcardDfa } from "./dfa.ts";
import { compareLength, lengthDfa } from "./length-dfa.ts";
import { patternDfa } from "./pattern-dfa.ts";
import {
  conditionOf,
  isWholeString,
  literalsOf,
  type StringCondition,
  type StringTest,
} from "./string-test.ts";

/** The DFAs of several comparisons, and how to read their outputs. */
export interface ComparisonDfas {
  readonly dfas: readonly Dfa[];
  /** The results of the comparisons, from the outputs of the DFAs. */
  answers(outputs: readonly number[]): boolean[];
  /** The index of the value among the marked strings, from 0; -1 when it is not one of them. */
  markedIndex(outputs: readonly number[]): number;
}

/** The DFA of one comparison, and how to read its output. */
export interface ComparisonDfa {
  readonly dfa: Dfa;
  holds(output: number): boolean;
}

/** Builds the DFA of one comparison. */
export function comparisonDfa(test: StringTest): ComparisonDfa {
  const condition = conditionOf(test);
  const { part, change, operator, operand } = condition;
  if (typeof operand === "number") {
    const holds = lengthReader(condition, [operand]);
    return { dfa: ofPart(lengthDfa([operand]), part), holds };
  }
  const changed = change === undefined ? valueDfa(condition) : caseDfa(valueDfa(condition), change);
  const holds = operator === "ne" ? (output: number) => output === 0 : isAccepted;
  return { dfa: ofPart(changed, part), holds };
}

/** The DFA of the value after the change of its case. */
function valueDfa(condition: StringCondition): Dfa {
  const { operator, operand } = condition;
  if (typeof operand !== "string") return stringSetDfa(literalsOf(condition));
  switch (operator) {
    case "contains":
      return substringDfa(operand);
    case "wildcard":
    case "strict wildcard":
      return wildcardDfa(operand, operator === "strict wildcard");
    case "starts_with":
      return affixDfa(operand, "");
    case "ends_with":
      return affixDfa("", operand);
    case "matches":
      return supportedPatternDfa(operand);
    default:
      return stringSetDfa([operand]);
  }
}

function supportedPatternDfa(pattern: string): Dfa {
  const dfa = patternDfa(pattern);
  if (dfa === undefined) throw new RangeError("the pattern is not supported");
  return dfa;
}

function ofPart(dfa: Dfa, part: StringTest["part"]): Dfa {
  return part === undefined ? dfa : uriPartDfa(dfa, part);
}

function isAccepted(output: number): boolean {
  return output !== 0;
}

/** How to read the result of a comparison of a length from the output of a DFA for some integers. */
function lengthReader(
  { operator, operand }: StringCondition,
  integers: readonly number[],
): (output: number) => boolean {
  const index = integers.indexOf(Number(operand));
  const compare = integerTests[operator as keyof typeof integerTests];
  return (output) => compare(compareLength(output, index), 0);
}

/**
 * Builds DFAs; comparisons with whole strings share the first one, which also recognizes the marked strings, and
 * comparisons of the length of one string share one, too.
 */
export function comparisonDfas(tests: readonly StringTest[], marked: readonly string[] = []): ComparisonDfas {
  const conditions = tests.map(conditionOf);
  const literals = [...new Set([...marked, ...conditions.filter(isWholeString).flatMap(literalsOf)])];
  const dfas = [stringSetDfa(literals)];
  const lengths = new Map<StringTest["part"], { readonly index: number; readonly integers: number[] }>();
  for (const part of [undefined, "path", "query"] as const) {
    const integers = lengthsOf(conditions.filter((condition) => condition.part === part));
    if (integers.length > 0)
      lengths.set(part, { index: dfas.push(ofPart(lengthDfa(integers), part)) - 1, integers });
  }
  const readers = conditions.map((condition, i): ((outputs: readonly number[]) => boolean) => {
    if (isWholeString(condition)) return literalReader(condition, literals);
    const shared = typeof condition.operand === "number" ? lengths.get(condition.part) : undefined;
    if (shared !== undefined) {
      const read = lengthReader(condition, shared.integers);
      return (outputs) => read(outputs[shared.index] ?? 0);
    }
    const { dfa, holds } = comparisonDfa(tests[i] as StringTest);
    const index = dfas.push(dfa) - 1;
    return (outputs) => holds(outputs[index] ?? 0);
  });
  return {
    dfas,
    answers: (outputs) => readers.map((read) => read(outputs)),
    markedIndex: ([which = 0]) => (which > 0 && which <= marked.length ? which - 1 : -1),
  };
}

/** The different integers that lengths are compared with, ascending. */
function lengthsOf(conditions: readonly StringCondition[]): number[] {
  const integers = conditions.flatMap(({ operand }) => (typeof operand === "number" ? [operand] : []));
  return [...new Set(integers)].sort((a, b) => a - b);
}

/** How to read the result of a comparison with whole strings from the output of the first DFA. */
function literalReader(
  condition: StringCondition,
  literals: readonly string[],
): (outputs: readonly number[]) => boolean {
  const accepted = new Set(literalsOf(condition).map((value) => literals.indexOf(value) + 1));
  const isIn = condition.operator !== "ne";
  return ([which = 0]) => accepted.has(which) === isIn;
}
