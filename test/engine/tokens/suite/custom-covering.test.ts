/** `coveringRequests` of zones with custom rules: each rule acts and does not, or it is said why not. */

import { coveringRequests } from "edgeproof/analysis";
import type { Ruleset, TokenRule, ZoneInput } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";
import { mintSuite } from "../../../../src/testing/tokens/mint-suite.ts";
import { runs } from "../../../support/runs.ts";
import { compileTimed, leafTexts, sampleRequests, zoneOf } from "../analysis/custom/random-rulesets.ts";

const { jwk } = await mintKey("ES256");
const configs = [
  { id: "a", token_sources: ['http.request.headers["authorization"][0]'], credentials: { keys: [jwk] } },
];
const phase = "http_request_firewall_custom";
const tokenRule = (action: "block" | "log", expression = 'is_jwt_valid("a")'): TokenRule => ({
  id: "t",
  action,
  enabled: true,
  expression,
  selector: { include: [{ host: ["api.example.com"] }] },
});
const zoneWith = (rule: TokenRule, ...expressions: readonly string[]): ZoneInput => {
  const rules = expressions.map((expression, i) => ({ id: `c${i}`, action: "block" as const, expression }));
  const rulesets: readonly Ruleset[] = [{ id: "z", kind: "zone", phase, rules }];
  return { configs, rules: [rule], rulesets };
};

/** The results of all rules for real tokens, as `rule result`. */
async function resultsOf(input: ZoneInput) {
  const { requests, unreachable } = coveringRequests(input);
  const minted = await mintSuite(input, requests, { nowMs: 0 });
  const evaluate = await compileTimed(minted.zone);
  const verdicts = minted.requests.map(({ request }) => evaluate({ request, timeMs: 0 }));
  expect(verdicts.map(({ action }) => action)).toEqual(requests.map(({ expected }) => expected.action));
  const results = verdicts.flatMap(({ rules, custom }) => [
    ...rules.map(({ id, result }) => `${id} ${result}`),
    ...(custom?.rules ?? []).map(({ rule, result }) => `${rule} ${result}`),
  ]);
  return { unreachable, results: new Set(results), evaluate };
}

test("a token rule fires and passes with values that the custom rules let pass", async () => {
  const { unreachable, results } = await resultsOf(
    zoneWith(tokenRule("block"), "not ip.src in {10.7.0.0/16}", 'http.user_agent eq ""'),
  );
  expect(unreachable).toEqual([]);
  for (const outcome of ["t fired", "t passed", "c0 matched", "c1 matched", "c1 not_matched"])
    expect([...results]).toContain(outcome);
});

test("values that only the token rule needs are found together with those of the custom rules", async () => {
  // No request of the token rules alone passes, and none of the custom rules makes the token rule pass.
  const rule = tokenRule("log", 'http.request.headers["x"][0] contains "q"');
  const { unreachable, results } = await resultsOf(
    zoneWith(
      rule,
      'not (http.request.headers["x"][0] eq "q1" or ip.src eq 10.0.0.1)',
      'http.request.headers["x"][0] eq "q"',
    ),
  );
  expect(unreachable).toEqual([]);
  expect([...results]).toEqual(expect.arrayContaining(["t fired", "t passed"]));
});

test("a token rule that custom rules never let decide is proven to be unreachable", async () => {
  const claim = 'lookup_json_string(http.request.jwt.claims["a"][0], "role") eq "admin"';
  const { unreachable } = await resultsOf(zoneWith(tokenRule("block"), `not ${claim}`));
  expect(unreachable).toEqual([
    {
      requirement: "rule `t` fires",
      reason: "Custom rules end the evaluation of every request for which it would.",
      isProven: true,
    },
  ]);
});

test("a part without a model leaves it open, by name", async () => {
  const part = 'substring(http.request.uri.path, 1, 3) eq "zz"';
  const { unreachable } = await resultsOf(zoneWith(tokenRule("block"), `not ${part}`));
  const rule = unreachable.find(({ requirement }) => requirement === "rule `t` fires");
  expect(rule).toMatchObject({ isProven: false, reason: expect.stringContaining("`substring(") });
});

test("no request shows what is proven to be impossible", async () => {
  const requests = sampleRequests(400);
  await fc.assert(
    fc.asyncProperty(zoneOf(leafTexts), async (input) => {
      const { unreachable } = await resultsOf(input);
      const evaluate = await compileTimed(input);
      const shown = new Set(
        requests.flatMap((request) =>
          evaluate(request).rules.map(({ id, result }) => `rule \`${id}\` ${result}`),
        ),
      );
      for (const { requirement, isProven } of unreachable)
        if (isProven && requirement.startsWith("rule "))
          expect([...shown]).not.toContain(
            requirement.replace(" fires", " fired").replace(" passes", " passed"),
          );
    }),
    { numRuns: runs(100, 5) },
  );
});
