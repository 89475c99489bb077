/** Plans of zones, for random rules. */

import { checkZone, type ZoneInput } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { planOrder } from "../../../../src/engine/tokens/rulesets/plans/plan-table.ts";
import { runs } from "../../../support/runs.ts";

const parts = [
  "ssl",
  'http.host matches "^a"',
  "cf.bot_management.score lt 30",
  "ip.src.is_in_european_union",
  'any(http.request.cookies["a"][*] eq "b")',
  "ip.src in $cf.malware",
];

const rule = fc.record({
  action: fc.constantFrom("block", "block", "block", "log"),
  expression: fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 })
    .map((some) => some.join(" or ")),
});

const rules = fc.oneof(
  fc.array(rule, { maxLength: 4 }),
  fc.array(rule, { minLength: 5, maxLength: 25 }),
  fc.integer({ min: 95, max: 105 }).map((count) => Array(count).fill({ action: "block", expression: "ssl" })),
);

const zoneWith = (some: readonly object[], plan?: ZoneInput["plan"]): ZoneInput =>
  ({
    configs: [],
    rules: [],
    rulesets: [
      {
        id: "e",
        kind: "zone",
        phase: "http_request_firewall_custom",
        rules: some.map((rule, i) => ({ id: `r${i}`, ...rule })),
      },
    ],
    ...(plan && { plan }),
  }) as unknown as ZoneInput;

test("the plan that a note names is the lowest one in which the service accepts the rules", () => {
  fc.assert(
    fc.property(rules, (some) => {
      const accepted = planOrder.filter(
        (plan) => checkZone(zoneWith(some, plan), { restrictions: "enforce" }).length === 0,
      );
      const note = analyze(zoneWith(some), { maxSteps: 1 }).find(({ rule: id }) => id === "plan-needed");
      const named = /need the plan (\w+)/.exec(note?.message ?? "")?.[1]?.toLowerCase() ?? "free";
      expect(accepted[0]).toBe(named);
      // A higher plan has what a lower one has.
      expect(accepted).toEqual(planOrder.slice(-accepted.length));
    }),
    { numRuns: runs(200) },
  );
});
