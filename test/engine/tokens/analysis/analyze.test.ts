/** The findings of the analysis of a zone: an example of each check, and similar zones without the finding. */

import { expect, test } from "vitest";
import { type AnalyzeOptions, analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { analysisChecks, tokenChecks } from "../../../../src/engine/tokens/analysis/findings/checks.ts";
import { mistakeChecks } from "../../../../src/engine/tokens/analysis/findings/mistakes/checks.ts";
import type { TokenConfig, TokenRule } from "../../../../src/engine/tokens/model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";

const [first, second] = [await mintKey("ES256", "k1"), await mintKey("ES256", "k2")];
const header = 'http.request.headers["authorization"][0]';

function config(id: string, key = first, token_sources: readonly string[] = [header]): TokenConfig {
  return { id, token_sources, credentials: { keys: [key.jwk] } };
}

function rule(id: string, expression: string, more: Partial<TokenRule> = {}): TokenRule {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id, action: "block", enabled: true, expression, selector, ...more };
}

const operations = [
  { operation_id: "list", method: "GET", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "add", method: "POST", host: "api.example.com", endpoint: "/orders" },
];

interface ZoneCase {
  readonly rules?: readonly TokenRule[];
  readonly configs?: readonly TokenConfig[];
  readonly listed?: boolean;
  readonly options?: AnalyzeOptions;
  readonly lists?: ZoneInput["lists"];
  readonly custom?: Pick<ZoneInput, "rulesets" | "plan">;
}

function found({
  rules = [],
  configs = [config("a"), config("b", second)],
  listed = true,
  options,
  lists,
  custom = {},
}: ZoneCase) {
  const all = analyze(
    { configs, rules, ...(listed && { operations }), ...(lists && { lists }), ...custom },
    options,
  );
  for (const { level, rule, message } of all) {
    expect(level).toBe(analysisChecks[rule].level);
    expect(message).toMatch(/[.?]$/);
  }
  return all.filter(({ rule }) => rule !== "unused-config").map(({ rule, pointer }) => `${rule} ${pointer}`);
}

const valid = 'is_jwt_valid("a")';
const other = 'is_jwt_valid("b")';
const hosts = (...host: string[]) => ({ selector: { include: [{ host }] } });

const cases: Record<string, readonly [ZoneCase, readonly string[]]> = {
  "a zone without findings": [{ rules: [rule("r", `${valid} or ${other}`)] }, []],
  "an expression that needs two different valid tokens in one header": [
    { rules: [rule("r", `${valid} and ${other}`)] },
    ["always-false /rules/0/expression"],
  ],
  "an expression that needs one token valid for two configurations with the same key": [
    { rules: [rule("r", `${valid} and ${other}`)], configs: [config("a"), config("b")] },
    ["redundant-operand /rules/0/expression"],
  ],
  "a valid token that is not present": [
    { rules: [rule("r", `not (${valid} and not is_jwt_present("a"))`)] },
    ["always-true /rules/0/expression"],
  ],
  "a method in lower case": [
    { rules: [rule("r", `${valid} or http.request.method eq "get"`)] },
    ["constant-part /rules/0/expression", "method-format /rules/0/expression"],
  ],
  "a method that no operation has": [
    { rules: [rule("r", `${valid} or http.request.method eq "PUT"`)] },
    ["constant-part /rules/0/expression"],
  ],
  "a method that no operation has, in a zone without a list of operations": [
    { rules: [rule("r", `${valid} or http.request.method eq "PUT"`)], listed: false },
    [],
  ],
  "a path without a slash": [
    { rules: [rule("r", `${valid} or http.request.uri.path eq "orders"`)] },
    ["constant-part /rules/0/expression", "path-format /rules/0/expression"],
  ],
  "the same operand twice": [
    { rules: [rule("r", `${valid} or ${valid}`)] },
    ["duplicate-operand /rules/0/expression"],
  ],
  "an operand that another implies": [
    { rules: [rule("r", `${valid} or is_jwt_present("a")`)] },
    ["redundant-operand /rules/0/expression"],
  ],
  "a selector without include": [
    { rules: [rule("r", valid, { selector: {} })] },
    ["empty-selector /rules/0/selector"],
  ],
  "a host without operations": [
    { rules: [rule("r", valid, hosts("api.example.com", "old.example.com"))] },
    ["unknown-host /rules/0/selector"],
  ],
  "an unknown host, in a zone without a list of operations": [
    { rules: [rule("r", valid, hosts("old.example.com"))], listed: false },
    [],
  ],
  "an excluded operation that does not exist": [
    {
      rules: [
        rule("r", valid, {
          selector: { include: [{ host: ["api.example.com"] }], exclude: [{ operation_ids: ["lost"] }] },
        }),
      ],
    },
    ["unknown-operation /rules/0/selector"],
  ],
  "all operations excluded": [
    {
      rules: [
        rule("r", valid, {
          selector: {
            include: [{ host: ["api.example.com"] }],
            exclude: [{ operation_ids: ["list", "add"] }],
          },
        }),
      ],
    },
    ["all-excluded /rules/0/selector"],
  ],
  "comparisons that a missing value decides": [
    {
      rules: [
        rule("r", `${valid} or http.request.headers["x"][0] ne "y"`),
        rule("s", `${valid} or not (http.request.cookies["c"][0] eq "y" and http.request.method eq "PUT")`),
        rule("t", `${valid} or not not http.request.cookies["c"][0] eq "y"`),
        rule("u", `${valid} or not http.request.headers["x"][0] in {"a" "b"}`),
      ],
      listed: false,
    },
    [
      "missing-value /rules/0/expression",
      "missing-value /rules/1/expression",
      "missing-value /rules/3/expression",
    ],
  ],
  "an unknown member": [
    {
      rules: [
        rule("r", valid, {
          selector: { include: [{ host: ["api.example.com"], hosts: ["*.x"] } as object] },
        }),
      ],
    },
    ["unknown-member /rules/0/selector/include/0/hosts"],
  ],
  "a pattern with the escapes of other strings": [
    { rules: [rule("r", `${valid} or http.request.headers["x"][0] matches "\\\\.php"`)], listed: false },
    ["pattern-escapes /rules/0/expression"],
  ],
  "a form of version 0.2": [
    { rules: [rule("r", `${valid} or http.request.headers["X"][0] eq "a"`)], listed: false },
    ["earlier-form /rules/0/expression"],
  ],
  "hosts that cannot match": [
    { rules: [rule("r", valid, hosts("*.example.com", "api.example.com:443"))], listed: false },
    ["cannot-match /rules/0/selector/include/0/host/0", "port-removed /rules/0/selector/include/0/host/1"],
  ],
  "a disabled rule": [{ rules: [rule("r", valid, { enabled: false })] }, ["disabled /rules/0"]],
  "a second rule with precedence first": [
    { rules: [rule("r", valid), rule("s", other)], options: { precedence: "first" } },
    ["shadowed /rules/1"],
  ],
  "a rule after a disabled one with precedence first": [
    { rules: [rule("r", valid, { enabled: false }), rule("s", other)], options: { precedence: "first" } },
    ["disabled /rules/0"],
  ],
  "a second rule with precedence all": [{ rules: [rule("r", valid), rule("s", other)] }, []],
  "a weaker rule after a rule that blocks": [
    { rules: [rule("r", valid), rule("s", 'is_jwt_present("a")')] },
    ["behind-block /rules/1"],
  ],
  "a weaker rule after a rule that logs": [
    { rules: [rule("r", valid, { action: "log" }), rule("s", 'is_jwt_present("a")')] },
    [],
  ],
  "a rule that two blocking rules imply together": [
    {
      rules: [
        rule("r", `${valid} or http.request.method eq "GET"`),
        rule("s", `${valid} or http.request.method eq "POST"`),
        rule("t", 'is_jwt_present("a")'),
      ],
    },
    ["behind-block /rules/2"],
  ],
  "the same source twice": [
    { configs: [config("a", first, [header, 'http.request.headers["Authorization"][0]'])], rules: [] },
    ["duplicate-source /configs/0/token_sources/1", "header-case /configs/0/token_sources/1"],
  ],
  "a configuration that does not exist": [
    { rules: [rule("r", 'is_jwt_valid("lost")')] },
    ["unknown-config /rules/0/expression"],
  ],
  "lists with too many items": [
    { rules: [], lists: { all: { kind: "asn", items: Array.from({ length: 10_001 }, (_, i) => i) } } },
    ["list-limit /lists/all"],
  ],
  "custom rules that the plan of the zone does not have": [
    {
      rules: [],
      configs: [],
      custom: {
        plan: "free",
        rulesets: [
          {
            id: "e",
            kind: "zone",
            phase: "http_request_firewall_custom",
            rules: [1, 2, 3, 4, 5, 6].map((i) => ({
              id: `${i}`,
              action: i === 2 ? "log" : "block",
              expression: `http.host eq "${i}.example.com"`,
            })),
          },
        ],
      },
    },
    ["plan-feature /rulesets/0/rules/1/action", "plan-limit /rulesets/0/rules/5"],
  ],
  "an invalid expression": [{ rules: [rule("r", "maybe")] }, ["invalid /rules/0/expression"]],
  "a question that is too large": [
    { rules: [rule("r", `${valid} or http.request.uri.path contains "abc"`)], options: { maxSteps: 50 } },
    ["search-limit /rules/0"],
  ],
};

test.each(Object.entries(cases))("%s", (_name, [given, expected]) => {
  expect(found(given)).toEqual(expected);
});

test("every check has an example here", () => {
  const seen = new Set(
    Object.values(cases)
      .flatMap(([, expected]) => expected.map((line) => line.split(" ")[0] ?? ""))
      .filter((check) => !(check in mistakeChecks)),
  );
  // Findings of valid parts beside invalid ones, and of parts without a model, have tests of their own.
  const others = ["unused-config", "after-invalid", "not-analyzed"];
  expect(new Set([...seen, ...others])).toEqual(new Set(Object.keys(tokenChecks)));
});

test("a configuration that only a disabled rule references is unused", () => {
  const findings = analyze({ configs: [config("a")], rules: [rule("r", valid, { enabled: false })] });
  expect(findings.map((finding) => finding.rule)).toContain("unused-config");
});

test("any value is accepted, and an invalid zone has only findings of the check invalid", () => {
  for (const input of [null, 1, [], { rules: {} }, { configs: [null], rules: [{ expression: 1 }, null] }]) {
    const findings = analyze(input);
    expect(findings.length).toBeGreaterThan(0);
    expect(new Set(findings.map((finding) => finding.rule))).toEqual(new Set(["invalid"]));
  }
});

test("questions beyond the limit of steps are undecided, also in a zone with many rules", () => {
  const contains = Array.from({ length: 30 }, (_, i) => `http.request.uri.path contains "a${i}b"`).join(
    " or ",
  );
  const rules = Array.from({ length: 200 }, (_, i) => rule(`r${i}`, contains));
  const findings = analyze({ configs: [], rules }, { maxSteps: 5_000 });
  expect(findings.filter((finding) => finding.rule === "search-limit").length).toBe(200);
});

test("paths of listed operations count", () => {
  const orders = [
    { operation_id: "get", method: "GET", host: "api.example.com", endpoint: "/orders/{id}" },
    { operation_id: "own", method: "GET", host: "api.example.com", endpoint: "/orders/mine" },
    { operation_id: "add", method: "POST", host: "api.example.com", endpoint: "/orders" },
  ];
  const checks = (expression: string, excluded: readonly string[] = []) => {
    const selector = { include: [{ host: ["api.example.com"] }], exclude: [{ operation_ids: excluded }] };
    const rules = [rule("r", expression, { selector })];
    return analyze({ configs: [config("a")], rules, operations: orders }).map(
      (diagnostic) => diagnostic.rule,
    );
  };
  expect(checks('http.request.uri.path strict wildcard "/orders/*"', ["add"])).toEqual(["unused-config"]);
  // The operation matches the path with percent-encoded letters, too.
  expect(checks('http.request.uri.path wildcard "/*"', ["add"])).toContain("always-true");
  expect(checks('not http.request.uri.path wildcard "/amdin/*" or is_jwt_valid("a")')).toContain(
    "always-true",
  );
  expect(checks('http.request.uri.path wildcard "/orders*" or is_jwt_valid("a")')).toEqual([]);
  // The path belongs to an operation that takes precedence and that the rule excludes.
  expect(checks('http.request.uri.path ne "/orders/mine" or is_jwt_valid("a")', ["own"])).toContain(
    "always-true",
  );
  expect(checks('http.request.uri.path ne "/orders/mine" or is_jwt_valid("a")')).toEqual([]);
  // POST has no path with an id.
  expect(checks('not (http.request.method eq "POST" and http.request.uri.path wildcard "/*/*")')).toContain(
    "always-true",
  );
});

test("a finding names the earlier rules that suffice, with their titles", () => {
  const rules = [
    rule("get", `${valid} or http.request.method ne "GET"`, { title: "Reads" }),
    rule("never", `${valid} or http.request.method ne "PUT"`),
    rule("post", `${valid} or http.request.method ne "POST"`),
    rule("all", valid),
  ];
  const found = analyze({ configs: [config("a")], rules, operations });
  expect(found.find((diagnostic) => diagnostic.rule === "behind-block")?.message).toBe(
    "Whenever the rule would act, an earlier rule has already blocked: `Reads` (`get`), `post`.",
  );
});

test("rules on hosts with variables are analyzed for the hosts that they match", () => {
  const templates = [
    { operation_id: "any", method: "GET", host: "{v}.example.com", endpoint: "/" },
    { operation_id: "own", method: "GET", host: "api.example.com", endpoint: "/" },
  ];
  const found = (...rules: TokenRule[]) =>
    analyze({ configs: [config("a")], rules, operations: templates })
      .filter((diagnostic) => diagnostic.rule !== "unused-config")
      .map((diagnostic) => `${diagnostic.rule} ${diagnostic.subject?.["rule"]}`);
  expect(found(rule("r", `${valid} or http.host eq "www.example.com"`, hosts("{v}.example.com")))).toEqual(
    [],
  );
  expect(found(rule("r", `${valid} or http.host eq "www.example.com"`, hosts("x.example.com")))).toEqual([
    "constant-part r",
  ]);
  // Requests to this host match its own operation.
  expect(found(rule("r", `${valid} or http.host eq "api.example.com"`, hosts("{v}.example.com")))).toEqual([
    "constant-part r",
  ]);
  expect(found(rule("r", valid, hosts("{w}.example.com", "other.com", "{v}.com")))).toEqual([
    "unknown-host r",
    "cannot-match r",
  ]);
  expect(found(rule("r", valid, hosts("{v}.example.com")), rule("s", valid, hosts("x.example.com")))).toEqual(
    ["behind-block s"],
  );
  expect(found(rule("r", valid, hosts("x.example.com")), rule("s", valid, hosts("{v}.example.com")))).toEqual(
    [],
  );
});
