/** Comparisons of what custom rules do beside the action, with the mutants and suites that depend on it. */

import { compareZones, mutationReport, suiteFor } from "edgeproof/analysis";
import { type CustomEffect, compileZone, decisionOf, type Ruleset, type ZoneInput } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";

type Rule = NonNullable<Ruleset["rules"]>[number];

const zoneOf = (...rules: readonly Partial<Rule>[]): ZoneInput => ({
  configs: [],
  rules: [],
  rulesets: [
    {
      id: "z",
      kind: "zone",
      phase: "http_request_firewall_custom",
      rules: rules.map((rule, i) => ({ id: `z${i}`, action: "block", expression: "true", ...rule }) as Rule),
    },
  ],
});

const office = "ip.src eq 192.0.2.1";
const managed = { phases: ["http_request_firewall_managed"] };
const skip = (parameters: Rule["action_parameters"], expression = office): Partial<Rule> => ({
  action: "skip",
  action_parameters: parameters!,
  expression,
});
const answer = (content: string, status_code = 403): Partial<Rule> => ({
  action_parameters: { response: { status_code, content, content_type: "text/plain" } },
});

/** The effects of the first difference; the result without one. */
function effects(left: ZoneInput, right: ZoneInput, observation?: "action" | "effect" | "decision") {
  const compared = compareZones(left, right, observation === undefined ? {} : { observation });
  if (compared.result !== "different") return compared.result;
  const [{ left: first, right: second }] = compared.differences;
  expect([first.action, second.action], "the action is the same").toEqual([first.action, first.action]);
  return [first.custom, second.custom];
}

describe("zones differ in their effect", () => {
  test.each<[string, ZoneInput, ZoneInput, [CustomEffect, CustomEffect]]>([
    [
      "when a skip of the managed rules is opened from one address to every client",
      zoneOf(skip(managed)),
      zoneOf(skip(managed, "true")),
      [{}, { skipped: managed }],
    ],
    [
      "when another product is skipped",
      zoneOf(skip({ products: ["waf"] }, "true")),
      zoneOf(skip({ products: ["bic"] }, "true")),
      [{ skipped: { products: ["waf"] } }, { skipped: { products: ["bic"] } }],
    ],
    [
      "when a ruleset of a later phase is skipped",
      zoneOf(),
      zoneOf(skip({ rulesets: ["managed"] }, "true")),
      [{}, { skipped: { rulesets: ["managed"] } }],
    ],
    [
      "when a rule of a later phase is skipped",
      zoneOf(skip({ rules: { m: "1" } }, "true")),
      zoneOf(skip({ rules: { m: "1, 2" } }, "true")),
      [{ skipped: { rules: ["m/1"] } }, { skipped: { rules: ["m/1", "m/2"] } }],
    ],
    [
      "when the kind of challenge is another one",
      zoneOf({ action: "js_challenge" }),
      zoneOf({ action: "managed_challenge" }),
      [{ kind: "js_challenge" }, { kind: "managed_challenge" }],
    ],
    [
      "when a rule that blocks answers with another status",
      zoneOf(answer("no")),
      zoneOf(answer("no", 429)),
      [
        { response: { status_code: 403, content: "no", content_type: "text/plain" } },
        { response: { status_code: 429, content: "no", content_type: "text/plain" } },
      ],
    ],
    [
      "when a rule that blocks no longer states its response",
      zoneOf(answer("no")),
      zoneOf({}),
      [{ response: { status_code: 403, content: "no", content_type: "text/plain" } }, {}],
    ],
    [
      "when a rule logs before another one blocks",
      zoneOf({ id: "b" }),
      zoneOf({ id: "l", action: "log" }, { id: "b" }),
      [{}, { logged: ["l"] }],
    ],
    [
      "when a second rule logs",
      zoneOf({ action: "log" }),
      zoneOf({ action: "log" }, { action: "log" }),
      [{ logged: ["z0"] }, { logged: ["z0", "z1"] }],
    ],
    [
      "when the matches of a skip are recorded",
      zoneOf(skip(managed, "true")),
      zoneOf({ ...skip(managed, "true"), logging: { enabled: true } }),
      [{ skipped: managed }, { skipped: managed, logged: ["z0"] }],
    ],
  ])("%s", (_, left, right, expected) => {
    expect(effects(left, right)).toEqual(expected);
    expect(effects(left, right, "decision")).toEqual(expected);
    expect(effects(left, right, "action")).toBe("equivalent");
  });
});

describe("zones have the same effect", () => {
  const block = { id: "b" };
  test.each<[string, ZoneInput, ZoneInput]>([
    [
      "when a skip is opened for clients that are blocked anyway",
      zoneOf(skip(managed), block),
      zoneOf(skip(managed, "true"), block),
    ],
    [
      "when two rules skip the same",
      zoneOf(skip(managed, "true")),
      zoneOf(skip(managed, "ssl"), skip(managed, "not ssl")),
    ],
    [
      "when a skip is of a ruleset of this phase that nothing executes",
      zoneOf(),
      zoneOf(skip({ rulesets: ["z"] }, "true")),
    ],
    [
      "when a skip covers rules that never match",
      zoneOf({ expression: "false" }),
      zoneOf(skip({ ruleset: "current" }), { expression: "false" }),
    ],
    ["when rules that block have other ids", zoneOf({ id: "a" }), zoneOf({ id: "b" })],
    [
      "when the matches of a skip are not recorded, as it states or not",
      zoneOf(skip(managed)),
      zoneOf({ ...skip(managed), logging: { enabled: false } }),
    ],
    [
      "when rules that log change places",
      zoneOf({ id: "a", action: "log" }, { id: "b", action: "log" }),
      zoneOf({ id: "b", action: "log" }, { id: "a", action: "log" }),
    ],
  ])("%s", (_, left, right) => {
    expect(effects(left, right)).toBe("equivalent");
  });
});

test("a change of rewrites alone is undecided, and does not hide another difference", () => {
  const rewrite = { id: "r", action: "rewrite" } as const;
  expect(effects(zoneOf(rewrite), zoneOf({ ...rewrite, expression: office }))).toBe("undecided");
  expect(effects(zoneOf(rewrite), zoneOf(rewrite))).toBe("equivalent");
  expect(effects(zoneOf(rewrite, skip(managed)), zoneOf(rewrite, skip(managed, "true")))).toEqual([
    { undecided: ["r"] },
    { skipped: managed, undecided: ["r"] },
  ]);
});

test("an unknown rule that skips shows no difference", () => {
  const unknown = { ...skip(managed, ""), undecided: "it is not known before the apply" };
  expect(effects(zoneOf(unknown), zoneOf())).toBe("undecided");
  expect(effects(zoneOf(unknown, skip({ products: ["waf"] })), zoneOf(unknown))).toBe("undecided");
});

test("a decision has no effect of custom rules in a zone without any", async () => {
  const zone = await compileZone(zoneOf());
  expect(decisionOf(zone.evaluateSync({ method: "GET", url: "https://a.example/" }))).not.toHaveProperty(
    "custom",
  );
});

describe("the suite of a zone that skips the managed rules for one address", () => {
  const zone = zoneOf(skip(managed));
  const opened = zoneOf(skip(managed, "true"));
  const { requests, mutants } = suiteFor(zone);

  test("notices each mutant, and the skip that is opened to every client", async () => {
    expect(mutants).toMatchObject({ equivalent: 0, undecided: [] });
    const given = requests.map(({ request }) => ({ request, nowMs: 0 }));
    const report = mutationReport(zone, given);
    expect(report.filter(({ result }) => result !== "noticed")).toEqual([]);
    const [own, other] = [await compileZone(zone), await compileZone(opened)];
    expect(requests.map(({ request }) => decisionOf(own.evaluateSync(request)))).toEqual(
      requests.map(({ expected }) => expected),
    );
    expect(requests.map(({ request }) => decisionOf(other.evaluateSync(request)))).not.toEqual(
      requests.map(({ expected }) => expected),
    );
  });

  test("has mutants that survive without requests, each with one that shows it", () => {
    const report = mutationReport(zone, []);
    expect(report.map(({ result }) => result)).toEqual(report.map(() => "survived"));
  });

  test("keeps the requests of an earlier suite, which state no effect, as they are", () => {
    const keep = requests.map(({ expected: { custom: _, ...expected }, ...rest }) => ({ ...rest, expected }));
    const again = suiteFor(zone, { keep });
    expect(again.requests.slice(0, keep.length)).toEqual(keep);
    expect(again.mutants).toEqual(mutants);
    expect(again.requests.length).toBeGreaterThan(keep.length);
  });

  test("does not keep a request whose effect is another one", () => {
    const names = new Set(
      suiteFor(opened, { keep: requests }).requests.map((request) => JSON.stringify(request)),
    );
    const stale = requests.filter(({ expected }) => expected.custom?.skipped === undefined);
    expect(stale.length).toBeGreaterThan(0);
    for (const request of stale) expect(names).not.toContain(JSON.stringify(request));
  });
});
