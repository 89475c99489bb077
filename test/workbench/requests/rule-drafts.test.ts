/** Drafts of rules through the data of the workbench: new ones and changed ones, of tokens and custom, checked and saved. */
import { beforeEach, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { requestEndpoints } from "../../../src/workbench/data/request-endpoints.ts";
import type { DraftView, EvaluationView, ZoneView } from "../../../src/workbench/messages.ts";

const phase = "http_request_firewall_custom";
const endpoints = requestEndpoints("world.json");
const url = "https://api.example.com/a";
const request = { method: "GET", url, headers: [] };
const post = 'http.request.method eq "POST"';

let edge: Edge;
beforeEach(() => {
  edge = createEdge({
    world: {
      accounts: [
        {
          id: "a1",
          lists: [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }],
          rulesets: [{ id: "root", name: "All zones", kind: "root", phase, rules: [] }],
        },
      ],
      zones: [
        {
          id: "z1",
          name: "example.com",
          account_id: "a1",
          rulesets: [
            {
              id: "own",
              kind: "zone",
              phase,
              rules: [
                {
                  id: "r1",
                  description: "First",
                  action: "skip",
                  action_parameters: { ruleset: "current" },
                  logging: { enabled: true },
                  expression: post,
                },
              ],
            },
          ],
          token_validation: {
            operations: [
              { operation_id: "get-a", method: "GET", host: "api.example.com", endpoint: "/a" },
              { operation_id: "get-b", method: "GET", host: "api.example.com", endpoint: "/b" },
            ],
            rules: [
              {
                title: "Old",
                action: "block",
                expression: post,
                selector: {
                  include: [{ host: ["api.example.com"] }],
                  exclude: [{ operation_ids: ["get-a"] }],
                },
              },
            ],
          },
        },
      ],
    },
  });
});

function call<T>(name: string, body: object): Promise<T> {
  const plain = new Request("http://127.0.0.1/");
  const given = { zone: "z1", ...body };
  const query = { zone: "z1" };
  return Promise.resolve(endpoints[name]!.handle({ edge, body: given, query, request: plain })) as Promise<T>;
}

const check = (draft: object) => call<DraftView>("draft", { request, ...draft });
const save = (draft: object) => call<ZoneView>("rule/save", draft);
const evaluate = async (more: object = {}) =>
  (await call<EvaluationView>("evaluate", { request: { ...request, ...more } })).verdict;

describe("a new token rule", () => {
  const selector = { hosts: ["api.example.com"], excluded: ["get-b"] };
  const draft = { title: "New", action: "block", enabled: true, expression: post, selector };

  test("has its effect before it is saved, and is the last rule afterwards", async () => {
    const { problems, verdict, comparison } = await check(draft);
    expect(problems).toEqual([]);
    expect([verdict?.action, comparison?.saved, comparison?.draft]).toEqual(["block", "allow", "block"]);
    expect((await evaluate()).action).toBe("allow");
    const { rules } = await save(draft);
    expect(rules.map(({ title }) => title)).toEqual(["Old", "New"]);
    expect(rules[1]).toMatchObject({ action: "block", enabled: true, selector });
    expect((await evaluate()).action).toBe("block");
  });

  test("with an expression that is wrong has the problem, and no verdict", async () => {
    const { problems, verdict } = await check({ ...draft, expression: "http.host eq" });
    expect([problems.length, verdict]).toEqual([1, undefined]);
  });
});

test("action, state and selector of a token rule are changed together; others stay", async () => {
  const { rules } = await call<ZoneView>("zone", {});
  const rule = rules[0]!.id;
  const selector = { hosts: ["api.example.com"], excluded: [] };
  const draft = { rule, expression: post, action: "log", selector };
  expect((await check(draft)).verdict).toMatchObject({ action: "log", decidedBy: rule });
  const saved = (await save(draft)).rules[0];
  expect(saved).toMatchObject({ title: "Old", action: "log", enabled: true, expression: post, selector });
  expect((await save({ rule, expression: post, enabled: false })).rules[0]).toMatchObject({
    enabled: false,
    selector,
  });
});

describe("the order of rules", () => {
  test("of tokens is changed, and a deleted rule is in it no more", async () => {
    for (const title of ["B", "C"])
      await save({
        title,
        action: "log",
        enabled: true,
        expression: post,
        selector: { hosts: ["api.example.com"], excluded: [] },
      });
    const titlesAfter = async (name: string, body: object) =>
      (await call<ZoneView>(name, body)).rules.map(({ title }) => title);
    const { rules } = await call<ZoneView>("zone", {});
    const rule = rules[2]!.id;
    expect(await titlesAfter("rule/move", { rule, index: 1 })).toEqual(["C", "Old", "B"]);
    expect(await titlesAfter("rule/move", { rule, index: 2 })).toEqual(["Old", "C", "B"]);
    expect(await titlesAfter("rule/delete", { rule })).toEqual(["Old", "B"]);
    await expect(call("rule/delete", { rule })).rejects.toThrow(/rule/);
    await expect(call("rule/move", { rule: rules[0]!.id, index: 0 })).rejects.toThrow(/integer from 1/);
  });

  test.each(["root", "own"])("of the ruleset %s is changed, and a rule is deleted", async (ruleset) => {
    const rulesOf = ({ rulesets }: ZoneView) => rulesets.find(({ id }) => id === ruleset)!.rules;
    await save({ ruleset, title: "B", action: "log", expression: "ssl" });
    const saved = rulesOf(await save({ ruleset, title: "C", action: "log", expression: "not ssl" }));
    const { id: rule } = saved.at(-1)!;
    const moved = await call<ZoneView>("rule/move", { ruleset, rule, index: 1 });
    expect(rulesOf(moved)).toEqual([saved.at(-1), ...saved.slice(0, -1)]);
    const left = await call<ZoneView>("rule/delete", { ruleset, rule });
    expect(rulesOf(left)).toEqual(saved.slice(0, -1));
    await expect(call("rule/delete", { ruleset, rule })).rejects.toThrow(/rule/);
    await expect(call("rule/move", { ruleset: "none", rule, index: 1 })).rejects.toThrow(/ruleset/);
  });
});

describe("a custom rule", () => {
  const office = "not ip.src in $office";

  test("is added to the ruleset of the account, and asks for what it needs", async () => {
    const draft = { ruleset: "root", title: "Office", action: "block", expression: office };
    const { verdict, comparison, givenFields: asked } = await check(draft);
    expect(asked.map(({ name }) => name)).toEqual(["ip.src"]);
    expect(verdict?.custom).toMatchObject({ action: "undecided", needs: ["ip.src"] });
    expect(comparison).toMatchObject({ result: "different", request: { ip: expect.any(String) } });
    expect((await evaluate()).action).toBe("allow");
    const { rulesets, givenFields } = await save(draft);
    expect(rulesets.map(({ id, owner, rules }) => [id, owner, rules.length])).toEqual([
      ["root", "account", 1],
      ["own", "zone", 1],
    ]);
    expect(givenFields.map(({ name, type }) => [name, type])).toEqual([["ip.src", "IP"]]);
    expect((await evaluate({ ip: "198.51.100.1" })).custom).toMatchObject({
      action: "block",
      response: "403",
    });
    expect((await evaluate({ ip: "192.0.2.1" })).action).toBe("allow");
  });

  test("is changed with its version; an action without parameters drops them and `logging`", async () => {
    const draft = { ruleset: "own", rule: "r1", expression: "ssl", action: "block", parameters: "" };
    expect((await check(draft)).verdict).toMatchObject({ action: "block" });
    expect((await evaluate()).action).toBe("allow");
    await save(draft);
    const stored = await edge.tokens.rulesets.get("zones", "z1", "own");
    expect([stored.version, stored.rules[0]?.version]).toEqual(["2", "2"]);
    expect(stored.rules[0]).toMatchObject({ description: "First", action: "block", expression: "ssl" });
    expect(stored.rules[0]).not.toHaveProperty("action_parameters");
    expect(stored.rules[0]).not.toHaveProperty("logging");
    expect((await evaluate()).custom?.decider).toMatchObject({ ruleset: "own", rule: "r1" });
  });

  test.each([
    [{ ruleset: "none" }, /ruleset/],
    [{ ruleset: "own", rule: "none" }, /rule/],
    [{ ruleset: "own", rule: "r1", action: "allow" }, /skip/],
    [{ ruleset: "own", rule: "r1", expression: "is_jwt_valid()" }, /token rules/],
    [{ ruleset: "own", rule: "r1", parameters: "[1" }, /JSON object/],
  ])("is not saved with %j", async (wrong, message) => {
    const before = await edge.tokens.rulesets.get("zones", "z1", "own");
    await expect((async () => save({ expression: "ssl", ...wrong }))()).rejects.toThrow(message);
    expect(await edge.tokens.rulesets.get("zones", "z1", "own")).toEqual(before);
  });
});

test("a request keeps what only custom rules read, and a wrong member is named", async () => {
  await save({
    ruleset: "own",
    action: "log",
    expression: 'ip.src.country eq "DE" and http.request.body.size gt 2',
  });
  const { givenFields } = await call<ZoneView>("zone", {});
  expect(givenFields.map(({ name }) => name)).toEqual(["http.request.body.size", "ip.src.country"]);
  const more = { fields: { "ip.src.country": "DE" }, body: "abc", challengePassed: true };
  const { verdict, copies } = await call<EvaluationView>("evaluate", { request: { ...request, ...more } });
  expect(verdict.custom?.rules.at(-1)).toMatchObject({ result: "matched", action: "log" });
  expect(copies.test).toContain('fields: {"ip.src.country":"DE"}');
  expect(copies.curl).toContain("--data-raw abc");
  await expect((async () => evaluate({ fields: [] }))()).rejects.toThrow("`fields` must be an object");
  await expect(evaluate({ fields: { "ip.src.country": 7 } })).rejects.toThrow(/ip\.src\.country/);
});
