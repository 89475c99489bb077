/** A bound on the work of an analysis, so that no input makes it run for long (`chosen`). */

/** How much an analysis may do. */
export interface AnalysisOptions {
  /** Steps for one question, of automata and of decision diagrams. Default 1,000,000: about half a second. */
  readonly maxSteps?: number;
}

/** The bound when none is given. */
export const defaultMaxSteps = 1_000_000;

/** Counts the work that is done. */
export interface Meter {
  /** Steps that are left. */
  left: number;
}

/** Thrown when the bound is reached, and caught where an answer can be `undecided`. */
class BudgetSpent extends Error {}

/**
 * Starts to count.
 *
 * @throws RangeError when the bound is not a positive integer
 */
export function createMeter({ maxSteps = defaultMaxSteps }: AnalysisOptions = {}): Meter {
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) {
    throw new RangeError(`maxSteps is a positive integer, but ${String(maxSteps)} was given.`);
  }
  return { left: maxSteps };
}

/** How many questions may use up their bound before there is nothing left for the others. */
const fullQuestions = 8;

/** Meters for many questions: each has the bound, and all together a multiple of it. */
export function createMeters(options: AnalysisOptions = {}): () => Meter {
  const { left: most } = createMeter(options);
  let rest = most * fullQuestions;
  let last: { readonly meter: Meter; readonly given: number } | undefined;
  return () => {
    if (last !== undefined) rest -= last.given - Math.max(0, last.meter.left);
    const given = Math.min(most, rest);
    last = { meter: { left: given }, given };
    return last.meter;
  };
}

/** Takes steps off. */
export function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new BudgetSpent();
}

/** Why there is no answer when the bound was reached. */
export const budgetReason = "the question needs more than the allowed number of steps (`maxSteps`)";

/** Does work within the bound; when that is reached, gives the other value. */
export function withinBudget<T>(work: () => T, spent: (reason: string) => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BudgetSpent) return spent(budgetReason);
    throw error;
  }
}
