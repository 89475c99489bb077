/** Requests that can become part of a suite, with what each is there for. */

import { minimizeTests } from "./minimize.ts";
import type { Mutant } from "./mutants/mutant.ts";

/** A reason for a request in a suite: a requirement, by its id, or a mutant that it notices. */
export type Reason = string | Mutant;

/** A request with its reasons. */
export interface Reasoned {
  readonly reasons: ReadonlySet<Reason>;
}

/** The choice of requests. */
export interface ChoiceOptions {
  /** The number of requests, the first ones, that are not left out. */
  readonly fixed?: number;
  /** Whether a reason counts. */
  readonly counts?: (reason: Reason) => boolean;
}

/** Requests for all reasons that count, of which none can be left out but the fixed ones. */
export function chooseRequests<Item extends Reasoned>(
  collected: readonly Item[],
  { fixed = 0, counts = () => true }: ChoiceOptions = {},
): readonly Item[] {
  const numbers = new Map<Reason, number>();
  for (const { reasons } of collected)
    for (const reason of reasons) if (!numbers.has(reason)) numbers.set(reason, numbers.size);
  const counting = new Map([...numbers].filter(([reason]) => counts(reason)));
  const tests = collected.map(({ reasons }) => [...reasons].flatMap((reason) => counting.get(reason) ?? []));
  return minimizeTests(tests, fixed).flatMap((i) => collected[i] ?? []);
}
