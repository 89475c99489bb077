/** The comparisons at one location of a request as DFAs, to be run over all its values. */

import { uriPart, uriPartDfa } from "./derived-dfas.ts";
import { type Dfa, runDfa, stringSetDfa } from "./dfa.ts";
import { integerFunctions, stringFunctions } from "./function-dfas.ts";
import { holdsInside, innerDfa } from "./inner-values.ts";
import { compareLength } from "./length-dfa.ts";
import { dfasOf, integerSigns } from "./operator-dfas.ts";
import {
  conditionOf,
  type IntegerOfValue,
  isPartial,
  type Literals,
  type StringCondition,
  type StringOfValue,
  type StringTest,
  wholeLiteralsOf,
} from "./string-test.ts";
import { compileValueTest } from "./text-test.ts";

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
export function isDecided(comparison: StringTest["comparison"]): boolean {
  const condition = conditionOf({ comparison });
  if (condition.functions.some((name) => stringFunctions[name] === "undecided")) return false;
  if (condition.functions.includes("url_decode") && !isDecodable(condition)) return false;
  if (condition.integer === undefined) {
    const known = dfasOf(condition.operator);
    return "literals" in known || known.dfa(condition.operand) !== "undecided";
  }
  const { integer, operator, operand } = condition;
  const dfas = integerFunctions[integer];
  return dfas !== "undecided" && integerSigns[operator] !== "undecided" && operand <= dfas.max;
}

/** Whether a decoded string is compared with characters of ASCII, each of which is a byte. */
function isDecodable({ integer, operator, operand }: StringCondition): boolean {
  const strings = typeof operand === "string" ? [operand] : typeof operand === "number" ? [] : operand;
  const isAscii = strings.every((text) => text.split("").every((unit) => unit < "\x80"));
  return integer === undefined && operator !== "matches" && isAscii;
}

/** Builds the DFA of one comparison, which must be decided. */
export function comparisonDfa(test: StringTest): ComparisonDfa {
  const condition = conditionOf(test);
  const { run } = condition;
  if (run !== undefined) {
    const { dfa, from, to } = run;
    const output = (state: number) => Number(typeof to === "number" ? state === to : to(dfa.output(state)));
    return ofUri({ ...dfa, start: from, output }, (result) => result !== 0, condition);
  }
  if (condition.integer !== undefined) {
    const dfa = integerDfa(condition, [condition.operand]);
    return ofWhole(dfa, integerReader(condition, [condition.operand]), condition);
  }
  const dfas = dfasOf(condition.operator);
  const isNegated = "literals" in dfas && dfas.isNegated;
  const holds = (output: number) => (output !== 0) !== isNegated;
  return ofWhole(beforeFunctions(decided(valueDfa(condition)), condition), holds, condition);
}

/** The DFA of a location's value, of which a value in it or a part of the URI is compared. */
function ofWhole(dfa: Dfa, holds: ComparisonDfa["holds"], condition: StringCondition): ComparisonDfa {
  const { inner } = condition;
  if (inner === undefined) return ofUri(dfa, holds, condition);
  return ofUri(innerDfa(dfa, holds, inner), (result) => result !== 0, condition);
}

function ofUri(dfa: Dfa, holds: ComparisonDfa["holds"], { part }: StringCondition): ComparisonDfa {
  return { dfa: part === undefined ? dfa : uriPartDfa(dfa, part), holds };
}

/** Compiles a test to a function of the location's value. */
export function compileStringTest(test: StringTest): (value: string) => boolean {
  const { comparison, part } = test;
  const { inner, run } = comparison;
  if (run !== undefined) {
    const { dfa, holds } = comparisonDfa(test);
    return (value) => holds(dfa.output(runDfa(dfa, dfa.start, value)));
  }
  const own = compileValueTest(comparison);
  const tests = inner === undefined ? own : (value: string) => holdsInside(value, inner, own);
  return part === undefined ? tests : (value) => tests(uriPart(value, part));
}

/** The DFA of the value after its functions; of a negated comparison that of its opposite. */
function valueDfa({ operator, operand }: StringOfValue): Dfa | "undecided" {
  const dfas = dfasOf(operator);
  return "literals" in dfas ? stringSetDfa(dfas.literals(operand)) : dfas.dfa(operand);
}

/** The DFA of a value before the functions. */
function beforeFunctions(dfa: Dfa, { functions }: StringCondition): Dfa {
  return functions.reduce((after, name) => decided(stringFunctions[name])(after), dfa);
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
    if (condition.integer === undefined || isPartial(condition) || shared.has(key)) continue;
    const integers = integersOf(conditions.filter((other) => valueKey(other) === key));
    const { dfa } = ofUri(integerDfa(condition, integers), Boolean, condition);
    shared.set(key, { index: dfas.push(dfa) - 1, integers });
  }
  const readers = conditions.map((condition, i): ((outputs: readonly number[]) => boolean) => {
    const whole = wholeLiteralsOf(condition);
    if (whole !== undefined) return literalReader(whole, literals);
    const group = shared.get(valueKey(condition));
    if (condition.integer !== undefined && group !== undefined && !isPartial(condition)) {
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
