/** A limit on the work of an analysis, so that no input makes it run for long (`chosen`). */
import { quote } from "../../../errors.ts";

/** The limit on the work of an analysis. */
export interface AnalysisOptions {
  /** Steps of DFAs and decision diagrams for one question, at least 1. Default 1,000,000: about half a second. */
  readonly maxSteps?: number;
}

/** The default limit, in steps for one question. */
export const defaultMaxSteps = 1_000_000;

/** The steps that are left of a limit. */
export interface Meter {
  left: number;
}

/** Thrown when the limit is reached, and caught where a result can be `undecided`. */
class BudgetExceeded extends Error {}

/**
 * Creates a meter for one question.
 *
 * @throws RangeError when the limit is not a positive integer
 */
export function createMeter({ maxSteps = defaultMaxSteps }: AnalysisOptions = {}): Meter {
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) {
    throw new RangeError(`\`maxSteps\` must be a positive integer; found ${quote(maxSteps)}`);
  }
  return { left: maxSteps };
}

/** The number of questions that can use up their limit before nothing is left for the others. */
export const maxExhaustedQuestions = 8;

/** Creates meters for many questions: each has the limit, and all together have a multiple of it. */
export function createMeters(options: AnalysisOptions = {}, multiple = maxExhaustedQuestions): () => Meter {
  const { left: limit } = createMeter(options);
  let total = limit * multiple;
  let last: { readonly meter: Meter; readonly limit: number } | undefined;
  return () => {
    if (last !== undefined) total -= last.limit - Math.max(0, last.meter.left);
    last = { meter: { left: Math.min(limit, total) }, limit: Math.min(limit, total) };
    return last.meter;
  };
}

/** Counts steps. */
export function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new BudgetExceeded();
}

/** Ends a question that needs steps, before it is prepared, when none are left. */
export function requireSteps(meter: Meter): void {
  if (meter.left <= 0) throw new BudgetExceeded();
}

/** The reason of a result that is `undecided` because the limit was reached. */
export const budgetReason = "the question needs more than the allowed number of steps (`maxSteps`)";

/** The result of work within the limit, or of `onExceeded` when the limit is reached. */
export function withinBudget<T>(work: () => T, onExceeded: (reason: string) => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BudgetExceeded) return onExceeded(budgetReason);
    throw error;
  }
}
