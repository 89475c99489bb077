/** The outcome of a function that can fail on bad input: the value, or all problems of the input. */
import type { CodedDiagnostic } from "../errors.ts";

/** The outcome of a call that succeeded. */
export interface Success<T> {
  /** Discriminates success from failure. */
  readonly ok: true;
  /** The value of the call. */
  readonly value: T;
}

/** The outcome of a call with invalid input: at least one problem, in the order of the input. */
export interface Failure<E = CodedDiagnostic> {
  /** Discriminates failure from success. */
  readonly ok: false;
  /** All problems of the input. */
  readonly problems: readonly [E, ...E[]];
}

/** A value, or the problems that prevent it. */
export type Result<T, E = CodedDiagnostic> = Success<T> | Failure<E>;

/** A result that holds a value. */
export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

/** A result that holds problems. */
export function failure<E = CodedDiagnostic>(first: E, ...rest: readonly E[]): Failure<E> {
  return { ok: false, problems: [first, ...rest] };
}
