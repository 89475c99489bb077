/** What a catalogue entry is. The table of all entries drives the validation, the tests and the page of codes. */
import type { Code } from "../../../errors.ts";

import type { CompiledFacts, Facts } from "../facts/facts.ts";
import type { FactName, Phase, ValidateOptions } from "../model.ts";
import type { PatchOperation } from "../patch.ts";

/** A body with the world it is held against. */
export interface Example {
  readonly body: unknown;
  readonly facts?: Facts;
  readonly options?: ValidateOptions;
}

/** What is said about a check; everything but the rule itself. */
export interface CheckText {
  /** Unique, finer than the code. */
  readonly id: string;
  readonly code: Code;
  readonly phase: Phase;
  /** Facts that the check can need. */
  readonly facts: readonly FactName[];
  /** The rule, as one sentence. */
  readonly what: string;
  /** Why the rule is there, as one sentence. */
  readonly why: string;
  /** What to do about a violation. */
  readonly fix: string;
  /** Yields exactly this check's violation. */
  readonly bad: Example;
  /** A near miss: almost the same, and fine. */
  readonly good: Example;
}

/** Facts without which a check cannot be decided. */
export interface Missing {
  readonly missing: readonly FactName[];
}

/** One place where a rule is broken. */
export interface Finding {
  readonly message: string;
  readonly pointers: readonly string[];
  readonly patch?: readonly PatchOperation[];
}

/** Nothing to say, facts missing, or the broken places. */
export type Outcome<S> = undefined | Missing | readonly S[];

/** A check: its texts, and the rule over the input of its phase. */
export interface Check<I> extends CheckText {
  /** Whether some violations of the check come with a patch. */
  readonly mends: boolean;
  readonly run: (input: I, facts: CompiledFacts) => Outcome<Finding>;
}

/** A rule in two steps: find the broken places, then say it. */
export interface Rule<I, S> {
  /** Finds the places where the rule is broken. Undefined when it holds or does not apply. */
  readonly find: (input: I, facts: CompiledFacts) => Outcome<S>;
  readonly message: (subject: S) => string;
  readonly pointers: (subject: S) => readonly string[];
  /** The mend, where there is only one. */
  readonly patch?: (subject: S) => readonly PatchOperation[] | undefined;
}

/** Makes an entry of the catalogue. */
export function check<I, S>(entry: CheckText & Rule<I, S>): Check<I> {
  const { find, message, pointers, patch, ...text } = entry;
  const finding = (subject: S): Finding => {
    const mend = patch?.(subject);
    const said = { message: message(subject), pointers: pointers(subject) };
    return mend ? { ...said, patch: mend } : said;
  };
  return {
    ...text,
    mends: patch !== undefined,
    run: (input, facts) => {
      const found = find(input, facts);
      return found === undefined || isMissing(found) ? found : found.map(finding);
    },
  };
}

/** Checks that apply under one condition, which is tested once for all of them. */
export interface CheckGroup<I> {
  readonly applies: (input: I) => boolean;
  readonly checks: readonly Check<I>[];
}

/** Makes a group; without a condition its checks always apply. */
export function group<I>(
  checks: readonly Check<I>[],
  applies: (input: I) => boolean = () => true,
): CheckGroup<I> {
  return { applies, checks };
}

/** Says which facts a check lacks. */
export function missing(...facts: readonly FactName[]): Missing {
  return { missing: facts };
}

export function isMissing(outcome: Missing | readonly unknown[]): outcome is Missing {
  return !Array.isArray(outcome);
}
