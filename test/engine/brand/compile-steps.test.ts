/** Compiling queries in steps: the same matcher as at once, whatever runs between the steps. */
import { compileQueries, type DomainQuery } from "edgeproof/brand";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps, stepWork } from "../../../src/core/work/steps.ts";
import { compileStoredQueries, type Matcher } from "../../../src/engine/brand/matching/matcher.ts";
import { patternWork } from "../../../src/engine/brand/names/alphabet.ts";
import { runs } from "../../support/runs.ts";

const options = { mode: "recommended", confusables: true, separators: true } as const;

const queriesOf = (patterns: readonly (readonly [string, number])[]): DomainQuery[] =>
  patterns.map(([pattern, max_edit_distance], i) => ({
    query_id: i + 1,
    parameters: { string_matches: [{ pattern, max_edit_distance }] },
  }));

const letters = fc.string({ unit: fc.constantFrom(..."abcl1-о"), minLength: 1, maxLength: 9 });
const patterns = fc.array(fc.tuple(letters, fc.nat(2)), { minLength: 1, maxLength: 150 });
const names = fc.array(letters, { minLength: 1, maxLength: 30 });

test("two compilations whose steps alternate equal those at once", () => {
  fc.assert(
    fc.property(fc.tuple(patterns, patterns), names, (both, hosts) => {
      const queries = both.map(queriesOf);
      const steps = queries.map((each) => compileStoredQueries(each, options));
      const made: (Matcher | undefined)[] = [undefined, undefined];
      while (made.includes(undefined)) {
        for (const [i, each] of steps.entries()) {
          const next = each.next();
          if (next.done) made[i] ??= next.value;
        }
      }
      for (const [i, each] of queries.entries()) {
        const atOnce = runSteps(compileStoredQueries(each, options));
        expect([made[i]?.patternCount, made[i]?.tableBytes]).toEqual([
          atOnce.patternCount,
          atOnce.tableBytes,
        ]);
        for (const host of hosts)
          expect(made[i]?.match(`${host}.example`)).toEqual(atOnce.match(`${host}.example`));
      }
    }),
    { numRuns: runs(300) },
  );
});

test("more than a thousand patterns are compiled in many steps, none of them with more work than a turn may have", () => {
  const count = 1_500;
  const queries = queriesOf(Array.from({ length: count }, (_, i) => [`brand${i}name`, 1]));
  const steps = compileStoredQueries(queries, options);
  const work: number[] = [];
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) {
      expect(next.value.match("xbrand77name.example")).toEqual(
        compileQueries(queries, options).match("xbrand77name.example"),
      );
      break;
    }
    work.push(next.value ?? stepWork);
  }
  expect(Math.max(...work)).toBeLessThanOrEqual(stepWork);
  // Checked, read, sorted, and made into an alphabet, a filter and its tables.
  expect(work.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(10 * count * patternWork);
});
