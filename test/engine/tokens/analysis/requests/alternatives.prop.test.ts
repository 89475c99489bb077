/** A finder of alternatives that keeps its results equals the plain function, and finds equal ones once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bindConfigs } from "../../../../../src/engine/tokens/analysis/bound-expression.ts";
import { createMeter } from "../../../../../src/engine/tokens/analysis/budget.ts";
import {
  alternativesOf,
  createAlternativesFinder,
  type Restriction,
} from "../../../../../src/engine/tokens/analysis/requests/alternatives.ts";
import { createRequestVariables } from "../../../../../src/engine/tokens/analysis/requests/variables.ts";
import { stringSetDfa } from "../../../../../src/engine/tokens/analysis/strings/dfa.ts";
import { readZone } from "../../../../../src/engine/tokens/zone/zone-input.ts";
import { runs } from "../../../../support/runs.ts";
import { expression, configs as given } from "../grid.ts";

const read = readZone({ configs: given, rules: [] });
if (!read.ok) throw new Error("the configurations are valid");
const bound = bindConfigs(read.value.configs);

const restrictions: readonly Restriction[] = [
  {},
  { excluded: ["GET", "x"] },
  { preferred: ["POST", "y"] },
  { requiredDfas: [stringSetDfa(["GET", "/a", "x"])] },
  { values: ["GET", "POST", ""] },
];

test("kept alternatives are those that the plain function finds, and each location is searched once", () => {
  const find = createAlternativesFinder();
  let kept = 0;
  fc.assert(
    fc.property(expression, fc.constantFrom(...restrictions), fc.boolean(), (tree, restriction, isOther) => {
      const variables = createRequestVariables([{ expression: tree, configs: bound }], {}, createMeter());
      // The tokens of another search may have other placeholders.
      const placeholderFor = (key: Parameters<typeof variables.placeholderFor>[0]) =>
        isOther ? variables.placeholderFor(key).replace("valid", "other") : variables.placeholderFor(key);
      for (const location of variables.locations) {
        const plain = alternativesOf(location, restriction, placeholderFor, createMeter());
        const meter = createMeter();
        const before = meter.left;
        const first = find(location, restriction, placeholderFor, meter);
        expect(first).toEqual(plain);
        if (meter.left === before) kept++;
        expect(find({ ...location }, restriction, placeholderFor, { left: 0 })).toBe(first);
      }
    }),
    { numRuns: runs(1_000) },
  );
  expect(kept).toBeGreaterThan(0);
});
