/**
 * The findings about custom rules against the evaluation of every request of a grid: what a finding says holds for each
 * of them, and where the grid has all requests that a zone can tell apart, what holds for all of them is found.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/core/diagnostic.ts";
import { applyPatch } from "../../../../src/core/json/patch.ts";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { withoutClaims } from "../../../../src/engine/tokens/analysis/findings/rulesets/without-claims.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { leavesOf } from "../../../../src/engine/tokens/expression/tree-queries.ts";
import { startValues } from "../../../../src/engine/tokens/expression/values/request-values.ts";
import type { SimulatedRequest } from "../../../../src/engine/tokens/model.ts";
import { customOutcome } from "../../../../src/engine/tokens/rulesets/create-ruleset-verdict.ts";
import {
  compileRulesets,
  evaluateRulesets,
  resultsOfSteps,
} from "../../../../src/engine/tokens/rulesets/evaluate-rulesets.ts";
import type { ActionParameters, CustomRule, Ruleset } from "../../../../src/engine/tokens/rulesets/model.ts";
import { readRequest } from "../../../../src/engine/tokens/zone/request.ts";
import { readZone, type ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { ofAccount } from "../../../support/account-rules.ts";
import { runs } from "../../../support/runs.ts";
import {
  printModel,
  request as randomRequest,
  expression as typedExpression,
} from "../expression/custom/arbitraries.ts";
import { claimsOf, evaluateCustom } from "../expression/custom/evaluate-custom.ts";
import { configs as allConfigs } from "../zone-fixture.ts";

const configs = allConfigs.filter(({ id }) => id === "a");
const phase = "http_request_firewall_custom";
const role = 'lookup_json_string(http.request.jwt.claims["a"][0], "role")';

/** Comparisons such that the grid below has a request of each class of values. */
const exactLeaf = fc.constantFrom(
  'http.request.method eq "DELETE"',
  'http.request.method eq "get"',
  'http.request.method ne "GET"',
  'http.request.uri.path in {"/a" "/b"}',
  'http.request.uri.path eq "/a"',
  "ip.src in {10.0.0.0/8}",
  "not ip.src eq 10.0.0.1",
  `${role} eq "admin"`,
  `${role} ne "admin"`,
  `${role} in {"admin" "guest"}`,
  `${role} ne "guest"`,
  `not (${role} eq "guest")`,
  `${role} lt "guest"`,
  `not (${role} ge "guest")`,
  "true",
);

/** More of them, which the analysis relates less. */
const looseLeaf = fc.oneof(
  exactLeaf,
  fc.constantFrom(
    'any(http.request.jwt.claims.names[*] eq "a")',
    'has_key(http.request.jwt.claims.sub, "a")',
    'any(http.request.jwt.claims.aud["a"][*] ne "web")',
    'all(http.request.jwt.claims.aud["a"][*] ne "web")',
    `lower(${role}) eq "admin"`,
    `lower(${role}) eq "Admin"`,
    `len(${role}) gt 4`,
    'http.request.uri.path matches "^/a"',
    'http.request.uri.path contains "a"',
    'starts_with(http.request.uri.path, "/b")',
    'raw.http.request.uri.path ne "/b"',
    'http.request.uri.path lt "/b"',
    "ssl",
    "ip.src ge 10.0.0.2",
    "ip.src in $known",
    "ip.src in $unknown",
    'http.request.headers["x"][0] ne http.request.uri.args["x"][0]',
  ),
);

function expressionOf(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const combined = (of: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 2, arbitrary: of },
      of.map((operand) => `not (${operand})`),
      fc
        .tuple(fc.constantFrom("and", "or", "xor"), fc.array(of, { minLength: 2, maxLength: 3 }))
        .map(([operator, all]) => all.map((operand) => `(${operand})`).join(` ${operator} `)),
    );
  return combined(combined(leaf.filter((operand) => operand !== "true"))).chain((operand) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(operand) }, fc.constant("true")),
  );
}

const skips: readonly ActionParameters[] = [
  { ruleset: "current" },
  { phase: "current" },
  { rulesets: ["c"] },
  { rules: { z: ["1", "2"], c: ["0"] } },
];

const ruleOf = (expression: fc.Arbitrary<string>, canExecute: boolean) =>
  fc
    .record({
      action: fc.constantFrom<CustomRule["action"]>(
        ...(["block", "block", "block", "managed_challenge", "log", "skip"] as const),
        ...(canExecute ? (["execute"] as const) : []),
      ),
      enabled: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, fc.constant(false)),
      expression,
      skip: fc.constantFrom(...skips),
    })
    .map(({ skip, ...rule }) => ({
      ...rule,
      ...(rule.action === "skip" && { action_parameters: skip }),
      ...(rule.action === "execute" && { action_parameters: { id: "c" } }),
    }));

const zoneOf = (leaf: fc.Arbitrary<string>): fc.Arbitrary<ZoneInput> => {
  const list = (canExecute: boolean, maxLength: number) =>
    fc
      .array(ruleOf(expressionOf(leaf), canExecute), { maxLength })
      .map((rules) => rules.map((rule, i): CustomRule => ({ id: `${i}`, ...rule })));
  return fc.record({ account: list(true, 2), zone: list(true, 4), c: list(false, 2) }).map(
    ({ account, zone, c }): ZoneInput => ({
      configs,
      rules: [],
      lists: { known: { kind: "ip", items: ["10.0.0.0/8"] } },
      account_rulesets: [{ id: "acc", kind: "root", phase, rules: account.map(ofAccount) }],
      rulesets: [
        { id: "z", kind: "zone", phase, rules: zone },
        { id: "c", kind: "custom", phase, rules: c },
      ],
    }),
  );
};

/** A request, and the payload of its valid token. */
interface GridRequest {
  readonly request: SimulatedRequest;
  readonly payload: string | undefined;
}

const payloads = [
  undefined,
  "{}",
  '{"role":"admin","aud":"web","sub":"u"}',
  '{"role":"guest","aud":["web","app"]}',
  '{"role":"x"}',
  '{"role":"b"}',
];

/** A value of each part that expressions name, and one that no expression names. */
const grid: readonly GridRequest[] = ["GET", "DELETE", "PUT", "POST"].flatMap((method) =>
  ["/a", "/b", "/c"].flatMap((path) =>
    ["9.0.0.1", "10.0.0.1", "10.0.0.2"].flatMap((ip) =>
      [false, true].flatMap((challengePassed) =>
        payloads.map((payload) => {
          const url = `https://www.example.com${path}`;
          return { request: { method, url, ip, challengePassed }, payload };
        }),
      ),
    ),
  ),
);

/** The evaluation of one request of the grid. */
interface Evaluated extends GridRequest {
  readonly action: string;
  /** Whether a rule acts; undefined when that is not known. */
  acts(ruleset: string, rule: string): boolean | undefined;
  /** The value of the expression of a rule. */
  value(ruleset: string, rule: string): boolean | undefined;
}

/** Evaluates the custom rules of a zone for every request of the grid. */
function evaluateGrid(input: ZoneInput): readonly Evaluated[] {
  const read = readZone(input);
  if (!read.ok || read.value.custom === undefined) throw new Error("The zone is invalid.");
  const { rulesets, program } = read.value.custom;
  const compiled = compileRulesets(rulesets);
  const { steps } = compiled.program;
  const all = [rulesets.entries.account, rulesets.entries.zone, ...rulesets.executable.values()];
  return grid.map((request): Evaluated => {
    const claims = claimsOf(request.payload === undefined ? {} : { a: request.payload }, ["a"]);
    const values = startValues(program, readRequest(request.request), request.request, 1.8e12, claims);
    const { challengePassed = false } = request.request;
    const evaluation = evaluateRulesets(compiled, { values, challengePassed });
    const results = resultsOfSteps(evaluation);
    return {
      ...request,
      action: customOutcome(evaluation),
      acts: (ruleset, rule) => {
        const own = results.filter((_, at) => {
          const step = steps[at];
          return step?.ruleset.id === ruleset && step.rule.id === rule;
        });
        if (own.includes("undecided")) return undefined;
        const isChallenge = steps.some((step) => {
          return step.ruleset.id === ruleset && step.rule.id === rule && step.ends === "challenge";
        });
        // A challenge does not act for a client that has passed one.
        return own.includes("matched") && !(isChallenge && challengePassed);
      },
      value: (ruleset, rule) => {
        const rules = all.find((entry) => entry?.ruleset.id === ruleset)?.rules ?? [];
        return rules.find((entry) => entry.rule.id === rule)?.expression?.test(values);
      },
    };
  });
}

const rulesOf = ({ rulesets = [], account_rulesets = [] }: ZoneInput) =>
  [...account_rulesets, ...rulesets].flatMap((ruleset) =>
    (ruleset.rules ?? []).map((rule) => ({ ruleset: ruleset.id, rule })),
  );

/** The checks that are found about a rule. */
function checksOf(found: readonly Diagnostic[], ruleset: Ruleset["id"], rule: string): ReadonlySet<string> {
  const own = found.filter(({ subject }) => subject?.["ruleset"] === ruleset && subject["rule"] === rule);
  return new Set(own.map(({ rule: check }) => check));
}

test("a rule that never matches, always does, or never acts does so for every request", () => {
  fc.assert(
    fc.property(zoneOf(looseLeaf), (input) => {
      const found = analyze(input);
      const evaluated = evaluateGrid(input);
      for (const { ruleset, rule } of rulesOf(input)) {
        const checks = checksOf(found, ruleset, rule.id);
        const values = new Set(evaluated.map((run) => run.value(ruleset, rule.id)));
        if (checks.has("never-matches")) expect(values).not.toContain(true);
        if (checks.has("always-matches")) expect(values).not.toContain(false);
        const acting = evaluated.filter((run) => run.acts(ruleset, rule.id) === true);
        if (checks.has("unreachable")) expect(acting).toEqual([]);
      }
    }),
    { numRuns: runs(600) },
  );
});

test("a rule that never matches, always does, or never acts is found", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(zoneOf(exactLeaf), (input) => {
      const found = analyze(input);
      expect(found.map(({ rule: check }) => check)).not.toContain("search-limit");
      const evaluated = evaluateGrid(input);
      const isExecuted = rulesOf(input).some(({ rule }) => rule.action === "execute");
      for (const { ruleset, rule } of rulesOf(input).filter(({ rule: { enabled } }) => enabled)) {
        if (ruleset === "c" && !isExecuted) continue;
        const checks = checksOf(found, ruleset, rule.id);
        const values = new Set(evaluated.map((run) => run.value(ruleset, rule.id)));
        const [never, always] = [!values.has(true), !values.has(false) && rule.expression !== "true"];
        expect([checks.has("never-matches"), checks.has("always-matches")]).toEqual([never, always]);
        const acts = evaluated.some((run) => run.acts(ruleset, rule.id));
        expect(checks.has("unreachable")).toBe(!acts && !never);
        for (const check of checks) seen.add(check);
      }
    }),
    { numRuns: runs(600, 40) },
  );
  for (const check of ["never-matches", "unreachable", "fail-open"]) expect(seen).toContain(check);
});

test("what is found to fail open passes without a token, and the rule does otherwise with the fix", () => {
  let fixed = 0;
  fc.assert(
    fc.property(zoneOf(exactLeaf), (input) => {
      const found = analyze(input).filter(({ rule: check }) => check === "fail-open");
      if (found.length === 0) return;
      const before = evaluateGrid(input);
      for (const { fix, subject: { ruleset = "", rule = "" } = {} } of found) {
        const passing = before.filter(({ payload, action }) => {
          return payload === undefined && (action === "allow" || action === "log");
        });
        expect(passing).not.toEqual([]);
        if (fix === undefined) continue;
        const after = evaluateGrid(applyPatch(input, fix) as ZoneInput);
        const changed = passing.filter((run) => {
          const same = after.find(
            ({ request, payload }) => request === run.request && payload === run.payload,
          );
          return same?.acts(ruleset, rule) !== run.acts(ruleset, rule);
        });
        expect(changed).not.toEqual([]);
        fixed++;
      }
    }),
    { numRuns: runs(600, 60) },
  );
  expect(fixed).toBeGreaterThan(0);
});

test("a rule with a claim that differs or is less is found to fail open when that lets a request without a token pass", () => {
  const tests = fc.array(
    fc.constantFrom(
      `${role} ne "admin"`,
      `${role} ne "guest"`,
      `${role} lt "guest"`,
      `${role} le "guest"`,
      'http.request.method eq "PUT"',
      'http.request.uri.path eq "/a"',
    ),
    { minLength: 1, maxLength: 3 },
  );
  const input = fc.tuple(tests, fc.constantFrom("and", "or"), expressionOf(exactLeaf), fc.boolean());
  fc.assert(
    fc.property(input, ([parts, operator, other, isFirst]) => {
      const zoneWith = (own: readonly string[]): ZoneInput => {
        const rule = { id: "own", action: "block", expression: own.join(` ${operator} `) } as const;
        const more = { id: "other", action: "block", expression: other } as const;
        const rules = isFirst ? [rule, more] : [more, rule];
        return { configs, rules: [], rulesets: [{ id: "z", kind: "zone", phase, rules }] };
      };
      const closed = parts.map((part) =>
        part.replace(/^(.*) (ne|lt|le) (.*)$/, (_, left, operator, right) => {
          return `not (${left} ${{ ne: "eq", lt: "ge", le: "gt" }[operator as "ne"]} ${right})`;
        }),
      );
      const [before, after] = [evaluateGrid(zoneWith(parts)), evaluateGrid(zoneWith(closed))];
      const opens = before.some(({ payload, action }, i) => {
        return payload === undefined && action === "allow" && after[i]?.action === "block";
      });
      expect(checksOf(analyze(zoneWith(parts)), "z", "own").has("fail-open")).toBe(opens);
    }),
    { numRuns: runs(300) },
  );
});

test("a test that is decided without a valid token has that value for every request without one", () => {
  let decided = 0;
  fc.assert(
    fc.property(
      typedExpression,
      fc.array(randomRequest, { minLength: 1, maxLength: 5 }),
      (model, requests) => {
        const text = printModel(model);
        const parsed = parseExpression(text, { rules: "custom" });
        if (!parsed.ok) return;
        for (const leaf of leavesOf(parsed.value)) {
          const value = withoutClaims(leaf, "C1");
          if (value === undefined) continue;
          decided++;
          for (const { fields, ip, body } of requests) {
            const found = evaluateCustom(text.slice(leaf.span.start, leaf.span.end), {
              fields,
              ...(ip !== undefined && { ip }),
              ...(body !== undefined && { body }),
            });
            // Other values that the test reads can be unknown.
            if (typeof found === "boolean") expect(found).toBe(value);
          }
        }
      },
    ),
    { numRuns: runs(3_000, 500) },
  );
  expect(decided).toBeGreaterThan(0);
});
