/** Names of rules, rulesets and configurations that stay when the service gives other ids. */
import { describe, expect, test } from "vitest";
import { nameDecision, resolveDecision } from "../../../src/engine/tokens/names/decision-names.ts";
import {
  createPartNames,
  type NamedParts,
  type RuleName,
} from "../../../src/engine/tokens/names/part-names.ts";
import { resolveSuite } from "../../../src/engine/tokens/names/suite-names.ts";

const phase = "http_request_firewall_custom";
const custom = (id: string, more: object = {}) =>
  ({ id, action: "log", expression: "true", ...more }) as const;
const tokenRule = (id: string, hosts: readonly string[], title?: string) => ({
  id,
  ...(title !== undefined && { title }),
  selector: { include: [{ host: hosts }] },
});
const config = (id: string, kids: readonly string[], title?: string) => ({
  id,
  ...(title !== undefined && { title }),
  credentials: { keys: kids.map((kid) => ({ kid })) },
});

const zone: NamedParts = {
  configs: [
    config("k1", ["a"], "Web"),
    config("k2", ["a", "b"], "App"),
    config("k3", ["c"], "App"),
    config("k4", []),
  ],
  rules: [
    tokenRule("t1", ["a.example"], "Unique"),
    tokenRule("t2", ["a.example"], "Guard"),
    tokenRule("t3", ["B.example", "a.example"], "Guard"),
    tokenRule("t4", ["c.example"]),
    tokenRule("t5", ["a.example"], "Guard"),
    tokenRule("same", []),
  ],
  rulesets: [
    {
      id: "entry",
      kind: "zone",
      phase,
      name: "default",
      rules: [
        custom("c1", { ref: "one", description: "First" }),
        custom("c2", { ref: "c2", description: "Second" }),
        custom("c3", { ref: "c3", description: "Twice" }),
        custom("c4", { description: "" }),
        custom("same"),
      ],
    },
    {
      id: "shared",
      kind: "custom",
      phase,
      name: "Shared",
      rules: [custom("c5", { description: "Twice", ref: "two" })],
    },
    { id: "other", kind: "zone", phase: "http_ratelimit", name: "Shared", rules: [custom("c6")] },
  ],
  account_rulesets: [{ id: "root", kind: "root", phase, rules: [custom("a1", { ref: "two" })] }],
};
const names = createPartNames(zone);

describe("a rule has the first name that no other one has", () => {
  test.each<[string, RuleName]>([
    ["t1", { title: "Unique" }],
    ["t3", { title: "Guard", hosts: ["B.example", "a.example"] }],
    ["t4", { hosts: ["c.example"] }],
    ["t5", { position: 5 }],
    ["c1", { ref: "one" }],
    ["c2", { description: "Second" }],
    ["c3", { description: "Twice", ruleset: { kind: "zone" } }],
    ["c4", { ruleset: { kind: "zone" }, position: 4 }],
    ["c5", { ref: "two", ruleset: { name: "Shared" } }],
    ["a1", { ref: "two", ruleset: { kind: "root" } }],
  ])("%s", (id, name) => {
    expect(names.rules.nameOf(id)).toEqual(name);
    expect(names.rules.find(name)).toEqual({ id });
  });

  test("an id that two rules have, or none, has no name", () => {
    expect([names.rules.nameOf("same"), names.rules.nameOf("c6"), names.rules.nameOf("x")]).toEqual([
      "same",
      "c6",
      "x",
    ]);
  });
});

test("a configuration is named by its title, its key or its position", () => {
  const found = ["k1", "k2", "k3", "k4"].map((id) => names.configs.nameOf(id));
  expect(found).toEqual([
    { title: "Web" },
    { title: "App", kid: "a" },
    { title: "App", kid: "c" },
    { position: 4 },
  ]);
  expect(found.map((name) => names.configs.find(name))).toEqual(
    ["k1", "k2", "k3", "k4"].map((id) => ({ id })),
  );
});

test.each([
  ["t1", "Unique"],
  ["t3", "Guard (B.example, a.example)"],
  ["t4", "t4"],
  ["t5", "Guard (rule 5)"],
  ["c1", "First"],
  ["c2", "Second"],
  ["c3", "Twice (of the zone)"],
  ["c4", "c4"],
  ["c5", "Twice (two of Shared)"],
  ["a1", "two of the account"],
  ["same", "same"],
  ["x", "x"],
])("the short name of %s is %s", (id, name) => {
  expect(names.rules.shortNameOf(id)).toBe(name);
});

test("the title that the service gives to rules without one names none of them", () => {
  const [first, second] = ["3f1c", "3f1d"].map((end) => `0b6a8a1e-6b0e-4c1e-9a51-2f0d8c7e${end}`) as [
    string,
    string,
  ];
  const rules = [tokenRule(first, ["a.example"], "Untitled"), tokenRule(second, [], "")];
  const untitled = createPartNames({ configs: [config("k1", ["a"], "Untitled")], rules });
  expect([first, second].map(untitled.rules.shortNameOf)).toEqual(["rule of a.example", "rule 2"]);
  expect(untitled.rules.nameOf(first)).toEqual({ hosts: ["a.example"] });
  expect(untitled.rules.find({ title: "Untitled" })).toEqual({ id: first });
  expect(untitled.configs.shortNameOf("k1")).toBe("kid a");
});

describe("a name that is not that of one rule has no id", () => {
  test.each<[RuleName, string]>([
    [{ title: "unique" }, 'there is no rule title "unique"'],
    [{ title: "Guard" }, 'there are 3 of the rule title "Guard"'],
    [{ description: "Unique" }, 'there is no rule description "Unique"'],
    [{ ref: "two" }, 'there are 2 of the rule ref "two"'],
    [{ title: "Unique", ref: "one" }, 'there is no rule title "Unique", ref "one"'],
    [{ ruleset: { kind: "zone" } }, 'there are 5 of the rule ruleset of kind "zone"'],
    [{ ruleset: "entry", position: 9 }, 'there is no rule ruleset "entry", position 9'],
    [{ position: 6 }, "there are 2 of the rule position 6"],
  ])("%j", (name, problem) => {
    expect(names.rules.find(name)).toEqual({ problem });
  });
});

describe("a decision", () => {
  const decision = {
    action: "log",
    rule: "c1",
    logged: ["t1"],
    custom: {
      logged: ["c1", "c5"],
      undecided: ["c2"],
      skipped: { products: ["waf"], rulesets: ["managed", "shared"], rules: ["managed/x", "shared/c5"] },
    },
  } as const;
  const two = { ref: "two", ruleset: { name: "Shared" } };
  const named = {
    action: "log",
    rule: { ref: "one" },
    logged: [{ title: "Unique" }],
    custom: {
      logged: [{ ref: "one" }, two],
      undecided: [{ description: "Second" }],
      skipped: { products: ["waf"], rulesets: ["managed", { name: "Shared" }], rules: ["managed/x", two] },
    },
  };

  test("has names in each place of a rule or a ruleset, and back", () => {
    expect(nameDecision(names, decision)).toEqual(named);
    expect(resolveDecision(names, nameDecision(names, decision))).toEqual({ decision });
  });

  test("has its lists in the order of the ids of the zone", () => {
    const renamed: NamedParts = JSON.parse(JSON.stringify(zone).replaceAll('"c1"', '"z1"'));
    const resolved = resolveDecision(createPartNames(renamed), nameDecision(names, decision));
    expect(resolved).toMatchObject({ decision: { rule: "z1", custom: { logged: ["c5", "z1"] } } });
  });

  test("has every problem with its names", () => {
    const wrong = { action: "log", rule: { ref: "x" }, logged: [{ title: "y" }] } as const;
    expect(resolveDecision(names, wrong)).toEqual({
      problems: ['there is no rule ref "x"', 'there is no token rule title "y"'],
    });
  });
});

test("a suite keeps an expectation whose name is wrong, and rejects such a configuration", () => {
  const expected = { action: "block", rule: { title: "x" }, logged: [] } as const;
  expect(resolveSuite(zone, [{ tokens: [], expected }])).toEqual([{ tokens: [], expected }]);
  const token = {
    placeholder: "placeholder",
    kid: "a",
    alg: "ES256",
    state: "valid",
    config: { title: "App" },
  } as const;
  expect(() => resolveSuite(zone, [{ tokens: [token], expected }])).toThrow(
    'There are 2 of the token configuration title "App".',
  );
});

test("a member that no name has is an error, with its place, and never part of a comparison", () => {
  const cyclic: Record<string, unknown> = { title: "Guard" };
  cyclic["self"] = cyclic;
  const expected = { action: "block", rule: { title: "Guard" }, logged: [cyclic] } as const;
  expect(() => resolveSuite(zone, [{ tokens: [], expected }])).toThrow(
    "`requests[0].expected.logged[0]`: `self` is not a member of a name; the members are title, hosts, ref, description, ruleset, position",
  );
  const mistyped = { action: "block", rule: { title: "Guard", positon: 1 }, logged: [] } as const;
  expect(() => resolveSuite(zone, [{ tokens: [], expected: mistyped }])).toThrow(
    "`requests[0].expected.rule`: `positon` is not a member of a name; did you mean `position`?",
  );
});

test("thousands of rules with one title are named in linear time", () => {
  const rules = Array.from({ length: 5_000 }, (_, i) => tokenRule(`t${i}`, [`h${i}.example`], "Guard"));
  const started = performance.now();
  const names = createPartNames({ configs: [], rules }).rules;
  for (const { id } of rules) expect(names.find(names.nameOf(id))).toEqual({ id });
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("a name without the name of a ruleset and one with an empty name are two names, in either order", () => {
  const rulesets = ["r1", "r2"].map((id, i) => ({
    ...{ id, kind: "custom" as const, phase, rules: [custom(`c${i}`, { ref: "one" })] },
    ...(i === 0 && { name: "N" }),
  })) as unknown as NamedParts["rulesets"];
  const any: RuleName = { ref: "one", ruleset: { kind: "custom" } };
  const empty: RuleName = { ref: "one", ruleset: { kind: "custom", name: "" } };
  for (const asked of [
    [any, empty],
    [empty, any],
  ]) {
    const { customRules } = createPartNames({ configs: [], rules: [], rulesets });
    const found = new Map(asked.map((name) => [name, customRules.find(name)]));
    expect(found.get(any)).toHaveProperty("problem");
    expect(found.get(empty)).toEqual({ id: "c1" });
  }
});
