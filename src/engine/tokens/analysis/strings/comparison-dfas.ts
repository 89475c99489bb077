/** The comparisons at one location of a request as DFAs, to be run over all its values. */

import type { FunctionTest } from "../../expression/ast.ts";
import { uriPartDfa } from "./derived-dfas.ts";
import { type Dfa, stringSetDfa } from "./dfa.ts";
import { integerFunctions, stringFunctions } from "./function-dfas.ts";
import { compareLength } from "./length-dfa.ts";
import { dfasOf, integerSigns } from "./operator-dfas.ts";
import {
  conditionOf,
  type IntegerOfValue,
  type Literals,
  literalsOf,
  type StringCondition,
  type StringOfValue,
  type StringTest,
  wholeLiteralsOf,
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

/** Whether the analysis looks into a comparison. */
export function isDecided(comparison: FunctionTest): boolean {
  const condition = conditionOf({ comparison });
  if (condition.functions.some((name) => stringFunctions[name] === "undecided")) return false;
  if (condition.integer === undefined) return valueDfa(condition) !== "undecided";
  const { integer, operator, operand } = condition;
  const dfas = integerFunctions[integer];
  return dfas !== "undecided" && integerSigns[operator] !== "undecided" && operand <= dfas.max;
}

/** Builds the DFA of one comparison, which must be decided. */
export function comparisonDfa(test: StringTest): ComparisonDfa {
  const condition = conditionOf(test);
  if (condition.integer !== undefined) {
    const dfa = integerDfa(condition, [condition.operand]);
    return { dfa, holds: integerReader(condition, [condition.operand]) };
  }
  const isNegated = literalsOf(condition)?.isNegated === true;
  const holds = (output: number) => (output !== 0) !== isNegated;
  return { dfa: beforeFunctions(decided(valueDfa(condition)), condition), holds };
}

/** The DFA of the value after its functions; of a negated comparison that of its opposite. */
function valueDfa({ operator, operand }: StringOfValue): Dfa | "undecided" {
  const dfas = dfasOf(operator);
  return "literals" in dfas ? stringSetDfa(dfas.literals(operand)) : dfas.dfa(operand);
}

/** The DFA of a location's value: before its part is taken, and before the functions. */
function beforeFunctions(dfa: Dfa, { part, functions }: StringCondition): Dfa {
  const ofValue = functions.reduce((after, name) => decided(stringFunctions[name])(after), dfa);
  return part === undefined ? ofValue : uriPartDfa(ofValue, part);
}

function integerDfa(condition: IntegerOfValue, integers: readonly number[]): Dfa {
  return beforeFunctions(decided(integerFunctions[condition.integer]).dfa(integers), condition);
}

/** How to read the result of a comparison with an integer from the output of a DFA for several. */
function integerReader(
  { operator, operand }: IntegerOfValue,
  integers: readonly number[],
): (output: number) => boolean {
  const index = integers.indexOf(operand);
  const signs = decided(integerSigns[operator]);
  return (output) => signs.includes(compareLength(output, index));
}

function decided<Known>(known: Known | "undecided"): Known {
  if (known === "undecided") throw new RangeError("the analysis does not look into the comparison");
  return known;
}

/**
 * Builds DFAs; comparisons with whole strings share the first one, which also recognizes the marked strings, and
 * comparisons of one integer, such as the length of a string, share one, too.
 */
export function comparisonDfas(tests: readonly StringTest[], marked: readonly string[] = []): ComparisonDfas {
  const conditions = tests.map(conditionOf);
  const compared = conditions.flatMap((condition) => wholeLiteralsOf(condition)?.strings ?? []);
  const literals = [...new Set([...marked, ...compared])];
  const dfas = [stringSetDfa(literals)];
  const shared = new Map<string, { readonly index: number; readonly integers: readonly number[] }>();
  for (const condition of conditions) {
    const key = valueKey(condition);
    if (condition.integer === undefined || shared.has(key)) continue;
    const integers = integersOf(conditions.filter((other) => valueKey(other) === key));
    shared.set(key, { index: dfas.push(integerDfa(condition, integers)) - 1, integers });
  }
  const readers = conditions.map((condition, i): ((outputs: readonly number[]) => boolean) => {
    const whole = wholeLiteralsOf(condition);
    if (whole !== undefined) return literalReader(whole, literals);
    const group = shared.get(valueKey(condition));
    if (condition.integer !== undefined && group !== undefined) {
      const read = integerReader(condition, group.integers);
      return (outputs) => read(outputs[group.index] ?? 0);
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

/** The key of the value that a condition compares: equal for those that can share a DFA. */
function valueKey({ part, integer, functions }: StringCondition): string {
  return JSON.stringify([part, integer, functions]);
}

/** The different integers that conditions compare with, ascending. */
function integersOf(conditions: readonly StringCondition[]): number[] {
  const integers = conditions.flatMap(({ operand }) => (typeof operand === "number" ? [operand] : []));
  return [...new Set(integers)].sort((a, b) => a - b);
}

/** How to read the result of a comparison with whole strings from the output of the first DFA. */
function literalReader(
  { strings, isNegated }: Literals,
  literals: readonly string[],
): (outputs: readonly number[]) => boolean {
  const accepted = new Set(strings.map((value) => literals.indexOf(value) + 1));
  return ([which = 0]) => accepted.has(which) !== isNegated;
}
