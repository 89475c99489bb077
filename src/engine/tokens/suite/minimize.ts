/** Minimizes a list of tests: none of those that are kept can be left out without losing a requirement. */

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
  const chosen: number[] = [];
  while (open.size > 0 || chosen.length < fixed) {
    const best = chosen.length < fixed ? chosen.length : indexOfMax(gains);
    chosen.push(best);
    for (const requirement of tests[best] ?? []) {
      if (!open.delete(requirement)) continue;
      for (const test of testsOf.get(requirement) ?? []) gains[test] = (gains[test] ?? 0) - 1;
    }
  }
  return chosen;
}

function invert(tests: readonly Requirements[]): ReadonlyMap<number, readonly number[]> {
  const testsOf = new Map<number, number[]>();
  for (const [i, test] of tests.entries()) {
    for (const requirement of test) {
      const list = testsOf.get(requirement);
      if (list === undefined) testsOf.set(requirement, [i]);
      else list.push(i);
    }
  }
  return testsOf;
}

function indexOfMax(values: readonly number[]): number {
  let best = 0;
  for (const [i, value] of values.entries()) if (value > (values[best] ?? 0)) best = i;
  return best;
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
