/** Mutants of custom rules, and of token rules beside them, against brute force over requests with real tokens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Ruleset } from "../../../../src/engine/tokens/rulesets/model.ts";
import { mutantsOf } from "../../../../src/engine/tokens/suite/mutants/mutants-of.ts";
import { mutationReport } from "../../../../src/engine/tokens/suite/mutants/mutation-report.ts";
import { readSuiteZone } from "../../../../src/engine/tokens/suite/suite-model.ts";
import { decisionOf, isSameDecision } from "../../../../src/engine/tokens/verdict/decision.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { mintSuite } from "../../../../src/testing/tokens/mint-suite.ts";
import { runs } from "../../../support/runs.ts";
import { leafTexts, sampleRequests, zoneOf } from "../analysis/custom/random-rulesets.ts";

const requests = sampleRequests(400);
const given = requests.slice(0, 12).map(({ request, timeMs }) => ({ request, nowMs: timeMs }));

type Mutants = ReturnType<typeof mutantsOf>;

/** The zone with the change of a mutant of a custom rule, made by hand. */
function changedInput(input: ZoneInput, { change }: Mutants[number]): ZoneInput | undefined {
  if (change.part !== "custom rule") return undefined;
  const edit = (ruleset: Ruleset): Ruleset => {
    if (ruleset.id !== change.ruleset) return ruleset;
    const rules = [...ruleset.rules!];
    if (change.edit === "replace")
      rules[change.index] = {
        ...change.rule,
        ...(change.tree && { expression: printExpression(change.tree) }),
      };
    else rules.splice(change.index, 2, rules[change.index + 1]!, rules[change.index]!);
    return { ...ruleset, rules };
  };
  return {
    ...input,
    rulesets: input.rulesets!.map(edit),
    account_rulesets: input.account_rulesets!.map(edit),
  };
}

async function decider(input: ZoneInput) {
  let now = 0;
  const zone = await compileZone(input, { clock: () => now });
  return ({ request, nowMs }: (typeof given)[number]) => {
    now = nowMs;
    return decisionOf(zone.evaluateSync(request));
  };
}

// Whole zones are searched: 108 s with full counts on a busy machine.
test("a mutant is noticed, survives or is equivalent as whole zones show", { timeout: 600_000 }, async () => {
  const results = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(zoneOf(leafTexts), fc.nat(), async (zone, seed) => {
      const report = mutationReport(zone, given);
      const mutants = mutantsOf(readSuiteZone(zone, {}), []);
      const custom = mutants.filter(({ change }) => change.part === "custom rule");
      const tested = report.filter(({ ruleset }) => ruleset !== undefined);
      const original = await decider(zone);
      for (const [i, result] of tested.entries()) {
        const mutant = custom[i]!;
        expect(result.description).toBe(mutant.description);
        results.set(result.result, (results.get(result.result) ?? 0) + 1);
        // A few of them: each is compiled twice.
        if ((seed + i) % 5 !== 0) continue;
        const input = changedInput(zone, mutant)!;
        const changed = await decider(input);
        const isNoticed = (sample: (typeof given)[number]) =>
          !isSameDecision(original(sample), changed(sample));
        if (result.result === "noticed") {
          expect(given.findIndex(isNoticed)).toBe(result.request);
        } else expect(given.some(isNoticed)).toBe(false);
        if (result.result === "equivalent")
          expect(requests.some(({ request, timeMs }) => isNoticed({ request, nowMs: timeMs }))).toBe(false);
        if (result.result !== "survived") continue;
        const { requests: minted, zone: keyed } = await mintSuite(zone, [result.noticedBy]);
        const both = [await decider(keyed), await decider({ ...input, configs: keyed.configs })];
        const nowMs = 1000 * Number(result.noticedBy.tokens[0]?.claims?.["nbf"] ?? 0);
        const [first, other] = both.map((decide) => decide({ request: minted[0]!.request, nowMs }));
        if (result.noticedBy.tokens.every(({ claims = {} }) => !("exp" in claims)))
          expect(isSameDecision(first!, other!), result.description).toBe(false);
      }
    }),
    { numRuns: runs(16, 4) },
  );
  const all = [...results.values()].reduce((sum, count) => sum + count, 0);
  expect(results.get("undecided") ?? 0, "every part has a model").toBeLessThanOrEqual(2 + all / 100);
  expect(results.get("noticed")).toBeGreaterThan(0);
  expect(results.get("survived")).toBeGreaterThan(0);
  expect(results.get("equivalent")).toBeGreaterThan(0);
});
