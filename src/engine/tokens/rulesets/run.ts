/**
 * Runs the steps of a program. A rule with an unknown result forks the run: it fires in one fork and not in the other.
 * Forks with the same state are merged, so that the work is linear in the steps.
 */

import type { Program, Step } from "./program.ts";
import { type SkipEffect, skipEffect } from "./skip-targets.ts";

/** Every {@link StepResult}. */
export const stepResults = [
  "matched",
  "not_matched",
  "skipped",
  "disabled",
  "not_reached",
  "undecided",
] as const;

/**
 * The result of a custom rule. `matched`: its expression is true, `skipped`: an earlier `skip` covers it,
 * `not_reached`: an earlier rule ended the evaluation or its ruleset was not executed, `undecided`: it depends on what
 * the test did not say.
 */
export type StepResult = (typeof stepResults)[number];

/** One way in which the evaluation may end. */
export interface RunEnd {
  readonly action: "allow" | "log" | "block" | "challenge";
  /** The step that decided; undefined when none did, or when forks that were merged differ. */
  readonly step: number | undefined;
}

/** The course of a run. */
export interface Run {
  /** Every way in which it may end, without repetition; more than one when something that matters is unknown. */
  readonly ends: readonly RunEnd[];
  /** The parts of later phases that every fork leaves out, as {@link SkipEffect} has it. */
  readonly later: readonly string[];
  /** The steps with an unknown expression that were reached. */
  readonly unknown: readonly number[];
  /** Whether there were too many forks, so that any end is possible. */
  readonly isCutShort: boolean;
}

/** The input of a run. */
export interface RunInput<E> {
  readonly program: Program<E>;
  /** The steps to evaluate, ascending, with every `execute`; the expressions of all others are false. */
  readonly candidates: Iterable<number>;
  /** The value of a step's expression; undefined when it is unknown. */
  valueAt(step: number): boolean | undefined;
  /** Whether the client has passed a challenge, so that none fires. */
  readonly challengePassed: boolean;
  /** Receives the result of each candidate that is enabled. */
  readonly onResult?: (step: number, result: StepResult) => void;
}

/** Maximum number of forks with different states; reached only by unknown rules that skip different rules (`chosen`). */
const maxForks = 64;

/** The first `log` rules of merged forks differ. */
const several = -1;

interface Fork {
  /** The next step that it evaluates. */
  from: number;
  /** Why steps before `from` are not evaluated. */
  because: "skipped" | "not_reached";
  /** Steps that a `skip` covers. */
  skipped: ReadonlySet<number>;
  /** The first `log` rule that fired. */
  logged: number | undefined;
  later: ReadonlySet<string>;
}

type ForkEnd = RunEnd & Pick<Fork, "later">;

const none: ReadonlySet<never> = new Set<never>();

/** Runs a program. */
export function runProgram<E>(input: RunInput<E>): Run {
  const run = new ProgramRun(input);
  for (const step of input.candidates) if (!run.evaluate(step)) break;
  return run.finish();
}

class ProgramRun<E> {
  readonly #input: RunInput<E>;
  readonly #ended: ForkEnd[] = [];
  readonly #unknown: number[] = [];
  #forks: Fork[] = [{ from: 0, because: "not_reached", skipped: none, logged: undefined, later: none }];
  #isCutShort = false;

  constructor(input: RunInput<E>) {
    this.#input = input;
  }

  /** Evaluates a step in every fork; returns whether there may be more to do. */
  evaluate(at: number): boolean {
    const step = this.#input.program.steps[at] as Step<E>;
    const { onResult } = this.#input;
    const [fork] = this.#forks;
    if (onResult === undefined && this.#forks.length === 1 && step.enabled && fork !== undefined)
      return this.#evaluateAlone(fork, step, at);
    if (!step.enabled) {
      for (const fork of this.#forks) if (fork.from <= at) this.#pass(fork, step);
      return true;
    }
    const here = this.#forks.filter((fork) => fork.from <= at && !fork.skipped.has(at));
    const value = here.length === 0 ? false : this.#input.valueAt(at);
    if (onResult !== undefined) onResult(at, this.#resultOf(at, here.length, value));
    for (const fork of here) {
      if (value === undefined) this.#split(fork, step, at);
      else if (value) this.#fire(fork, step, at);
      else this.#pass(fork, step);
    }
    if (value === undefined) this.#unknown.push(at);
    // A skipped `execute` does not run its ruleset.
    for (const fork of this.#forks)
      if (fork.from <= at && fork.skipped.has(at)) jump(fork, step.after, "skipped");
    if (this.#forks.length > 1) this.#merge(at + 1);
    return onResult !== undefined || (this.#forks.length > 0 && !this.#isCutShort);
  }

  /** The same for the only fork, which is the usual case. */
  #evaluateAlone(fork: Fork, step: Step<E>, at: number): boolean {
    if (fork.from > at) return true;
    if (fork.skipped.has(at)) {
      jump(fork, step.after, "skipped");
      return true;
    }
    const value = this.#input.valueAt(at);
    if (value === undefined) {
      this.#unknown.push(at);
      this.#split(fork, step, at);
      this.#merge(at + 1);
    } else if (value) this.#fire(fork, step, at);
    else this.#pass(fork, step);
    return this.#forks.length > 0;
  }

  finish(): Run {
    const all = [...this.#ended, ...this.#forks.map(endOf)];
    return {
      ends: distinct(all),
      later: common(all.map((end) => end.later)),
      unknown: this.#unknown,
      isCutShort: this.#isCutShort,
    };
  }

  #resultOf(at: number, evaluating: number, value: boolean | undefined): StepResult {
    const results = new Set<StepResult>();
    if (evaluating > 0) results.add(value === undefined ? "undecided" : value ? "matched" : "not_matched");
    if (this.#ended.length > 0) results.add("not_reached");
    for (const fork of this.#forks) {
      if (fork.from > at) results.add(fork.because);
      else if (fork.skipped.has(at)) results.add("skipped");
    }
    const [only] = results;
    return results.size === 1 && only !== undefined ? only : "undecided";
  }

  #split(fork: Fork, step: Step<E>, at: number): void {
    const other = { ...fork };
    this.#forks.push(other);
    this.#pass(other, step);
    this.#fire(fork, step, at);
  }

  #pass(fork: Fork, step: Step<E>): void {
    if (step.rule.action === "execute") jump(fork, step.after, "not_reached");
  }

  #fire(fork: Fork, step: Step<E>, at: number): void {
    const { program, challengePassed } = this.#input;
    if (step.rule.action === "log") fork.logged ??= at;
    if (step.rule.action === "skip") skip(fork, skipEffect(program, at));
    if (step.ends === undefined || (step.ends === "challenge" && challengePassed)) return;
    this.#ended.push({ action: step.ends, step: at, later: fork.later });
    this.#forks = this.#forks.filter((other) => other !== fork);
  }

  /** Merges forks that will do the same from a step on. */
  #merge(next: number): void {
    const merged = new Map<string, Fork>();
    for (const fork of this.#forks) {
      const key = JSON.stringify([
        ...(fork.from > next ? [fork.from, fork.because] : [next]),
        fork.logged !== undefined,
        [...fork.skipped].filter((step) => step >= next).sort((a, b) => a - b),
      ]);
      const same = merged.get(key);
      merged.set(key, same === undefined ? fork : mergeForks(same, fork));
    }
    this.#forks = [...merged.values()];
    if (this.#forks.length <= maxForks) return;
    this.#isCutShort = true;
    this.#forks = this.#forks.slice(0, maxForks);
  }
}

function endOf({ logged, later }: Fork): ForkEnd {
  const step = logged === several ? undefined : logged;
  return { action: logged === undefined ? "allow" : "log", step, later };
}

function mergeForks(fork: Fork, other: Fork): Fork {
  return {
    ...fork,
    logged: fork.logged === other.logged ? fork.logged : several,
    later: new Set(common([fork.later, other.later])),
  };
}

function jump(fork: Fork, to: number, because: Fork["because"]): void {
  if (to <= fork.from) return;
  fork.from = to;
  fork.because = because;
}

function skip(fork: Fork, { to, steps, later }: SkipEffect): void {
  jump(fork, to, "skipped");
  if (steps.length > 0) fork.skipped = new Set([...fork.skipped, ...steps]);
  if (later.length > 0) fork.later = new Set([...fork.later, ...later]);
}

function common(sets: readonly ReadonlySet<string>[]): string[] {
  const [first = none, ...rest] = sets;
  return [...first].filter((name) => rest.every((set) => set.has(name)));
}

function distinct(ends: readonly RunEnd[]): RunEnd[] {
  const byKey = new Map(ends.map(({ action, step }) => [`${action} ${step}`, { action, step }]));
  return [...byKey.values()];
}
