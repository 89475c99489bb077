/** Minimizes a list of tests: none of those that are kept can be left out without losing a requirement. */
import { addTo } from "../../../core/groups.ts";

/** The requirements that a test fulfills, each once, as numbers. */
export type Requirements = readonly number[];

/** Returns the indexes of the tests that are kept; the first `fixed` ones are. */
export function minimizeTests(tests: readonly Requirements[], fixed = 0): readonly number[] {
  return withoutSuperfluous(tests, chooseGreedily(tests, fixed), fixed);
}

/** Takes the test with the most requirements that are still open, again and again; of equals the first one. */
function chooseGreedily(tests: readonly Requirements[], fixed: number): readonly number[] {
  const open = new Set<number>();
  for (const test of tests) for (const requirement of test) open.add(requirement);
  const testsOf = invert(tests);
  const gains = tests.map((test) => test.length);
  const takeBest = createQueue(gains);
  const chosen: number[] = [];
  while (open.size > 0 || chosen.length < fixed) {
    const best = chosen.length < fixed ? chosen.length : takeBest();
    chosen.push(best);
    for (const requirement of tests[best] ?? []) {
      if (!open.delete(requirement)) continue;
      for (const test of testsOf.get(requirement) ?? []) gains[test] = (gains[test] ?? 0) - 1;
    }
  }
  return chosen;
}

/**
 * Returns a function that takes the first index of the greatest value. Values may only become less between its calls:
 * the indexes are in lists by the value that they had, and move to a later list when they are reached.
 */
function createQueue(values: readonly number[]): () => number {
  const lists = new Map<number, SortedIndexes>();
  const add = (index: number, value: number) => {
    const list = lists.get(value);
    if (list === undefined) lists.set(value, createSortedIndexes(index));
    else list.add(index);
  };
  for (const [i, value] of values.entries()) add(i, value);
  let max = values.reduce((most, value) => Math.max(most, value), 0);
  return () => {
    for (; max > 0; max--) {
      const list = lists.get(max);
      for (let index = list?.take(); index !== undefined; index = list?.take()) {
        const value = values[index] ?? 0;
        if (value === max) return index;
        add(index, value);
      }
    }
    return 0;
  };
}

/** Indexes, of which the least is taken first. */
interface SortedIndexes {
  add(index: number): void;
  take(): number | undefined;
}

/** A list that is sorted once, when the first index is taken: none is added after that. */
function createSortedIndexes(first: number): SortedIndexes {
  const indexes = [first];
  let taken = 0;
  return {
    add: (index) => void indexes.push(index),
    take: () => {
      if (taken === 0) indexes.sort((a, b) => a - b);
      return indexes[taken++];
    },
  };
}

function invert(tests: readonly Requirements[]): ReadonlyMap<number, readonly number[]> {
  const testsOf = new Map<number, number[]>();
  for (const [i, test] of tests.entries()) {
    for (const requirement of test) addTo(testsOf, requirement, i);
  }
  return testsOf;
}

/** Leaves out each test whose requirements the others fulfill, the last chosen first; the rest in order. */
function withoutSuperfluous(
  tests: readonly Requirements[],
  chosen: readonly number[],
  fixed: number,
): readonly number[] {
  const counts = new Map<number, number>();
  const requirementsOf = (test: number) => [...(tests[test] ?? [])];
  const count = (requirement: number, change: number) =>
    counts.set(requirement, (counts.get(requirement) ?? 0) + change);
  for (const requirement of chosen.flatMap(requirementsOf)) count(requirement, 1);
  const kept = new Set(chosen);
  for (const test of chosen.slice(fixed).toReversed()) {
    const requirements = requirementsOf(test);
    if (!requirements.every((requirement) => (counts.get(requirement) ?? 0) > 1)) continue;
    for (const requirement of requirements) count(requirement, -1);
    kept.delete(test);
  }
  return [...kept].sort((a, b) => a - b);
}
