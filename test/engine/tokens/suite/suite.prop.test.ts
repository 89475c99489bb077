/** Generated suites pass on their zone and notice every mutant, with real tokens and the real engine. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { demoWorld, mintDemoKeys } from "../../../../src/cli/demo/api-world.ts";
import { compareZones } from "../../../../src/engine/tokens/analysis/compare-zones.ts";
import { coveringRequests } from "../../../../src/engine/tokens/suite/covering-requests.ts";
import { applyChange } from "../../../../src/engine/tokens/suite/mutants/change.ts";
import { mutantsOf } from "../../../../src/engine/tokens/suite/mutants/mutants-of.ts";
import { mutationReport } from "../../../../src/engine/tokens/suite/mutants/mutation-report.ts";
import { suiteFor } from "../../../../src/engine/tokens/suite/suite-for.ts";
import { createSuiteModel } from "../../../../src/engine/tokens/suite/suite-model.ts";
import { type SuiteRequest, withUniqueNames } from "../../../../src/engine/tokens/suite/suite-request.ts";
import type { ZoneSuite } from "../../../../src/engine/tokens/suite/zone-suite.ts";
import { decisionOf, isSameDecision } from "../../../../src/engine/tokens/verdict/decision.ts";
import type { Precedence } from "../../../../src/engine/tokens/zone/evaluate-rules.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { parseWorld } from "../../../../src/service/world/parse.ts";
import { zoneInput } from "../../../../src/service/world/rulesets/world-zones.ts";
import { tokenArbitraries } from "../../../../src/testing/arbitraries/tokens.ts";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";
import { mintSuite } from "../../../../src/testing/tokens/mint-suite.ts";
import { runs } from "../../../support/runs.ts";
import { inputOf } from "./input-of.ts";

const keys = [await mintKey("ES256", "k1"), await mintKey("ES256", "k2"), await mintKey("ES384", "k1")];
const [first, ...others] = keys.map(({ jwk }) => jwk);
if (first === undefined) throw new Error("there are keys");
const { zone } = tokenArbitraries(fc, [first, ...others]);
const precedences = fc.constantFrom<Precedence>("all", "first");

const numRuns = runs(40);
const seed = 17;
const nowMs = Date.UTC(2026, 0, 1);

async function decisionsOf(input: ZoneInput, requests: readonly SuiteRequest[], precedence: Precedence) {
  const compiled = await compileZone(input, { clock: () => nowMs, precedence });
  return requests.map(({ request }) => decisionOf(compiled.evaluateSync(request)));
}

/** The maximum number of mutants of a zone that the real engine and the comparison of zones check. */
const maxChecked = 60;

/** The suite passes on its zone with real tokens, and each mutant is noticed or proven to be equivalent. */
async function expectEveryMutantNoticed(input: ZoneInput, precedence: Precedence): Promise<ZoneSuite> {
  const suite = suiteFor(input, { precedence });
  const minted = await mintSuite(input, suite.requests, { nowMs });
  const decisions = await decisionsOf(minted.zone, minted.requests, precedence);
  expect(decisions).toEqual(suite.requests.map(({ expected }) => expected));
  const tested = mutationReport(
    minted.zone,
    minted.requests.map(({ request }) => ({ request, nowMs })),
    { precedence },
  );
  const count = (result: string) => tested.filter((mutant) => mutant.result === result).length;
  expect([count("noticed"), count("survived"), count("undecided")]).toEqual([
    suite.mutants.noticed,
    0,
    suite.mutants.undecided.length,
  ]);
  const model = createSuiteModel(minted.zone, { precedence });
  const mutants = mutantsOf(model.zone, model.classes);
  const step = Math.max(1, Math.floor(mutants.length / maxChecked));
  for (const [i, { change, description }] of mutants.entries()) {
    if (i % step !== 0) continue;
    const mutant = inputOf(applyChange(model.zone, change));
    const changed = await decisionsOf(mutant, minted.requests, precedence);
    const isNoticed = changed.some((decision, j) => !isSameDecision(decision, decisions[j] ?? decision));
    expect([description, tested[i]?.result === "noticed"]).toEqual([description, isNoticed]);
    if (tested[i]?.result !== "equivalent") continue;
    const compared = compareZones(minted.zone, mutant, { precedence, observation: "decision" });
    expect([description, compared.result]).not.toEqual([description, "different"]);
  }
  return suite;
}

test("a generated suite passes on its zone, and notices every mutant that is not equivalent", {
  timeout: 120_000 + 10_000 * numRuns,
}, async () => {
  await fc.assert(
    fc.asyncProperty(zone, precedences, async (input, precedence) => {
      await expectEveryMutantNoticed(input, precedence);
    }),
    { numRuns, seed },
  );
});

test.each<Precedence>(["all", "first"])(
  "so does the suite of the demo's world, with precedence %s",
  {
    timeout: 300_000,
  },
  async (precedence) => {
    const parsed = parseWorld(demoWorld(await mintDemoKeys()));
    const validation = parsed.ok ? parsed.value.world.zones?.[0]?.token_validation : undefined;
    if (validation === undefined) throw new Error("the demo has rules");
    const input = zoneInput(validation);
    const { mutants } = await expectEveryMutantNoticed(input, precedence);
    expect(mutants.noticed).toBeGreaterThan(40);
    expect(mutants.undecided).toEqual([]);
  },
);

test("names of requests are unique, and have no id of a rule", async () => {
  const idOf = (i: number) => `6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a${String(i).padStart(2, "0")}`;
  await fc.assert(
    fc.property(zone, precedences, (input, precedence) => {
      const rules = input.rules.map((rule, i) => ({ ...rule, id: idOf(i) }));
      const names = suiteFor({ ...input, rules }, { precedence }).requests.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.includes("6c1f8b5e-9a40"))).toEqual([]);
    }),
    { numRuns, seed },
  );
});

test("a name with a number is not that of another request", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "a (2)", "a (3)", "a (2) (2)"), { maxLength: 12 }), (names) => {
      const requests = names.map((name) => ({ name }) as SuiteRequest);
      const unique = withUniqueNames(requests.slice(2), requests.slice(0, 1)).map(({ name }) => name);
      expect(new Set([...names.slice(0, 1), ...unique]).size).toBe(
        Math.max(0, names.length - 2) + Math.min(1, names.length),
      );
      for (const [i, name] of unique.entries()) expect(name.startsWith(names[i + 2] ?? "")).toBe(true);
    }),
    { numRuns: runs(200), seed },
  );
});

test("covering requests show every rule firing and passing, except where that is proven impossible", async () => {
  await fc.assert(
    fc.asyncProperty(zone, precedences, async (input, precedence) => {
      const { requests, unreachable } = coveringRequests(input, { precedence });
      const minted = await mintSuite(input, requests, { nowMs });
      const compiled = await compileZone(minted.zone, { clock: () => nowMs, precedence });
      const results = minted.requests.flatMap(({ request }) =>
        compiled.evaluateSync(request).rules.map(({ id, result }) => `${id} ${result}`),
      );
      const seen = new Set(results.filter((result) => /(?:fired|passed)$/.test(result)));
      // Parts that depend on regular expressions are undecided.
      const usesMatches = input.rules.some(({ expression }) => expression.includes(" matches "));
      if (!usesMatches) expect(unreachable.every(({ isProven }) => isProven)).toBe(true);
      expect(seen.size + unreachable.length).toBe(2 * input.rules.length);
    }),
    { numRuns, seed },
  );
});
