/**
 * Searches for patterns whose work is bounded: at most about 70 ms of processor time for 30,000 characters (`chosen`). A
 * pattern is rejected when neither the instructions for a character nor the states of its automaton are few.
 */

import { quote } from "../../../../errors.ts";
import { type Automaton, createAutomaton } from "./automaton.ts";
import { type PatternProgram, programOf } from "./program.ts";
import { measurePattern } from "./repetitions.ts";

/** The engine that parses patterns (RE2 syntax) and compiles them to programs. */
export interface PatternEngine {
  compile(pattern: string): object;
}

/** A search, or the reason why the pattern is rejected. */
export type BoundedSearch =
  | { readonly automaton: Automaton; readonly problem?: never }
  | { readonly automaton?: never; readonly problem: string };

/** Limits of patterns (`chosen`, measured). */
const limits = {
  /** Maximum size with all repetitions written out. */
  size: 20_000,
  /** Maximum work for one character without states. */
  work: 450,
  /** Maximum number of steps to build all states. */
  steps: 20_000_000,
  /** Maximum number of instructions in all states together. */
  kept: 60_000,
} as const;

/** Creates the search for a pattern. */
export function createBoundedSearch(engine: PatternEngine, pattern: string): BoundedSearch {
  const { size } = measurePattern(pattern);
  if (size > limits.size) return { problem: tooMuch(pattern) };
  const program = compile(engine, pattern);
  if (typeof program === "string") return { problem: program };
  const automaton = createAutomaton(program, { maxKept: limits.kept });
  const isBounded = automaton.maxWork() <= limits.work || automaton.complete(limits.steps);
  return isBounded ? { automaton } : { problem: tooMuch(pattern) };
}

function compile(engine: PatternEngine, pattern: string): PatternProgram | string {
  try {
    return programOf(engine.compile(pattern));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tooMuch(pattern: string): string {
  const { largest, size } = measurePattern(pattern);
  const cause =
    largest === undefined
      ? `it has ${size} characters and classes, too many of which can be reached at once; write fewer alternatives`
      : `its repetition ${quote(largest.text)} is ${largest.size} characters and classes, too many of which can be reached at once; lower its maximum, or compare the length with \`len\``;
  return `the search would take too long: ${cause}`;
}
