/**
 * Searches for patterns whose work is bounded: at most about 70 ms of processor time for 30,000 characters (`chosen`). A
 * pattern is rejected when neither the instructions for a character nor the states of its automaton are few.
 */

import { messageOf } from "../../../../core/message-of.ts";
import { quote } from "../../../../errors.ts";
import type { Span } from "../syntax-error.ts";
import { type Automaton, createAutomaton } from "./automaton.ts";
import {
  maxSize,
  type ParsedPattern,
  type PatternNode,
  type PatternProblem,
  parsePattern,
} from "./pattern-parser.ts";
import { printForEngine } from "./pattern-printer.ts";
import { type PatternEngine, type PatternProgram, programOf } from "./program.ts";
import { largestRepetition } from "./repetitions.ts";

/** A search, the part that is not computed here, or the reason why the pattern is rejected. */
export type BoundedSearch =
  | { readonly automaton: Automaton }
  | { readonly undecided: string }
  | { readonly problem: PatternProblem };

/** Limits of patterns (`chosen`, measured). */
const limits = {
  /** Maximum work for one character without states. */
  work: 450,
  /** Maximum number of steps to build all states. */
  steps: 20_000_000,
  /** Maximum number of instructions in all states together. */
  kept: 60_000,
} as const;

/** Creates the search for a pattern. */
export function createBoundedSearch(engine: PatternEngine, pattern: string): BoundedSearch {
  const parsed = parsePattern(pattern);
  return parsed.ok ? searchFor(engine, pattern, parsed.value) : { problem: parsed.problems[0] };
}

function searchFor(
  engine: PatternEngine,
  pattern: string,
  { node, undecided }: ParsedPattern,
): BoundedSearch {
  if (undecided !== undefined) return { undecided };
  if (node.size > maxSize) return { problem: tooMuch(pattern, node) };
  const program = compile(engine, printForEngine(node));
  if (typeof program === "string") return { problem: { message: program, ...spanOf(node) } };
  const automaton = createAutomaton(program, { maxKept: limits.kept });
  const isBounded = automaton.maxWork() <= limits.work || automaton.complete(limits.steps);
  return isBounded ? { automaton } : { problem: tooMuch(pattern, node) };
}

function compile(engine: PatternEngine, pattern: string): PatternProgram | string {
  try {
    return programOf(engine.compile(pattern));
  } catch (error) {
    return messageOf(error);
  }
}

function spanOf({ from, to }: PatternNode): Span {
  return { start: from, end: to };
}

function tooMuch(pattern: string, node: PatternNode): PatternProblem {
  const largest = largestRepetition(node);
  const cause =
    largest === undefined
      ? `it has ${node.size} characters and classes, too many of which can be reached at once; write fewer alternatives`
      : `its repetition ${quote(pattern.slice(largest.from, largest.to))} is ${largest.size} characters and classes, too many of which can be reached at once; lower its maximum, or compare the length with \`len\``;
  return { message: `the search would take too long: ${cause}`, ...spanOf(largest ?? node) };
}
