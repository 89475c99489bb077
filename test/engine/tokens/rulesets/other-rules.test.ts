/** The expressions of rules in phases that are not evaluated: where they are, and what is wrong with them. */
import { describe, expect, test } from "vitest";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { compileList } from "../../../../src/engine/tokens/expression/values/lists.ts";
import { createCustomRulesReader } from "../../../../src/engine/tokens/rulesets/input/read-custom-rules.ts";

const list = compileList("ip", ["192.0.2.0/24"]);
const lists = new Map(list.ok ? [["office", list.value] as const] : []);

function read(phase: string, ...rules: readonly unknown[]) {
  const reader = createCustomRulesReader({ configurations: new Set(), lists, limits: undefined });
  const { problems, notes } = reader.read({ rulesets: [{ id: "x", kind: "zone", phase, rules }] });
  const lines = (found: typeof notes) => found.map(({ pointer, message }) => `${pointer} ${message}`);
  return { problems: lines(problems), notes: lines(notes) };
}

const values = (expression: string) => ({ operation: "set", expression });

describe("places", () => {
  test.each([
    [
      "http_request_dynamic_redirect",
      { from_value: { target_url: { expression: "(" } } },
      "/from_value/target_url/expression",
    ],
    ["http_request_redirect", { from_list: { name: "a", key: "(" } }, "/from_list/key"],
    ["http_request_transform", { uri: { path: { expression: "(" } } }, "/uri/path/expression"],
    ["http_request_transform", { uri: { query: { expression: "(" } } }, "/uri/query/expression"],
    ["http_request_late_transform", { headers: { "x/a": values("(") } }, "/headers/x~1a/expression"],
    ["http_response_headers_transform", { headers: { "x-a": values("(") } }, "/headers/x-a/expression"],
    // Blocks of Terraform's fourth version.
    ["http_request_transform", [{ uri: [{ path: [{ expression: "(" }] }] }], "/0/uri/0/path/0/expression"],
    ["http_request_late_transform", { headers: [values("http.host"), values("(")] }, "/headers/1/expression"],
  ])("%s: %j", (phase, action_parameters, at) => {
    const { problems } = read(phase, { expression: "true", action_parameters });
    expect(problems).toEqual([
      `/rulesets/0/rules/0/action_parameters${at} At line 1, column 1 of the expression: Expected a field or a call, but found \`(\`.`,
    ]);
  });

  test("of rate limits", () => {
    const { problems, notes } = read(
      "http_ratelimit",
      {
        expression: "ssl",
        ratelimit: { characteristics: ["ip.src", "ip.srk"], counting_expression: "ssl eq" },
      },
      { expression: "(", ratelimit: { characteristics: [], counting_expression: "" } },
    );
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "/rulesets/0/rules/0/ratelimit/counting_expression",
      "/rulesets/0/rules/0/ratelimit/characteristics/1",
      "/rulesets/0/rules/1/expression",
    ]);
    expect(notes).toEqual([
      "/rulesets/0/phase The rules of the phase `http_ratelimit` are checked, not evaluated (5 expressions).",
    ]);
  });
});

test("an expression must be a string, and rules a list", () => {
  expect(read("http_config_settings", {}, { expression: 1 }).problems).toEqual([
    "/rulesets/0/rules/0/expression An expression must be a string; it is missing.",
    "/rulesets/0/rules/1/expression An expression must be a string; found `1`.",
  ]);
  const reader = createCustomRulesReader({ configurations: new Set(), lists, limits: undefined });
  const ruleset = { id: "x", kind: "zone", phase: "http_config_settings", rules: {} };
  expect(reader.read({ rulesets: [ruleset] }).problems).toMatchObject([{ pointer: "/rulesets/0/rules" }]);
});

test("a rule that an import could not read is left out, and so are phases without a known language", () => {
  expect(read("http_ratelimit", { undecided: "unknown", expression: "(" }).problems).toEqual([]);
  expect(read("ddos_l4", { expression: "(" })).toEqual({
    problems: [],
    notes: ["/rulesets/0/phase The rules of the phase `ddos_l4` are not evaluated."],
  });
});

test("lists have types, and remarks their place", () => {
  const { problems, notes } = read(
    "http_request_cache_settings",
    { expression: "http.host in $office" },
    { expression: 'ip.src in $office and http.request.headers["X-A"][0] eq "a"' },
  );
  expect(problems).toEqual([
    "/rulesets/0/rules/0/expression At line 1, column 14 of the expression: The list `$office` has values of type IP, and is compared with the type String.",
  ]);
  expect(notes[0]).toMatch(
    /^\/rulesets\/0\/rules\/1\/expression At line 1, column \d+ of the expression: Names of headers/,
  );
});

test("the analysis has the remarks with a fix, and the number of expressions", () => {
  const expression = 'concat("a", http.request.headers["X-A"][0])';
  const action_parameters = { headers: { "x-b": values(expression) } };
  const rule = { id: "r", action: "rewrite" as const, expression: "true", action_parameters };
  const ruleset = { id: "x", kind: "zone" as const, phase: "http_request_late_transform", rules: [rule] };
  const findings = analyze({ configs: [], rules: [], rulesets: [ruleset as never] });
  const path = "/rulesets/0/rules/0/action_parameters/headers/x-b/expression";
  expect(findings).toMatchObject([
    { rule: "other-phase", message: expect.stringContaining("checked, not evaluated (2 expressions)") },
    {
      rule: "header-key-case",
      pointer: path,
      fix: [{ op: "replace", path, value: 'concat("a", http.request.headers["x-a"][0])' }],
    },
  ]);
});
