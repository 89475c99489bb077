/** The mutants of a rule, and the requests that notice them. */

import { expect, test } from "vitest";
import { compareZones } from "../../../../src/engine/tokens/analysis/compare-zones.ts";
import type { TokenRule } from "../../../../src/engine/tokens/model.ts";
import { mutantsOf } from "../../../../src/engine/tokens/suite/mutants/mutants-of.ts";
import { suiteFor } from "../../../../src/engine/tokens/suite/suite-for.ts";
import { createSuiteModel } from "../../../../src/engine/tokens/suite/suite-model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";

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

function describe(input: ZoneInput): string[] {
  const model = createSuiteModel(input, {});
  return mutantsOf(model.zone, model.classes).map(
    ({ kind, rule, pointer, description }) => `${kind} ${rule} ${pointer}: ${description}`,
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
    describe({ configs: [config("a"), config("b")], rules: [guard, count], operations }),
  ).toMatchSnapshot();
});

test("sets, patterns and negations have mutants", () => {
  const expression =
    'http.request.method in {"GET" "POST"} and not http.request.uri.path wildcard "/a/*" and http.request.uri.path contains "b"';
  const found = describe({ configs: [], rules: [rule("r", expression)] });
  expect(found.filter((line) => /^(?:method|value|operator) /.test(line))).toMatchSnapshot();
});

test("a position is changed only where rules are far enough from it", () => {
  const rules = ["a", "b", "c"].map((id) => rule(id, 'http.host eq "x"'));
  const moves = describe({ configs: [], rules }).filter((line) => /^(?:order|position)/.test(line));
  expect(moves).toEqual([
    "order a /rules/0: the rule comes after `b`",
    "position a /rules/0: the rule is last",
    "order b /rules/1: the rule comes after `c`",
    "position c /rules/2: the rule is first",
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
  const { unreachable } = suiteFor({ configs: [], rules });
  expect(unreachable).toContainEqual({
    requirement: "rule `always` fires",
    reason: "The expression is true for every request that the rule covers, so the rule never acts.",
    isProven: true,
  });
  expect(unreachable).toContainEqual({
    requirement: "rule `off` passes",
    reason: "The rule is disabled.",
    isProven: true,
  });
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

test("compareZones rejects an unknown observation", () => {
  const zone = { configs: [], rules: [] };
  expect(() => compareZones(zone, zone, { observation: "all" as "action" })).toThrow(
    '`observation` must be "action" or "decision"; found `all`.',
  );
});
