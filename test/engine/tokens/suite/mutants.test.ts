/** The mutants of a rule, and the requests that notice them. */

import { describe, expect, test } from "vitest";
import { profiles } from "../../../../src/core/profiles.ts";
import { compareZones } from "../../../../src/engine/tokens/analysis/compare-zones.ts";
import type { TokenRule } from "../../../../src/engine/tokens/model.ts";
import { coveringRequests } from "../../../../src/engine/tokens/suite/covering-requests.ts";
import { mutantsOf } from "../../../../src/engine/tokens/suite/mutants/mutants-of.ts";
import { mutationReport } from "../../../../src/engine/tokens/suite/mutants/mutation-report.ts";
import { suiteFor } from "../../../../src/engine/tokens/suite/suite-for.ts";
import { createSuiteModel } from "../../../../src/engine/tokens/suite/suite-model.ts";
import type { SuiteRequest } from "../../../../src/engine/tokens/suite/suite-request.ts";
import { decisionOf, isSameDecision } from "../../../../src/engine/tokens/verdict/decision.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";
import { mintSuite } from "../../../../src/testing/tokens/mint-suite.ts";

const nowMs = Date.UTC(2026, 0, 1);
const { jwk } = await mintKey("ES256");
const config = (id: string) => ({
  id,
  token_sources: [`http.request.headers["${id}"][0]`],
  credentials: { keys: [jwk] },
});
const operations = [
  { operation_id: "list", method: "GET", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "drop", method: "DELETE", host: "api.example.com", endpoint: "/orders/{id}" },
  { operation_id: "shop", method: "GET", host: "shop.example.com", endpoint: "/" },
];

function rule(id: string, expression: string, more: Partial<TokenRule> = {}): TokenRule {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id, action: "block", enabled: true, expression, selector, ...more };
}

function describeMutants(input: ZoneInput): string[] {
  const model = createSuiteModel(input, {});
  return mutantsOf(model.zone, model.classes).map(
    ({ kind, pointer, description }) => `${kind} ${pointer}: ${description}`,
  );
}

test("every part of a rule has a mutant, with its place and description", () => {
  const selector = {
    include: [{ host: ["api.example.com"] }],
    exclude: [{ operation_ids: ["drop"] }],
  };
  const guard = rule("guard", 'is_jwt_valid("a") or http.request.method eq "GET"', { selector });
  const count = rule("count", 'http.host eq "api.example.com"', { action: "log" });
  expect(
    describeMutants({ configs: [config("a"), config("b")], rules: [guard, count], operations }),
  ).toMatchSnapshot();
});

test("sets, patterns and negations have mutants", () => {
  const expression =
    'http.request.method in {"GET" "POST"} and not http.request.uri.path wildcard "/a/*" and http.request.uri.path contains "b"';
  const found = describeMutants({ configs: [], rules: [rule("r", expression)] });
  expect(found.filter((line) => /^(?:method|value|operator) /.test(line))).toMatchSnapshot();
});

test("a rule comes after each later and before each earlier rule of the same requests, first, and last", () => {
  const rules = ["a", "b", "c"].map((id) => rule(id, 'http.host eq "x"'));
  const moves = describeMutants({ configs: [], rules }).filter((line) => /^(?:order|position)/.test(line));
  expect(moves).toEqual([
    "order /rules/0: the rule comes after `b`",
    "order /rules/0: the rule comes after `c`",
    "position /rules/0: the rule is last",
    "order /rules/1: the rule comes after `c`",
    "position /rules/1: the rule is first",
    "position /rules/1: the rule is last",
    "order /rules/2: the rule comes before `a`",
    "position /rules/2: the rule is first",
  ]);
});

test("an equivalent mutant is counted as equivalent", () => {
  const always = rule("always", 'http.host eq "api.example.com"');
  const { mutants } = suiteFor({ configs: [], rules: [always] });
  // For the only host that the rule covers, the action and the operator `contains` of `eq` have no effect.
  expect(mutants.equivalent).toBeGreaterThan(0);
  expect(mutants.undecided).toEqual([]);
});

test("what is unreachable is listed with the reason of the analysis", () => {
  const rules = [
    rule("always", 'http.host eq "api.example.com"', { title: "Always" }),
    rule("off", 'http.host eq "x"', { enabled: false }),
  ];
  const { unreachable } = suiteFor(
    { configs: [], rules },
    { operations: "each", keep: [], onProgress: () => {} },
  );
  expect(unreachable).toContainEqual({
    requirement: "rule `Always` (`always`) fires",
    reason: "The expression is true for every request that the rule covers, so the rule never acts.",
    isProven: true,
  });
  expect(unreachable).toContainEqual({
    requirement: "rule `off` passes",
    reason: "The rule is disabled.",
    isProven: true,
  });
});

test("a remark on a missing value is no reason", () => {
  const ne = rule("ne", 'http.request.headers["x-a"][0] ne "1"', {
    selector: { include: [{ host: ["a.example"] }] },
  });
  const operations = [{ operation_id: "o", method: "GET", host: "b.example", endpoint: "/" }];
  const { unreachable } = suiteFor({ configs: [], rules: [ne], operations });
  expect(unreachable.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 4 }, () => "The host `a.example` has no operations."),
  );
});

test("a search that needs too many steps is reported as undecided", () => {
  const expression = 'http.request.uri.path contains "a" or http.request.uri.path wildcard "/*b*c"';
  const { mutants, unreachable } = suiteFor({ configs: [], rules: [rule("r", expression)] }, { maxSteps: 3 });
  expect(mutants.undecided.length).toBeGreaterThan(0);
  expect(unreachable.some(({ isProven }) => !isProven)).toBe(true);
});

test("compareZones observes the rule that decided and the rules that logged only when asked", () => {
  const logs = ["a", "b"].map((id) => rule(id, 'http.request.method eq "GET"', { action: "log" }));
  const left = { configs: [], rules: logs };
  const right = { configs: [], rules: logs.toReversed() };
  expect(compareZones(left, right).result).toBe("equivalent");
  const compared = compareZones(left, right, { observation: "decision" });
  if (compared.result !== "different") throw new Error("they differ");
  expect(compared.differences[0].left).toMatchObject({ action: "log", rule: "a", logged: ["a", "b"] });
  expect(compared.differences[0].right).toMatchObject({ action: "log", rule: "b", logged: ["b", "a"] });
});

test("suiteFor, coveringRequests and mutationReport reject unknown options with the nearest name", () => {
  const zone = { configs: [], rules: [] };
  const options = { precedense: "first" } as object;
  for (const run of [
    () => suiteFor(zone, options),
    () => coveringRequests(zone, options),
    () => mutationReport(zone, [], options),
  ])
    expect(run).toThrow(/`precedense`.*did you mean `precedence`/);
  const common = { ...profiles.provider };
  expect(suiteFor(zone, common).requests).toEqual([]);
  expect(mutationReport(zone, [], { ...common, maxTokenBytes: 100 })).toEqual([]);
});

describe("mutationReport", () => {
  const zone = { configs: [config("a")], rules: [rule("guard", 'is_jwt_valid("a")')] };
  const request = { method: "GET", url: "https://api.example.com/" };

  test("names the first request that notices each mutant, and a request for each survivor", () => {
    const tested = mutationReport(zone, [
      { request: { ...request, url: "https://x.example/" }, nowMs: 0 },
      { request, nowMs: 0 },
    ]);
    const lines = tested.map(({ description, ...rest }) => {
      const by =
        rest.result === "noticed" ? rest.request : rest.result === "survived" ? rest.noticedBy.name : "";
      return `${description}: ${rest.result} ${by}`.trim();
    });
    expect(lines).toMatchSnapshot();
  });

  test("the request for a survivor notices it with a real token", async () => {
    const tested = mutationReport(zone, [{ request, nowMs }]);
    const survivors = tested.flatMap((mutant) => (mutant.result === "survived" ? [mutant] : []));
    expect(survivors.length).toBeGreaterThan(0);
    const minted = await mintSuite(
      zone,
      survivors.map(({ noticedBy }) => noticedBy),
      { nowMs },
    );
    const again = mutationReport(
      minted.zone,
      minted.requests.map((sample) => ({ request: sample.request, nowMs })),
    );
    const results = new Map(again.map(({ description, result }) => [description, result]));
    expect(survivors.map(({ description }) => results.get(description))).toEqual(
      survivors.map(() => "noticed"),
    );
  });

  test("a generated suite with minted tokens leaves no survivor", async () => {
    const minted = await mintSuite(zone, suiteFor(zone).requests, { nowMs });
    const timed = minted.requests.map((sample) => ({ request: sample.request, nowMs }));
    const left = mutationReport(minted.zone, timed).filter(
      ({ result }) => result !== "noticed" && result !== "equivalent",
    );
    expect(left).toEqual([]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined as never])("the time %s is rejected", (time) => {
    expect(() =>
      mutationReport(zone, [
        { request, nowMs: 0 },
        { request, nowMs: time },
      ]),
    ).toThrow(
      `\`nowMs\` of request 1 must be a finite number of milliseconds; found ${time === undefined ? "nothing" : `\`${time}\``}`,
    );
  });
});

test("compareZones rejects an unknown observation", () => {
  const zone = { configs: [], rules: [] };
  expect(() => compareZones(zone, zone, { observation: "all" as "action" })).toThrow(
    '`observation` must be "action", "effect" or "decision"; found `all`.',
  );
});

test.each([
  "len(http.request.uri) gt 1",
  'starts_with(lower(http.request.uri.path), "/a")',
  'any(http.request.headers["x"][*] eq "a")',
  'http.request.uri.query eq "debug"',
])("every mutant of the rule `%s` is noticed by its suite, or proven to be equivalent", (expression) => {
  const input = { configs: [], rules: [rule("r", expression)] };
  const model = createSuiteModel(input, {});
  const { noticed, equivalent, undecided } = suiteFor(input).mutants;
  expect(undecided).toEqual([]);
  expect(noticed).toBeGreaterThan(0);
  expect(noticed + equivalent).toBe(mutantsOf(model.zone, model.classes).length);
});

describe("the suite of a guard of five operations", () => {
  const ids = ["a", "b", "c", "d", "e"];
  const five = ids.map((id) => ({
    operation_id: id,
    method: "GET",
    host: "api.example.com",
    endpoint: `/${id}`,
  }));
  const zoneOf = (expression: string, more: Partial<TokenRule> = {}): ZoneInput => ({
    configs: [config("a"), config("b")],
    rules: [rule("guard", expression, more)],
    operations: [
      ...five,
      { operation_id: "f", method: "GET", host: "api.example.com", endpoint: "/admin/{x}" },
    ],
  });
  const guard = 'is_jwt_valid("a")';
  const long = `${guard} or len(http.request.headers["x-id"][0]) ge 16`;
  const prefix = `${guard} or starts_with(http.request.uri.path, "/admin")`;
  const wildcard = `${guard} or http.request.uri.path wildcard "/admin/*"`;
  const pattern = `${guard} or http.request.headers["x-id"][0] matches "^v[0-9]{1,3}$"`;
  const selector = {
    include: [{ host: ["api.example.com"] }],
    exclude: [{ operation_ids: ["b", "c", "e"] }],
  };
  const [first, ...others] = zoneOf(guard).configs;
  const sources = [...(first?.token_sources ?? []), 'http.request.headers["b"][0]'];
  const more = { ...zoneOf(guard), configs: [{ ...config("a"), token_sources: sources }, ...others] };

  test.each<[string, ZoneInput, ZoneInput]>([
    ["the exclusion of three operations", zoneOf(guard), zoneOf(guard, { selector })],
    ["a smaller length", zoneOf(long), zoneOf(long.replace("16", "8"))],
    ["a source more", zoneOf(guard), more],
    [
      "an operation less",
      zoneOf(guard),
      { ...zoneOf(guard), operations: zoneOf(guard).operations?.slice(1) ?? [] },
    ],
    ["a shorter prefix", zoneOf(prefix), zoneOf(prefix.replace("/admin", "/admi"))],
    ["a wider wildcard", zoneOf(wildcard), zoneOf(wildcard.replace("/admin/*", "/a*/*"))],
    ["a smaller class", zoneOf(pattern), zoneOf(pattern.replace("0-9", "0-8"))],
    ["a wider quantifier", zoneOf(pattern), zoneOf(pattern.replace("1,3", "1,4"))],
    ["no anchor", zoneOf(pattern), zoneOf(pattern.replace("^", ""))],
  ])("notices %s", async (_what, before, after) => {
    const suite = suiteFor(before);
    expect(suite.mutants.undecided).toEqual([]);
    const { zone, requests } = await mintSuite(before, suite.requests, { nowMs });
    const minted = {
      ...after,
      configs: after.configs.map((config, i) => ({
        ...config,
        credentials: zone.configs[i]?.credentials ?? config.credentials,
      })),
    };
    const decisions = async (input: ZoneInput) => {
      const compiled = await compileZone(input, { clock: () => nowMs });
      return requests.map(({ request }) => decisionOf(compiled.evaluateSync(request)));
    };
    const expected = await decisions(zone);
    expect(expected).toEqual(requests.map((request) => request.expected));
    const found = await decisions(minted);
    expect(
      found.filter((decision, i) => !isSameDecision(decision, expected[i] ?? decision)).length,
    ).toBeGreaterThan(0);
  });

  test("has a request for each action of each operation, and with `classes` one of those with the same rules", () => {
    const outcomesOf = (requests: readonly SuiteRequest[]) =>
      new Set(requests.map(({ request, expected }) => `${new URL(request.url).pathname} ${expected.action}`));
    const { requests, sizes } = suiteFor(zoneOf(guard));
    const found = outcomesOf(requests);
    for (const id of ids)
      expect([found.has(`/${id} block`), found.has(`/${id} allow`)]).toEqual([true, true]);
    expect(sizes.each).toBe(requests.length);
    const fewer = suiteFor(zoneOf(guard), { operations: "classes" });
    expect(fewer.requests.length).toBe(fewer.sizes.classes);
    expect(fewer.sizes.classes).toBeLessThan(sizes.each);
    expect(() => suiteFor(zoneOf(guard), { operations: "all" as "each" })).toThrow(
      'must be "each" or "classes"; found `all`',
    );
  });

  test("keeps the requests of an earlier suite whose decision is the same, and adds others after them", () => {
    const before = suiteFor(zoneOf(guard)).requests;
    const { requests } = suiteFor(zoneOf(long), { keep: before });
    const kept = requests.filter((request) => before.includes(request));
    expect(kept.length).toBeGreaterThan(before.length / 2);
    expect(requests.slice(0, kept.length)).toEqual(kept);
    expect(requests.length).toBeGreaterThan(kept.length);
    expect(suiteFor(zoneOf(guard), { keep: before }).requests).toEqual(before);
  });
});
