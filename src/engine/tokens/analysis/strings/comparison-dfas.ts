/** The comparisons at one location of a request as DFAs, to be run over all its values. */

import type { Comparison } from "../../expression/ast.ts";
import { type Dfa, stringSetDfa, substringDfa, wildcardDfa } from "./dfa.ts";

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
export function comparisonDfa(comparison: Comparison): ComparisonDfa {
  const { operator } = comparison;
  if (operator === "contains") return { dfa: substringDfa(comparison.value), holds: isAccepted };
  if (operator === "wildcard" || operator === "strict wildcard")
    return { dfa: wildcardDfa(comparison.value, operator === "strict wildcard"), holds: isAccepted };
  const holds = operator === "ne" ? (output: number) => output === 0 : isAccepted;
  return { dfa: stringSetDfa(literalValues(comparison)), holds };
}

function isAccepted(output: number): boolean {
  return output !== 0;
}

/** Builds DFAs; comparisons with whole strings share the first one, which also recognizes the marked strings. */
export function comparisonDfas(
  comparisons: readonly Comparison[],
  marked: readonly string[] = [],
): ComparisonDfas {
  const literals = [...new Set([...marked, ...comparisons.flatMap(literalValues)])];
  const dfas = [stringSetDfa(literals)];
  const readers = comparisons.map((comparison) => answerReader(comparison, literals, dfas));
  return {
    dfas,
    answers: (outputs) => readers.map((read) => read(outputs)),
    markedIndex: ([which = 0]) => (which > 0 && which <= marked.length ? which - 1 : -1),
  };
}

function literalValues(comparison: Comparison): readonly string[] {
  if (comparison.operator === "in") return comparison.values;
  return comparison.operator === "eq" || comparison.operator === "ne" ? [comparison.value] : [];
}

/** How to read a comparison's result from the outputs; adds the DFA that the comparison needs. */
function answerReader(
  comparison: Comparison,
  literals: readonly string[],
  dfas: Dfa[],
): (outputs: readonly number[]) => boolean {
  if (comparison.operator === "in") {
    const accepted = new Set(comparison.values.map((value) => literals.indexOf(value) + 1));
    return ([which = 0]) => accepted.has(which);
  }
  const { operator, value } = comparison;
  if (operator === "eq" || operator === "ne") {
    const accepted = literals.indexOf(value) + 1;
    return ([which = 0]) => (which === accepted) === (operator === "eq");
  }
  const index = dfas.push(comparisonDfa(comparison).dfa) - 1;
  return (outputs) => outputs[index] === 1;
}
