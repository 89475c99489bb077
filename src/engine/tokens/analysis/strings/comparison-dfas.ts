/** The comparisons with one place, as automata to be run over all its texts. */

import type { Comparison } from "../../expression/ast.ts";
import { type Automaton, containing, matching, whichText } from "./dfa.ts";

/** Comparisons ready to be explored. */
export interface Questions {
  readonly automata: readonly Automaton[];
  /** The answers to the comparisons, from the outputs of the automata. */
  answers(outputs: readonly number[]): boolean[];
  /** Which of the marked texts the text is: its place in the list, from 0; -1 for none. */
  marked(outputs: readonly number[]): number;
}

/** A comparison by itself, as an automaton and what its output says. */
export interface Question {
  readonly automaton: Automaton;
  holds(output: number): boolean;
}

/** A comparison as an automaton of its own. */
export function ask(comparison: Comparison): Question {
  const { operator } = comparison;
  if (operator === "contains") return { automaton: containing(comparison.value), holds: isYes };
  if (operator === "wildcard" || operator === "strict wildcard")
    return { automaton: matching(comparison.value, operator === "strict wildcard"), holds: isYes };
  const automaton = whichText(wholeTexts(comparison));
  return { automaton, holds: operator === "ne" ? (output) => output === 0 : isYes };
}

function isYes(output: number): boolean {
  return output !== 0;
}

/** Comparisons with whole texts share the first automaton; `marks` are texts to tell apart beside them. */
export function askAll(comparisons: readonly Comparison[], marks: readonly string[] = []): Questions {
  const texts = [...new Set([...marks, ...comparisons.flatMap(wholeTexts)])];
  const automata = [whichText(texts)];
  const readers = comparisons.map((comparison) => readerOf(comparison, texts, automata));
  return {
    automata,
    answers: (outputs) => readers.map((read) => read(outputs)),
    marked: ([which = 0]) => (which > 0 && which <= marks.length ? which - 1 : -1),
  };
}

function wholeTexts(comparison: Comparison): readonly string[] {
  if (comparison.operator === "in") return comparison.values;
  return comparison.operator === "eq" || comparison.operator === "ne" ? [comparison.value] : [];
}

type Reader = (outputs: readonly number[]) => boolean;

/** How a comparison is read from the outputs; adds the automaton that it needs. */
function readerOf(comparison: Comparison, texts: readonly string[], automata: Automaton[]): Reader {
  if (comparison.operator === "in") {
    const places = new Set(comparison.values.map((value) => texts.indexOf(value) + 1));
    return ([which = 0]) => places.has(which);
  }
  const { operator, value } = comparison;
  if (operator === "eq" || operator === "ne") {
    const place = texts.indexOf(value) + 1;
    return ([which = 0]) => (which === place) === (operator === "eq");
  }
  const automaton =
    operator === "contains" ? containing(value) : matching(value, operator === "strict wildcard");
  const place = automata.push(automaton) - 1;
  return (outputs) => outputs[place] === 1;
}
