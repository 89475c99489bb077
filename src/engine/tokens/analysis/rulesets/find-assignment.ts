/**
 * Searches for a request that reaches a custom rule. An assignment with the wanted properties is run step by step; the
 * rules that end or skip the evaluation before the wanted rule are then excluded, and only these: most questions need
 * none, and a rule that no request reaches needs few. What is not found does not exist.
 */

import type { Program, Step } from "../../rulesets/program.ts";
import { runProgram } from "../../rulesets/run.ts";
import { skipEffect } from "../../rulesets/skip-targets.ts";
import { type Meter, spend } from "../budget.ts";
import { type Formula, holds } from "../model/formula.ts";
import type { Assignment } from "../requests/assignments.ts";
import { alwaysFalse, alwaysTrue, type DecisionDiagram } from "../requests/decision-diagram.ts";
import type { RequestVariables } from "../requests/variables.ts";
import { runDiagrams } from "./run-diagrams.ts";

/** The steps of a zone, and their formulas. */
export interface SearchedProgram<E> {
  readonly program: Program<E>;
  readonly variables: RequestVariables;
  readonly meter: Meter;
  readonly formulaAt: (at: number) => Formula;
  /** Whether the client has passed a challenge. */
  readonly challengePassed: Formula;
}

/** An assignment, or the steps that end or skip the evaluation of all that are wanted. */
export type SearchedReach =
  | { readonly assignment: Assignment }
  | { readonly assignment: undefined; readonly endedBy: readonly number[] };

/**
 * An assignment with a property that reaches a step; with `toEnd` no other step ends the evaluation after it either.
 */
export function findAssignment<E>(
  searched: SearchedProgram<E>,
  at: number,
  wanted: DecisionDiagram,
  toEnd = false,
): SearchedReach {
  const { program, variables, formulaAt, meter } = searched;
  const { diagrams, where } = variables;
  const { combine } = diagrams;
  const challengePassed = where(searched.challengePassed);
  const relevant = createRelevantSteps(searched, wanted);
  if (toEnd) relevant.add(at);
  else relevant.addExecutesOf(at);
  /** The wanted requests that the relevant steps let through. */
  const goalOf = () => {
    const { reached, passes } = runDiagrams(program, diagrams, {
      valueAt: (step) => (relevant.steps.has(step) ? where(formulaAt(step)) : alwaysFalse),
      challengePassed,
    });
    spend(meter, program.steps.length);
    const reaching = combine("and", wanted, reached.get(at) ?? alwaysFalse);
    return combine("and", reaching, toEnd ? passes : alwaysTrue);
  };
  for (;;) {
    const goal = relevant.steps.size === 0 ? wanted : goalOf();
    const [assignment] = variables.assignments(goal);
    if (assignment === undefined) return { assignment, endedBy: [...relevant.steps].sort((a, b) => a - b) };
    const before = relevant.steps.size;
    const obstacles = obstaclesOf(searched, assignment, at, toEnd);
    for (const obstacle of obstacles) relevant.add(obstacle);
    // An obstacle that does not exclude the assignment is none for all that is known.
    if (relevant.steps.size === before) return { assignment };
  }
}

/** The steps that end or skip the evaluation before a step, or anywhere; none when the assignment reaches it. */
function obstaclesOf<E>(
  { program, variables, formulaAt, challengePassed }: SearchedProgram<E>,
  assignment: Assignment,
  at: number,
  toEnd: boolean,
): readonly number[] {
  const isTrue = variables.readerOf(assignment);
  const moving: number[] = [];
  let isReached = false;
  const { ends } = runProgram({
    program,
    candidates: toEnd ? program.steps.keys() : Array.from({ length: at + 1 }, (_, i) => i),
    challengePassed: holds(challengePassed, isTrue),
    valueAt: (step) => {
      if (step === at) isReached = true;
      if (isReached && !toEnd) return false;
      const value = holds(formulaAt(step), isTrue);
      const { ends: kind, rule } = program.steps[step] as Step<E>;
      if (value && step !== at && (kind !== undefined || rule.action === "skip")) moving.push(step);
      return value;
    },
  });
  const isEnded = toEnd && ends.some(({ action }) => action === "block" || action === "challenge");
  return isReached && !isEnded ? [] : moving;
}

/** The steps that a question looks at, with all that decide whether these are evaluated. */
function createRelevantSteps<E>(
  { program, variables, formulaAt }: SearchedProgram<E>,
  wanted: DecisionDiagram,
) {
  const { combine } = variables.diagrams;
  const valueAt = (at: number) => variables.where(formulaAt(at));
  const steps = new Set<number>();

  function addExecutesOf(at: number): void {
    for (const [i, { rule, after }] of program.steps.slice(0, at).entries())
      if (rule.action === "execute" && after > at) add(i);
  }

  function add(at: number): void {
    if (steps.has(at)) return;
    steps.add(at);
    addExecutesOf(at);
    const own = combine("and", wanted, valueAt(at));
    for (const [i, { rule, enabled }] of program.steps.slice(0, at).entries()) {
      if (rule.action !== "skip" || !enabled) continue;
      const skipped = skipEffect(program, i);
      const isSkipped = skipped.to > at || skipped.steps.some((skip) => covers(skip, at));
      if (isSkipped && combine("and", own, valueAt(i)) !== alwaysFalse) add(i);
    }
  }

  /** Whether a step is another one, or executes its ruleset. */
  function covers(step: number, at: number): boolean {
    const { rule, after } = program.steps[step] as Step<E>;
    return step === at || (rule.action === "execute" && step < at && at < after);
  }

  return { steps, add, addExecutesOf };
}
