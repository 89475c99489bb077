/** Minimizes a list of tests: none of those that are kept can be left out without losing a requirement. */

/** Requirements are numbers; each test has those that it fulfills. Returns the indexes of the tests that are kept. */
export function minimizeTests(tests: readonly ReadonlySet<number>[]): readonly number[] {
  return withoutSuperfluous(tests, chooseGreedily(tests));
}

/** Takes the test with the most requirements that are still open, again and again; of equals the first one. */
function chooseGreedily(tests: readonly ReadonlySet<number>[]): readonly number[] {
  const open = new Set(tests.flatMap((test) => [...test]));
  const testsOf = invert(tests);
  const gains = tests.map((test) => test.size);
  const chosen: number[] = [];
  while (open.size > 0) {
    const best = indexOfMax(gains);
    chosen.push(best);
    for (const requirement of tests[best] ?? []) {
      if (!open.delete(requirement)) continue;
      for (const test of testsOf.get(requirement) ?? []) gains[test] = (gains[test] ?? 0) - 1;
    }
  }
  return chosen;
}

function invert(tests: readonly ReadonlySet<number>[]): ReadonlyMap<number, readonly number[]> {
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
  tests: readonly ReadonlySet<number>[],
  chosen: readonly number[],
): readonly number[] {
  const counts = new Map<number, number>();
  const requirementsOf = (test: number) => [...(tests[test] ?? [])];
  const count = (requirement: number, change: number) =>
    counts.set(requirement, (counts.get(requirement) ?? 0) + change);
  for (const requirement of chosen.flatMap(requirementsOf)) count(requirement, 1);
  const kept = new Set(chosen);
  for (const test of chosen.toReversed()) {
    const requirements = requirementsOf(test);
    if (!requirements.every((requirement) => (counts.get(requirement) ?? 0) > 1)) continue;
    for (const requirement of requirements) count(requirement, -1);
    kept.delete(test);
  }
  return [...kept].sort((a, b) => a - b);
}
