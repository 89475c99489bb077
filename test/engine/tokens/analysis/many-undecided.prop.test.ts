/** A zone with more undecided rules than the limit on steps allows: rules share their work, and those without steps need none. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bindConfigs } from "../../../../src/engine/tokens/analysis/bound-expression.ts";
import { createMeter, requireSteps, withinBudget } from "../../../../src/engine/tokens/analysis/budget.ts";
import {
  createRequestGroups,
  testsToken,
} from "../../../../src/engine/tokens/analysis/findings/request-groups.ts";
import { coverageOfRules } from "../../../../src/engine/tokens/analysis/findings/rule-coverage.ts";
import { createRequestVariables } from "../../../../src/engine/tokens/analysis/requests/variables.ts";
import { readZone } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { runs } from "../../../support/runs.ts";
import { configs, expression } from "./grid.ts";

function read(input: unknown) {
  const zone = readZone(input);
  if (!zone.ok) throw new Error(zone.problems[0].message);
  return zone.value;
}

const withoutSteps = { left: 0 };

test("the variables of an expression that tests a token need steps, so that none are created where none are left", () => {
  const bound = bindConfigs(read({ configs, rules: [] }).configs);
  const exceeds = (work: () => unknown) =>
    withinBudget(
      () => work() === undefined,
      () => true,
    );
  fc.assert(
    fc.property(expression.filter(testsToken), (text) => {
      const assumptions = { "http.request.method": { values: ["GET"] } };
      const create = () =>
        createRequestVariables([{ expression: text, configs: bound }], assumptions, {
          ...withoutSteps,
        });
      expect(exceeds(create)).toBe(true);
    }),
    { numRuns: runs(500) },
  );
  expect(exceeds(() => requireSteps(withoutSteps))).toBe(true);
  expect(exceeds(() => requireSteps(createMeter({ maxSteps: 1 })) ?? 1)).toBe(false);
});

test("rules that cover the same operations share the DFA of their paths", () => {
  const rule = (id: string, path: string, excluded: readonly string[] = []) => ({
    id,
    action: "block",
    enabled: true,
    expression: `starts_with(http.request.uri.path, "${path}")`,
    selector: {
      include: [{ host: ["a.example.com"] }],
      ...(excluded.length > 0 && { exclude: [{ operation_ids: excluded }] }),
    },
  });
  const operations = ["/a/{x}", "/a/b", "/c"].map((endpoint, i) => {
    return { operation_id: `o${i}`, method: "GET", host: "a.example.com", endpoint };
  });
  const zone = read({
    configs,
    rules: [rule("r1", "/a"), rule("r2", "/c"), rule("r3", "/a", ["o1"])],
    operations,
  });
  const groups = createRequestGroups(zone);
  const [first, second, third] = coverageOfRules(zone, createMeter()).map(({ rule, covered }) => {
    const [group] = groups.of(covered, [rule.expression], true);
    return group?.["http.request.uri.path"]?.requiredDfas?.[0];
  });
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(third).toBeDefined();
  expect(third).not.toBe(first);
});
