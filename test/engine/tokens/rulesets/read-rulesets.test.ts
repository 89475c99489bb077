import { describe, expect, test } from "vitest";
import { success } from "../../../../src/core/result.ts";
import { readRulesets } from "../../../../src/engine/tokens/rulesets/input/read-rulesets.ts";
import { provoked } from "../../../support/failure.ts";

const phase = "http_request_firewall_custom";
const rule = { id: "r", action: "log", expression: "true" };
const custom = { id: "c", kind: "custom", phase, rules: [rule] };

const read = (input: object) =>
  readRulesets(
    input,
    (text) => success(text),
    () =>
      success({
        tree: { kind: "constant", value: true, isArray: false, span: { start: 0, end: 4 } },
        notes: [],
      }),
  );

const problemsOf = (input: object) =>
  read(input).problems.map(({ pointer, message }) => `${pointer} ${message}`);

const zoneWith = (...rules: readonly object[]) => ({
  rulesets: [{ id: "z", kind: "zone", phase, rules }, custom],
});

const ruleWith = (members: object) => zoneWith({ ...rule, ...members });

describe("rulesets", () => {
  test("entry points and executed rulesets are read", () => {
    const {
      read: rulesets,
      problems,
      notes,
    } = read({
      account_rulesets: [{ id: "a", kind: "root", phase }],
      ...zoneWith({ ...rule, action: "execute", action_parameters: { id: "c" } }),
    });
    expect([problems, notes]).toEqual([[], []]);
    expect(rulesets.entries.account?.ruleset.id).toBe("a");
    expect(rulesets.entries.zone?.rules.map((rule) => rule.expression)).toEqual(["true"]);
    expect([...rulesets.executable.keys()]).toEqual(["c"]);
  });

  test("a ruleset of a phase without a known language is noted and not read", () => {
    const other = { id: "x", kind: "zone", phase: "ddos_l4", rules: [{ nonsense: true }] };
    const { read: rulesets, problems, notes } = read({ rulesets: [other] });
    expect(problems).toEqual([]);
    expect(notes.map(({ pointer, message }) => [pointer, message])).toEqual([
      ["/rulesets/0/phase", "The rules of the phase `ddos_l4` are not evaluated."],
    ]);
    expect(rulesets.entries).toEqual({});
  });

  test.each<[string, object, string]>([
    ["a list of another type", { rulesets: {} }, "/rulesets `rulesets` must be an array of rulesets"],
    ["an element of another type", { rulesets: [1] }, "/rulesets/0 A ruleset must be an object; found `1`."],
    [
      "no id",
      { rulesets: [{ kind: "zone", phase }] },
      "/rulesets/0/id The id of a ruleset must be a non-empty string",
    ],
    [
      "two with one id",
      { rulesets: [{ id: "z", kind: "zone", phase }], account_rulesets: [{ id: "z", kind: "root", phase }] },
      "/rulesets/0/id An earlier ruleset has the id `z` already.",
    ],
    [
      "a mistyped phase",
      { rulesets: [{ id: "z", kind: "zone", phase: "http_request_firewal_custom" }] },
      "did you mean `http_request_firewall_custom`?",
    ],
    [
      "the entry point of an account in a zone",
      { rulesets: [{ id: "z", kind: "root", phase }] },
      "a ruleset of this kind belongs to an account (`account_rulesets`)",
    ],
    ["another kind", { rulesets: [{ id: "z", kind: "zome", phase }] }, "did you mean `zone`?"],
    [
      "two entry points",
      { rulesets: ["y", "z"].map((id) => ({ id, kind: "zone", phase })) },
      "/rulesets/1 The ruleset `y` is the entry point of the phase `http_request_firewall_custom` already",
    ],
    [
      "rules of another type",
      { rulesets: [{ id: "z", kind: "zone", phase, rules: 5 }] },
      "/rulesets/0/rules `rules` must be",
    ],
  ])("rejected: %s", (_, input, message) => {
    expect(problemsOf(input).join("\n")).toContain(message);
  });
});

describe("rules", () => {
  test.each<[string, object, string]>([
    [
      "no id",
      ruleWith({ id: "" }),
      "/rulesets/0/rules/0/id The id of a rule of this ruleset must be a non-empty string",
    ],
    [
      "two with one id",
      zoneWith(rule, rule),
      "/rulesets/0/rules/1/id An earlier rule of this ruleset has the id `r`",
    ],
    [
      "an unknown action",
      ruleWith({ action: "drop" }),
      "/rulesets/0/rules/0/action `action` must be `block`",
    ],
    ["a removed action", ruleWith({ action: "allow" }), "in place of it, use a rule with `skip`"],
    [
      "no expression",
      ruleWith({ expression: 1 }),
      "/rulesets/0/rules/0/expression `expression` must be a string; found `1`.",
    ],
    [
      "enabled of another type",
      ruleWith({ enabled: "no" }),
      "/rulesets/0/rules/0/enabled `enabled` must be a boolean",
    ],
    [
      "a parameter of another action",
      ruleWith({ action_parameters: { ruleset: "current" } }),
      "/rulesets/0/rules/0/action_parameters/ruleset `ruleset` is not a parameter of the action `log`; it has none.",
    ],
    [
      "a mistyped parameter",
      ruleWith({ action: "skip", action_parameters: { phase: "current", product: ["waf"] } }),
      "did you mean `products`?",
    ],
    ["a skip of nothing", ruleWith({ action: "skip" }), "The action `skip` must have `ruleset`"],
    [
      "an unknown product",
      ruleWith({ action: "skip", action_parameters: { products: ["wav"] } }),
      "/rulesets/0/rules/0/action_parameters/products/0 An element of `products` must be one of",
    ],
    [
      "parameters that exclude each other",
      ruleWith({ action: "skip", action_parameters: { phase: "current", phases: ["http_ratelimit"] } }),
      "/rulesets/0/rules/0/action_parameters/phases `phases` cannot be used together with `phase`.",
    ],
    [
      "a skip of the phase in a ruleset of an account",
      {
        account_rulesets: [
          {
            id: "a",
            kind: "root",
            phase,
            rules: [{ id: "s", action: "skip", action_parameters: { phase: "current" }, expression: "true" }],
          },
        ],
      },
      "/account_rulesets/0/rules/0/action_parameters/phase Only rules of a zone can skip the rest of the phase",
    ],
    [
      "an execute of nothing",
      ruleWith({ action: "execute" }),
      "/action_parameters/id `id` must be the id of a custom ruleset",
    ],
    [
      "an execute of an unknown ruleset",
      ruleWith({ action: "execute", action_parameters: { id: "d" } }),
      "No custom ruleset has the id `d`; did you mean `c`?",
    ],
    [
      "an execute of an entry point",
      ruleWith({ action: "execute", action_parameters: { id: "z" } }),
      "The ruleset `z` must have the kind `custom`",
    ],
    [
      "a status out of range",
      ruleWith({
        action: "block",
        action_parameters: { response: { status_code: 200, content: "", content_type: "text/plain" } },
      }),
      "/rulesets/0/rules/0/action_parameters/response/status_code `status_code` must be an integer from 400 to 499; found `200`.",
    ],
    [
      "content that is too long",
      ruleWith({
        action: "block",
        action_parameters: {
          response: { status_code: 403, content: "é".repeat(1025), content_type: "text/plain" },
        },
      }),
      "`content` must be a string of at most 2048 bytes",
    ],
  ])("rejected: %s", (_, input, message) => {
    expect(problemsOf(input).join("\n")).toContain(message);
  });

  test("content of the maximum length is accepted", () => {
    const response = { status_code: 499, content: "é".repeat(1024), content_type: "text/xml" };
    expect(problemsOf(ruleWith({ action: "block", action_parameters: { response } }))).toEqual([]);
  });

  test("logging belongs to skip, with the code of the interface", () => {
    const { problems } = read(ruleWith({ action: "block", logging: { enabled: true } }));
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      [20018, "/rulesets/0/rules/0/logging"],
    ]);
    provoked(20018);
    const skip = { action: "skip", action_parameters: { ruleset: "current" } };
    expect(problemsOf(ruleWith({ ...skip, logging: { enabled: true } }))).toEqual([]);
    expect(problemsOf(ruleWith({ ...skip, logging: {} })).join()).toContain("an object with `enabled`");
  });

  test("an executed ruleset executes none", () => {
    const execute = { ...rule, action: "execute", action_parameters: { id: "d" } };
    const rulesets = [
      { id: "c", kind: "custom", phase, rules: [execute] },
      { id: "d", kind: "custom", phase, rules: [] },
    ];
    expect(problemsOf({ rulesets }).join()).toContain("Only an entry point can execute a ruleset");
  });

  test("a rule that an import could not read needs no expression", () => {
    const { read: rulesets, problems } = read(
      zoneWith({ id: "r", action: "block", undecided: "known after apply" }),
    );
    expect(problems).toEqual([]);
    expect(rulesets.entries.zone?.rules[0]?.expression).toBeUndefined();
  });

  test("executed rules are counted each time", () => {
    const rules = Array.from({ length: 1_001 }, (_, i) => ({ ...rule, id: `${i}` }));
    const execute = { ...rule, action: "execute", action_parameters: { id: "c" } };
    const entry = Array.from({ length: 100 }, (_, i) => ({ ...execute, id: `${i}` }));
    const rulesets = [
      { id: "z", kind: "zone", phase, rules: entry },
      { id: "c", kind: "custom", phase, rules },
    ];
    expect(problemsOf({ rulesets }).join()).toContain("100100 rules together; the maximum is 100000");
  });
});
