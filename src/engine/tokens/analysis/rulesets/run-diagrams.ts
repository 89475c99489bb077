/** The course of custom rules as functions of the request: what each rule ends, for the order of the evaluation. */

import type { Program, Step } from "../../rulesets/program.ts";
import { skipEffect } from "../../rulesets/skip-targets.ts";
import {
  alwaysFalse,
  alwaysTrue,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";

/** A step, and the requests for which it does something. */
export interface StepDiagram {
  readonly at: number;
  readonly where: DecisionDiagram;
}

/** The course of a program. */
export interface RunDiagrams {
  /** The steps that end the evaluation. */
  readonly ends: readonly StepDiagram[];
  /** The steps with `log` that are the first to fire. */
  readonly firstLogs: readonly StepDiagram[];
  /** The steps that are evaluated, and those of them whose expression is true. */
  readonly reached: ReadonlyMap<number, DecisionDiagram>;
  readonly matched: ReadonlyMap<number, DecisionDiagram>;
  /** The requests that no step ends. */
  readonly passes: DecisionDiagram;
}

/** The inputs of a run. */
export interface RunConditions {
  /** The requests for which the expression of a step is true. */
  readonly valueAt: (at: number) => DecisionDiagram;
  /** The requests of clients that have passed a challenge. */
  readonly challengePassed: DecisionDiagram;
}

/** Runs the steps of a program for all requests at once. */
export function runDiagrams<E>(
  program: Program<E>,
  { combine, not }: DiagramManager,
  { valueAt, challengePassed }: RunConditions,
): RunDiagrams {
  const both = (a: DecisionDiagram, b: DecisionDiagram) => combine("and", a, b);
  const ends: StepDiagram[] = [];
  const firstLogs: StepDiagram[] = [];
  const reached = new Map<number, DecisionDiagram>();
  const matched = new Map<number, DecisionDiagram>();
  /** The requests that go on at a later step, and those for which a step is skipped. */
  const resumed = new Map<number, DecisionDiagram>();
  const skipped = new Map<number, DecisionDiagram>();
  const add = (to: Map<number, DecisionDiagram>, at: number, where: DecisionDiagram) =>
    to.set(at, combine("or", to.get(at) ?? alwaysFalse, where));
  let going: DecisionDiagram = alwaysTrue;
  let unlogged: DecisionDiagram = alwaysTrue;

  const leave = (where: DecisionDiagram) => {
    going = both(going, not(where));
  };
  const jump = (from: number, to: number, where: DecisionDiagram) => {
    if (to <= from + 1) return;
    add(resumed, to, where);
    leave(where);
  };
  const fire = (at: number, step: Step<E>, where: DecisionDiagram) => {
    if (step.rule.action === "log") {
      firstLogs.push({ at, where: both(where, unlogged) });
      unlogged = both(unlogged, not(where));
    }
    if (step.rule.action === "skip") {
      const { to, steps } = skipEffect(program, at);
      for (const position of steps) add(skipped, position, where);
      jump(at, to, where);
    }
    if (step.ends === undefined) return;
    const ended = step.ends === "challenge" ? both(where, not(challengePassed)) : where;
    ends.push({ at, where: ended });
    leave(ended);
  };

  for (const [at, step] of program.steps.entries()) {
    going = combine("or", going, resumed.get(at) ?? alwaysFalse);
    const isExecute = step.rule.action === "execute";
    if (!step.enabled) {
      if (isExecute) jump(at, step.after, going);
      continue;
    }
    const skippedHere = both(going, skipped.get(at) ?? alwaysFalse);
    const here = both(going, not(skippedHere));
    reached.set(at, here);
    const where = here === alwaysFalse ? alwaysFalse : both(here, valueAt(at));
    matched.set(at, where);
    if (isExecute) jump(at, step.after, combine("or", skippedHere, both(here, not(where))));
    if (where !== alwaysFalse) fire(at, step, where);
  }
  const passes = combine("or", going, resumed.get(program.steps.length) ?? alwaysFalse);
  return { ends, firstLogs, reached, matched, passes };
}
