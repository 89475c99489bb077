/** The requests that reach each step of a program of custom rules, those that it acts on, and those that pass all. */

import type { Program, Step } from "../../rulesets/program.ts";
import { skipEffect } from "../../rulesets/skip-targets.ts";
import {
  alwaysFalse,
  alwaysTrue,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";

/** The requests that reach a step; at least these requests, when the step was too large. */
export interface ReachedStep {
  readonly reached: DecisionDiagram;
  /** The requests of these on which the rule acts. */
  readonly acts: DecisionDiagram;
}

/** A run over all requests. */
export interface SymbolicRun {
  /** Undefined for a step that was too large. */
  readonly steps: readonly (ReachedStep | undefined)[];
  /** The requests that no rule ends. */
  readonly passes: DecisionDiagram;
}

/** The input of a run. */
export interface SymbolicInput<E> {
  readonly program: Program<E>;
  readonly diagrams: DiagramManager;
  /** The requests for which the expression of a step is true. */
  readonly conditionAt: (step: Step<E>) => DecisionDiagram;
  /** The requests whose client has passed a challenge. */
  readonly challengePassed: DecisionDiagram;
  /** Does work within a limit; undefined when that is reached. */
  readonly within: <T>(work: () => T) => T | undefined;
}

/** Where the requests go after a step. */
interface Movement extends ReachedStep {
  readonly next: DecisionDiagram;
  /** Requests that go on at a later step. */
  readonly jumps: readonly (readonly [step: number, requests: DecisionDiagram])[];
  /** Requests that skip a later step. */
  readonly skips: readonly (readonly [step: number, requests: DecisionDiagram])[];
}

/** Runs a program over all requests. */
export function runSymbolically<E>(input: SymbolicInput<E>): SymbolicRun {
  const { program, diagrams, within } = input;
  const arriving = new Map<number, DecisionDiagram>();
  const skipping = new Map<number, DecisionDiagram>();
  const add = (to: Map<number, DecisionDiagram>, step: number, requests: DecisionDiagram) =>
    to.set(step, diagrams.combine("or", to.get(step) ?? alwaysFalse, requests));
  let alive = alwaysTrue;
  const steps = program.steps.map((_, at) => {
    const moved = within(() => {
      const present = diagrams.combine("or", alive, arriving.get(at) ?? alwaysFalse);
      const movement = move(input, at, present, skipping.get(at) ?? alwaysFalse);
      for (const [step, requests] of movement.jumps) add(arriving, step, requests);
      for (const [step, requests] of movement.skips) add(skipping, step, requests);
      return movement;
    });
    if (moved === undefined) for (const step of targetsOf(program, at)) arriving.set(step, alwaysTrue);
    // Of a step that was too large, any request may reach the next ones.
    alive = moved?.next ?? alwaysTrue;
    return moved;
  });
  const end = arriving.get(program.steps.length) ?? alwaysFalse;
  return { steps, passes: within(() => diagrams.combine("or", alive, end)) ?? alwaysTrue };
}

/** The later steps at which requests may go on. */
function targetsOf<E>(program: Program<E>, at: number): readonly number[] {
  const { rule, after } = program.steps[at] as Step<E>;
  return rule.action === "skip" ? [skipEffect(program, at).to] : [after];
}

function move<E>(
  { program, diagrams, conditionAt, challengePassed }: SymbolicInput<E>,
  at: number,
  present: DecisionDiagram,
  skipped: DecisionDiagram,
): Movement {
  const step = program.steps[at] as Step<E>;
  const both = (left: DecisionDiagram, right: DecisionDiagram) => diagrams.combine("and", left, right);
  const without = (left: DecisionDiagram, right: DecisionDiagram) => both(left, diagrams.not(right));
  const reached = step.enabled ? without(present, skipped) : alwaysFalse;
  const matching = both(reached, step.enabled ? conditionAt(step) : alwaysFalse);
  const acts = step.ends === "challenge" ? without(matching, challengePassed) : matching;
  const others = without(present, acts);
  const found = { reached, acts };
  const stay: Movement = { ...found, next: present, jumps: [], skips: [] };
  if (step.rule.action === "execute") return { ...stay, next: acts, jumps: [[step.after, others]] };
  if (step.ends !== undefined) return { ...stay, next: others };
  if (step.rule.action !== "skip" || !step.enabled) return stay;
  const { to, steps } = skipEffect(program, at);
  return { ...found, next: others, jumps: [[to, acts]], skips: steps.map((one) => [one, acts] as const) };
}
