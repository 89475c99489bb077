/** Generated suites of zones with custom rules: with real tokens, each request has the decision that it expects. */

import { mutationReport, suiteFor } from "edgeproof/analysis";
import { compileZone, decisionOf, type Ruleset, type TokenRule, type ZoneInput } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";
import { mintSuite } from "../../../../src/testing/tokens/mint-suite.ts";
import { runs } from "../../../support/runs.ts";
import { leafTexts, zoneOf } from "../analysis/custom/random-rulesets.ts";

const nowMs = Date.UTC(2026, 0, 1);
const { jwk } = await mintKey("ES256");
const configs = [
  { id: "a", token_sources: ['http.request.headers["authorization"][0]'], credentials: { keys: [jwk] } },
];
const phase = "http_request_firewall_custom";
const role = 'lookup_json_string(http.request.jwt.claims["a"][0], "role")';

const rulesets: readonly Ruleset[] = [
  {
    id: "z",
    kind: "zone",
    phase,
    rules: [
      {
        id: "office",
        action: "skip",
        action_parameters: { ruleset: "current" },
        expression: "ip.src in {10.0.0.0/8}",
      },
      {
        id: "admins",
        action: "block",
        expression: `http.request.method eq "DELETE" and not ${role} eq "admin"`,
      },
      { id: "countries", action: "log", expression: 'ip.src.country in {"DE" "FR"}' },
    ],
  },
];
const tokenRule: TokenRule = {
  id: "t",
  action: "block",
  enabled: true,
  expression: 'is_jwt_valid("a")',
  selector: { include: [{ host: ["api.example.com"] }] },
};
const zone: ZoneInput = { configs, rules: [tokenRule], rulesets };

/** The decisions of real tokens, beside those that the requests expect. */
async function evaluateSuite(input: ZoneInput, suite: ReturnType<typeof suiteFor>) {
  const minted = await mintSuite(input, suite.requests, { nowMs });
  const compiled = await compileZone(minted.zone, { clock: () => nowMs });
  return {
    minted,
    decisions: minted.requests.map(({ request }) => decisionOf(compiled.evaluateSync(request))),
    results: minted.requests.flatMap(({ request }) => compiled.evaluateSync(request).custom?.rules ?? []),
  };
}

test("each custom rule matches and does not, with valid and invalid tokens, and each mutant is noticed", async () => {
  const suite = suiteFor(zone);
  expect(suite.unreachable).toEqual([]);
  expect(suite.mutants.undecided).toEqual([]);
  const { minted, decisions, results } = await evaluateSuite(zone, suite);
  expect(decisions).toEqual(suite.requests.map(({ expected }) => expected));
  for (const id of ["office", "admins", "countries"])
    for (const result of ["matched", "not_matched"])
      expect(
        results.some((met) => met.rule === id && met.result === result),
        `${id} ${result}`,
      ).toBe(true);
  const states = suite.requests.flatMap(({ tokens }) =>
    tokens.map(({ state, claims }) => [state, claims?.["role"]]),
  );
  for (const state of ["valid", "expired", "bad_signature"]) expect(states).toContainEqual([state, "admin"]);
  const expired = suite.requests.find(({ tokens: [token] }) => token?.state === "expired" && token.claims);
  expect(expired?.expected).toMatchObject({ action: "block", rule: "admins" });
  const report = mutationReport(
    minted.zone,
    minted.requests.map(({ request }) => ({ request, nowMs })),
  );
  expect(report.filter(({ result }) => result === "survived" || result === "undecided")).toEqual([]);
  expect(report.filter(({ result }) => result === "noticed")).toHaveLength(suite.mutants.noticed);
});

test("names are unique, and the same zone has the same suite", () => {
  const suite = suiteFor(zone);
  expect(new Set(suite.requests.map(({ name }) => name)).size).toBe(suite.requests.length);
  expect(suiteFor(zone)).toEqual(suite);
  expect(suite.sizes.each).toBe(suite.requests.length);
});

test("a rule that cannot match is named, with a proof or the part without a model", () => {
  const [entry] = rulesets;
  const withRule = (expression: string): ZoneInput => ({
    ...zone,
    rulesets: [{ ...entry!, rules: [...entry!.rules!, { id: "last", action: "block", expression }] }],
  });
  expect(suiteFor(withRule("ip.src in {10.0.0.0/9}")).unreachable).toEqual([
    {
      requirement: "custom rule `last` matches",
      reason: "No request does this: its expression or earlier rules decide first.",
      isProven: true,
    },
  ]);
  expect(suiteFor(withRule('decode_base64(http.host) eq "ab"')).unreachable).toMatchObject([
    { requirement: "custom rule `last` matches", isProven: false },
  ]);
});

test("requests of an earlier suite are kept where their decision is the same", () => {
  const before = suiteFor(zone).requests;
  const [entry] = rulesets;
  const changed = { ...zone, rulesets: [{ ...entry!, rules: entry!.rules!.slice(0, 2) }] };
  const after = suiteFor(changed, { keep: before }).requests;
  const kept = after.filter((request) => before.some(({ name }) => name === request.name));
  expect(kept.length).toBeGreaterThan(3);
  expect(after.every(({ expected }) => expected.rule !== "countries")).toBe(true);
});

test("rules that read the clock have requests that state it", async () => {
  const [entry] = rulesets;
  const rules = [{ id: "night", action: "block" as const, expression: "http.request.timestamp.sec lt 1000" }];
  const input = { ...zone, rulesets: [{ ...entry!, rules }] };
  const suite = suiteFor(input);
  const { decisions } = await evaluateSuite(input, suite);
  expect(decisions).toEqual(suite.requests.map(({ expected }) => expected));
  expect(suite.requests.every(({ request }) => "http.request.timestamp.sec" in request.fields!)).toBe(true);
});

test("a claim that is a number with a fraction has nothing below it", async () => {
  const claims = 'http.request.jwt.claims["a"][0]';
  const isLate = 'http.request.jwt.claims.iat.sec["a"][0] ge 100';
  const isWhole = `lookup_json_integer(${claims}, "iat") ge 100`;
  const hasName = `lookup_json_string(${claims}, "iat", "name") eq "x"`;
  const rules = [
    { id: "fraction", action: "log", expression: `${isLate} and not ${isWhole}` },
    { id: "name", action: "block", expression: hasName },
  ] as const;
  const [entry] = rulesets;
  const input = { ...zone, rulesets: [{ ...entry!, rules }] };
  const suite = suiteFor(input);
  const { decisions } = await evaluateSuite(input, suite);
  expect(decisions).toEqual(suite.requests.map(({ expected }) => expected));
  const issued = suite.requests.flatMap(({ tokens }) => tokens.map(({ claims }) => claims?.["iat"]));
  expect(issued).toContainEqual({ name: "x" });
  expect(issued.some((time) => typeof time === "number" && !Number.isInteger(time))).toBe(true);
});

test("every request of the suite of a random zone has the decision that it expects", async () => {
  await fc.assert(
    fc.asyncProperty(zoneOf(leafTexts), async (input) => {
      const suite = suiteFor(input);
      const { decisions } = await evaluateSuite(input, suite);
      expect(decisions).toEqual(suite.requests.map(({ expected }) => expected));
    }),
    { numRuns: runs(30) },
  );
});
