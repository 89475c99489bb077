/** Comparisons of zones that differ at a boundary have the one right result: all requests that matter are evaluated. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareZones } from "../../../../../src/engine/tokens/analysis/compare-zones.ts";
import { decisionOf, isSameDecision } from "../../../../../src/engine/tokens/verdict/decision.ts";
import { compileZone } from "../../../../../src/engine/tokens/zone/zone.ts";
import { runs } from "../../../../support/runs.ts";
import { boundaryPairs } from "./boundary-zones.ts";

/** The runs of `npm test`, which find faults of the analysis that were put in on purpose; four times as many for `test:full`. */
const quick = { scores: 100, addresses: 80, claims: 40, courses: 140 };

test.each(Object.keys(boundaryPairs) as (keyof typeof boundaryPairs)[])(
  "zones are equivalent exactly when no request tells them apart: %s",
  async (kind) => {
    const counts = { equivalent: 0, different: 0, undecided: 0 };
    await fc.assert(
      fc.asyncProperty(
        boundaryPairs[kind],
        fc.constantFrom("action", "decision"),
        async ({ zones, requests }, observation) => {
          const [left, right] = await Promise.all(
            zones.map((zone) => compileZone(zone, { clock: () => 1_000_000 })),
          );
          const isDifferent = requests.some((request) => {
            const [a, b] = [left!.evaluateSync(request), right!.evaluateSync(request)];
            expect(a.action).not.toBe("undecided");
            return observation === "action"
              ? a.action !== b.action
              : !isSameDecision(decisionOf(a), decisionOf(b));
          });
          const { result } = compareZones(...zones, { observation });
          expect(result).toBe(isDifferent ? "different" : "equivalent");
          counts[result]++;
        },
      ),
      { numRuns: runs(4 * quick[kind], quick[kind]) },
    );
    expect(Math.min(counts.equivalent, counts.different)).toBeGreaterThan(0);
  },
);
