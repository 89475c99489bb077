/** Types of the catalogue of checks, from which the validation, the tests and docs/proxy-codes.md derive. */

import type { PatchOperation } from "../../../core/json/patch.ts";
import { type Code, catalogue, type Source } from "../../../errors.ts";
import type { CompiledFacts, Facts } from "../facts/facts.ts";
import type { CheckLevel, FactName, NoteCode, Phase, ValidateOptions } from "../model.ts";
import type { Candidate } from "../read/candidate.ts";

/** A body, and the facts and options that it is validated with. */
export interface Example {
  /** The body. */
  readonly body: unknown;
  /** Default `{}`. */
  readonly facts?: Facts;
  /** Default `{}`. */
  readonly options?: ValidateOptions;
}

/** The description of a check. */
export interface CheckDescription {
  /** Unique id, more specific than the code. */
  readonly id: string;
  /** Code of its violations in the error catalogue; that of a note when the check never rejects. */
  readonly code: Code | NoteCode;
  /** Effect of its findings. */
  readonly level: CheckLevel;
  /** Origin of the rule. */
  readonly source: Source;
  /** Phase in which it runs. */
  readonly phase: Phase;
  /** Facts that the check can need. */
  readonly facts: readonly FactName[];
  /** The rule, as one sentence. */
  readonly rule: string;
  /** The reason for the rule, as one sentence. */
  readonly why: string;
  /** How to fix a violation, as one sentence. */
  readonly fix: string;
  /** Violates exactly this check. */
  readonly bad: Example;
  /** A similar body that is valid. */
  readonly good: Example;
}

/** Missing facts that a check needs. */
export interface Missing {
  readonly missing: readonly FactName[];
}

/** The details of one violation of a check. */
export interface ViolationDetails {
  readonly message: string;
  readonly pointers: readonly string[];
  readonly patch?: readonly PatchOperation[];
}

/** The outcome of a check: undefined when it passed or does not apply, missing facts, or the violations. */
export type Outcome<S> = undefined | Missing | readonly S[];

/** A check of the input of its phase. */
export interface Check<I> extends CheckDescription {
  /** Whether violations of the check can have a patch. */
  readonly fixable: boolean;
  readonly run: (input: I, facts: CompiledFacts) => Outcome<ViolationDetails>;
}

/** How a check finds its violations, and how it describes each of them. */
export interface CheckRule<I, S> {
  /** Finds the violations. Undefined when the check passed or does not apply. */
  readonly find: (input: I, facts: CompiledFacts) => Outcome<S>;
  readonly message: (subject: S) => string;
  readonly pointers: (subject: S) => readonly string[];
  /** The fix, when there is only one. */
  readonly patch?: (subject: S) => readonly PatchOperation[] | undefined;
}

/** Members of a description that have a default. */
type Defaulted = "facts" | "level" | "source";

/** A description as it is written. */
export type Written = Omit<CheckDescription, Defaulted> & Partial<Pick<CheckDescription, Defaulted>>;

/** A check whose facts default to none, whose level defaults to `error`, and whose source defaults to that of its code. */
type Described<I, S> = Written & CheckRule<I, S>;

/** Creates an entry of the catalogue. */
export function check<I, S>(entry: Described<I, S>): Check<I> {
  const { find, message, pointers, patch, facts: needs = [], level = "error", ...description } = entry;
  const source = entry.source ?? sourceOf(entry.code);
  const describe = (subject: S): ViolationDetails => {
    const operations = patch?.(subject);
    const details = { message: message(subject), pointers: pointers(subject) };
    return operations ? { ...details, patch: operations } : details;
  };
  return {
    ...description,
    level,
    source,
    facts: needs,
    fixable: patch !== undefined,
    run: (input, facts) => {
      const found = find(input, facts);
      return found === undefined || isMissing(found) ? found : found.map(describe);
    },
  };
}

/** Notes are this project's own. */
function sourceOf(code: CheckDescription["code"]): Source {
  return isErrorCode(code) ? catalogue[code].source : "chosen";
}

/** Whether a code is in the error catalogue. */
export function isErrorCode(code: number): code is Code {
  return Object.hasOwn(catalogue, code);
}

/** Creates an entry of the stateless phase, which needs no facts. */
export function statelessCheck<S>(entry: Omit<Described<Candidate, S>, "phase" | "facts">): Check<Candidate> {
  return check({ ...entry, phase: "stateless" });
}

/** Checks with a common condition, which is evaluated once for all of them. */
export interface CheckGroup<I> {
  readonly applies: (input: I) => boolean;
  readonly checks: readonly Check<I>[];
}

/** Creates a group; without a condition its checks always apply. */
export function group<I>(
  checks: readonly Check<I>[],
  applies: (input: I) => boolean = () => true,
): CheckGroup<I> {
  return { applies, checks };
}

/** The outcome of a check that needs missing facts. */
export function missing(...facts: readonly FactName[]): Missing {
  return { missing: facts };
}

/** Whether an outcome is that of missing facts. */
export function isMissing(outcome: Missing | readonly unknown[]): outcome is Missing {
  return !Array.isArray(outcome);
}
