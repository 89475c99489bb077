/** The rules of the playground: worlds with custom rules, profiles and several zones, and the rules of one zone. */
import { expect, test } from "vitest";
import type { ComparisonView, EvaluationView, ZoneView } from "../../../src/workbench/messages.ts";
import type { RulesMark, RulesZones } from "../../../src/workbench/playground-messages.ts";
import { askEngines } from "../../support/playground.ts";

const entry = (expression: string, action = "block") => ({
  kind: "zone",
  phase: "http_request_firewall_custom",
  rules: [{ description: "Outside", action, expression }],
});
const world = {
  accounts: [
    {
      id: "a1",
      rulesets: [{ ...entry('http.host eq "never.example"', "log"), kind: "root" }],
      lists: [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }],
    },
  ],
  zones: [
    { id: "z1", name: "shop.example", rulesets: [entry("not ip.src in $office")] },
    { id: "z2", name: "blog.example", rulesets: [entry("cf.bot_management.score lt 30")] },
  ],
};
const text = JSON.stringify(world, null, 2);
const get = { method: "GET", url: "https://shop.example/", headers: [] };
const evaluate = async (rules: string, zone: string, request: object) =>
  (await askEngines<EvaluationView>(rules, "evaluate", { zone, request: { ...get, ...request } })).result
    .verdict;
const findings = async (rules: string, zone = "") =>
  (await askEngines<readonly RulesMark[]>(rules, "report", { zone })).result;

test("custom rules of zone, account and lists are evaluated", async () => {
  expect(await evaluate(text, "z1", { ip: "192.0.2.7" })).toMatchObject({ action: "allow" });
  const blocked = await evaluate(text, "z1", { ip: "198.51.100.1" });
  expect(blocked).toMatchObject({ action: "block", custom: { decider: { title: "Outside" } } });
  expect(blocked.custom?.rules.map(({ result }) => result)).toEqual(["not_matched", "matched"]);
});

test("a value that the request does not say is undecided, with the member to add", async () => {
  const unknown = await evaluate(text, "z2", {});
  expect(unknown).toMatchObject({ action: "undecided", custom: { needs: ["cf.bot_management.score"] } });
  expect(unknown.because).toContain('`fields: { "cf.bot_management.score": ... }`');
  const fields = { "cf.bot_management.score": 12 };
  expect(await evaluate(text, "z2", { fields })).toMatchObject({ action: "block" });
});

test("every zone with rules is listed, and the fields of the chosen one have inputs", async () => {
  const { result } = await askEngines<RulesZones>(text, "zones");
  expect(result).toEqual({
    format: "JSON",
    isEditable: true,
    profile: "spec",
    zones: [
      { id: "z1", name: "shop.example" },
      { id: "z2", name: "blog.example" },
    ],
  });
  const zone = (await askEngines<ZoneView>(text, "zone", { zone: "z2" })).result;
  expect(zone.givenFields.map(({ name }) => name)).toEqual(["cf.bot_management.score"]);
  await expect(evaluate(text, "z3", {})).rejects.toThrow(/no zone `z3`; the zones with rules are `z1`, `z2`/);
});

test("findings of custom rules have the line of the world", async () => {
  const twice = structuredClone(world);
  twice.zones[0]!.rulesets[0]!.rules.push({ description: "B", action: "log", expression: "ssl and not ssl" });
  const found = await findings(JSON.stringify(twice, null, 2), "z1");
  const line = JSON.stringify(twice, null, 2)
    .split("\n")
    .findIndex((text) => text.includes("ssl and not ssl"));
  expect(found).toContainEqual(expect.objectContaining({ rule: "never-matches", line: line + 1 }));
  const wrong = text.replace("cf.bot_management.score lt", "cf.bot_management.score contains");
  expect(await findings(wrong, "z2")).toContainEqual(
    expect.objectContaining({ level: "error", line: expect.any(Number) }),
  );
});

test("the profile of the world decides which of several rules count", async () => {
  const id = (last: number) => `6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a1${last}`;
  const rule = (last: number, action: string, expression: string) => {
    return {
      id: id(last),
      title: "",
      action,
      expression,
      selector: { include: [{ host: ["shop.example"] }] },
    };
  };
  const rules = [rule(1, "log", 'http.host eq ""'), rule(2, "block", 'http.host eq ""')];
  const zones = [{ id: "z1", name: "shop.example", token_validation: { rules } }];
  expect(await evaluate(JSON.stringify({ zones }), "z1", {})).toMatchObject({ action: "block" });
  const provider = JSON.stringify({ profile: "provider", zones });
  expect(await evaluate(provider, "z1", {})).toMatchObject({ action: "log" });
  const compared = askEngines(JSON.stringify({ zones }), "compare", { before: provider, zone: "z1" });
  await expect(compared).rejects.toThrow(/same `profile`; the earlier one has `provider`/);
});

test("two versions are compared with their custom rules, also where one lacks the zone", async () => {
  const compare = async (before: string, zone = "z1") =>
    (await askEngines<ComparisonView>(text, "compare", { before, zone })).result;
  expect(await compare(text)).toEqual({ result: "equivalent" });
  const { request, ...changed } = await compare(text.replace("192.0.2.0/24", "192.0.2.0/25"));
  expect(changed).toMatchObject({ result: "different", saved: "block", draft: "allow" });
  expect(request?.ip).toMatch(/^192\.0\.2\.(?:12[89]|1[3-9]\d|2\d\d)$/);
  const other = text.replace('"z2"', '"z9"');
  expect(await compare(other, "z2")).toMatchObject({ result: "different", saved: "allow" });
  await expect(compare("{", "z1")).rejects.toThrow(/^The earlier version: Line 1 /);
});

test("the rules of one zone have rulesets and lists as `compileZone` accepts them", async () => {
  const plain = {
    rules: [],
    rulesets: [entry("ip.src in $bad")],
    account_rulesets: [{ ...entry("http.host eq"), kind: "root" }],
    lists: { bad: { kind: "ip", items: ["192.0.2.1"] }, "not a name": { kind: "ip", items: [] } },
  };
  const found = await findings(JSON.stringify(plain));
  expect(found.map(({ pointer }) => pointer)).toContain("/lists/not a name/name");
  const { "not a name": _, ...lists } = plain.lists;
  const valid = { ...plain, lists };
  expect((await findings(JSON.stringify(valid))).map(({ pointer }) => pointer)).toContain(
    "/account_rulesets/0/rules/0/expression",
  );
  const good = JSON.stringify({ ...valid, account_rulesets: [] });
  expect(await evaluate(good, "playground", { ip: "192.0.2.1" })).toMatchObject({ action: "block" });
  expect(await evaluate(good, "playground", { ip: "192.0.2.2" })).toMatchObject({ action: "allow" });
  expect(await findings(JSON.stringify({ rules: [], rulez: [] }))).toContainEqual(
    expect.objectContaining({ level: "error", pointer: "/rulez", message: expect.stringMatching(/rulez/) }),
  );
});

test("a draft of a custom rule is checked, and saved into the text", async () => {
  const zone = (await askEngines<ZoneView>(text, "zone", { zone: "z1" })).result;
  const ruleset = zone.rulesets.find(({ owner }) => owner === "zone")!;
  const draft = { zone: "z1", ruleset: ruleset.id, rule: ruleset.rules[0]!.id };
  const change = { ...draft, expression: "not ip.src in $office and ssl", action: "managed_challenge" };
  const checked = (await askEngines(text, "draft", { ...change, request: { ...get, ip: "198.51.100.1" } }))
    .result;
  expect(checked).toMatchObject({ problems: [], verdict: { action: "challenge" } });
  const { text: saved } = await askEngines(text, "rule/save", change);
  expect(JSON.parse(saved).zones[0].rulesets[0].rules).toEqual([
    { description: "Outside", action: "managed_challenge", expression: change.expression },
  ]);
  expect(JSON.parse(saved).zones[1]).toEqual(world.zones[1]);
  const added = { zone: "z1", ruleset: zone.rulesets[0]!.id, expression: "ssl", action: "log", title: "New" };
  const { text: more } = await askEngines(saved, "rule/save", added);
  expect(JSON.parse(more).accounts[0].rulesets[0].rules[1]).toMatchObject({
    description: "New",
    action: "log",
    expression: "ssl",
  });
});

test("a new token rule is saved into a zone without token validation", async () => {
  const rule = { zone: "z2", expression: 'http.host eq ""', action: "log", title: "New" };
  const { text: saved } = await askEngines(text, "rule/save", {
    ...rule,
    selector: { hosts: ["blog.example"], excluded: [] },
  });
  expect(JSON.parse(saved).zones[1].token_validation.rules).toMatchObject([{ title: "New", action: "log" }]);
  const invalid = { ...rule, expression: "http.host eq", selector: { hosts: [], excluded: [] } };
  await expect(askEngines(text, "rule/save", invalid)).rejects.toThrow(/^Line \d+ of the rules: /);
});

const jsonc = `{
  // Before the rules.
  "rules": [
    { "id": "a", "action": "log", "expression": "http.host eq \\"a, [\\"" }, // first
    /* ], */ { "id": "b", "action": "log", "expression": "http.host eq \\"b\\"" },
    { "id": "c", "action": "log", "expression": "http.host eq \\"c\\"" }
  ]
}`;
const idsIn = async (rules: string) =>
  (await askEngines<ZoneView>(rules, "zone", { zone: "playground" })).result.rules.map(({ id }) => id);

test.each(["a", "b", "c"].flatMap((rule) => [1, 2, 3].map((index) => [rule, index] as const)))(
  "moving rule %s to index %i changes the order alone, and moving it back gives the same text",
  async (rule, index) => {
    const { text: moved } = await askEngines(jsonc, "rule/move", { zone: "playground", rule, index });
    const expected = ["a", "b", "c"].filter((id) => id !== rule).toSpliced(index - 1, 0, rule);
    expect(await idsIn(moved)).toEqual(expected);
    expect([...moved].sort()).toEqual([...jsonc].sort());
    const back = { zone: "playground", rule, index: ["a", "b", "c"].indexOf(rule) + 1 };
    expect((await askEngines(moved, "rule/move", back)).text).toBe(jsonc);
  },
);

test.each(["a", "b", "c"])("deleting rule %s leaves the others, until there is none", async (rule) => {
  let changed = (await askEngines(jsonc, "rule/delete", { zone: "playground", rule })).text;
  const others = ["a", "b", "c"].filter((id) => id !== rule);
  expect(await idsIn(changed)).toEqual(others);
  expect(changed).toContain("// Before the rules.");
  for (const id of others)
    changed = (await askEngines(changed, "rule/delete", { zone: "playground", rule: id })).text;
  expect(await idsIn(changed)).toEqual([]);
  await expect(askEngines(changed, "rule/delete", { zone: "playground", rule })).rejects.toThrow(/no rule/);
});

test("custom rules of zone and account are moved and deleted in the text of a world", async () => {
  const more = structuredClone(world);
  more.accounts[0]!.rulesets[0]!.rules.push({ description: "Last", action: "log", expression: "ssl" });
  const before = JSON.stringify(more, null, 2);
  const { result } = await askEngines<ZoneView>(before, "zone", { zone: "z1" });
  const [account, zone] = result.rulesets;
  const at = { zone: "z1", ruleset: account!.id, rule: account!.rules[1]!.id };
  const { text: moved } = await askEngines(before, "rule/move", { ...at, index: 1 });
  const titles = (rules: string) =>
    JSON.parse(rules).accounts[0].rulesets[0].rules.map((rule: { description: string }) => rule.description);
  expect(titles(moved)).toEqual(["Last", "Outside"]);
  const own = { zone: "z1", ruleset: zone!.id, rule: zone!.rules[0]!.id };
  const { text: left } = await askEngines(before, "rule/delete", own);
  expect(JSON.parse(left).zones[0].rulesets[0].rules).toEqual([]);
  expect(JSON.parse(left).zones[1]).toEqual(more.zones[1]);
});

test.each<readonly [string, unknown, RegExp]>([
  ["a list", [], /must be an object/],
  ["null", null, /must be an object/],
  ["an object without rules", { a: 1 }, /must have `zones`/],
  ["zones that are a number", { zones: 1 }, /`zones`/],
  ["a zone that is null", { zones: [null] }, /object/],
  ["no zone", { zones: [] }, /found none in 0 zones/],
  ["rules that are null", { rules: [null] }, /object/],
  ["configs that are a number", { configs: 5, rules: [] }, /`configs`/],
  ["rulesets that are null", { rulesets: [null] }, /object/],
  ["lists that are null", { rules: [], lists: { a: null } }, /object|lists/],
])("%s is an error with a sentence", async (_name, value, message) => {
  const found = await findings(JSON.stringify(value));
  expect(found).toContainEqual(
    expect.objectContaining({ level: "error", message: expect.stringMatching(message) }),
  );
  await expect(evaluate(JSON.stringify(value), "playground", {})).rejects.toThrow();
});
