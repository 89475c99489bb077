/** Coverage counts what verdicts say, and names what no request has exercised. */

import { describe, expect, test } from "vitest";
import { createCoverage } from "../../../../src/engine/tokens/verdict/coverage.ts";
import type { PlainVerdict, Verdict } from "../../../../src/engine/tokens/verdict/verdict.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { configs, host, nowMs, request, rule, tokens } from "../zone-fixture.ts";

const input = {
  configs,
  rules: [
    rule("guard", 'is_jwt_valid("a") or http.request.method eq "PUT"', { title: "Guard" }),
    rule("count", 'is_jwt_present("b")', { action: "log" }),
    rule("off", 'is_jwt_valid("c")', { enabled: false }),
  ],
  operations: [
    { operation_id: "get", method: "GET", host, endpoint: "/" },
    { operation_id: "put", method: "PUT", host, endpoint: "/" },
  ],
};
const zone = await compileZone(input, { clock: () => nowMs });

function cover(...requests: readonly ReturnType<typeof request>[]) {
  const coverage = createCoverage(input);
  for (const request of requests) coverage.add(zone.evaluateSync(request));
  return coverage;
}

describe("counts", () => {
  const report = cover(
    request("/"),
    request("/", { a: tokens.valid }),
    request("/", { a: tokens.expired }),
    request("/", { a: tokens.valid }, "PUT"),
  ).report();

  test("count the results of rules and of the parts that decided", () => {
    const [guard, count, off] = report.rules;
    expect(guard).toMatchObject({
      id: "guard",
      title: "Guard",
      fired: 2,
      passed: 2,
      shadowed: 0,
      disabled: 0,
    });
    expect(guard?.atoms).toEqual([
      { text: 'is_jwt_valid("a")', true: 2, false: 2 },
      { text: 'http.request.method eq "PUT"', true: 0, false: 2 },
    ]);
    expect(count).toMatchObject({ fired: 2, passed: 0, shadowed: 2 });
    expect(off).toMatchObject({ enabled: false, disabled: 4 });
  });

  test("count reasons and operations", () => {
    expect(report.configs[0]).toMatchObject({ id: "a", reasons: { missing: 1, expired: 1, valid: 2 } });
    expect(report.operations).toEqual([
      { id: "get", verdicts: 3 },
      { id: "put", verdicts: 1 },
    ]);
  });

  test("lists what is missing, without disabled rules", () => {
    expect(report.missing).toEqual([
      'rule `Guard` (`guard`): http.request.method eq "PUT" was never decisive as true',
      "rule `count` never passed",
      'rule `count`: is_jwt_present("b") was never decisive as true',
      "configuration `a`: no token was bad_signature",
    ]);
  });
});

test("without verdicts every rule, configuration and operation is missing", () => {
  const { missing } = cover().report();
  expect(missing).toContain("rule `Guard` (`guard`) was never evaluated");
  expect(missing).toContain("operation `put` had no request");
  expect(missing.filter((sentence) => sentence.includes(" `c`:"))).toEqual([]);
});

test("the report is printed with a line for each rule and configuration", () => {
  const printed = cover(request("/", { a: tokens.valid })).print();
  expect(printed).toMatch(/^1 verdicts, \d+ not exercised\n {2}rule `Guard` \(`guard`\): passed 1\n/);
  expect(printed).toContain("  configuration `a`: valid 1\n");
  expect(printed).toContain("  operations: 1 of 2 had requests\n");
  expect(printed).toContain("  - rule `Guard` (`guard`) never fired\n");
});

test("add returns the verdict, and names of Object.prototype are counted like others", async () => {
  const coverage = createCoverage({ configs, rules: [rule("__proto__", 'http.request.method eq "GET"')] });
  const other = await compileZone(
    { configs, rules: [rule("__proto__", 'http.request.method eq "GET"')] },
    { clock: () => 0 },
  );
  const verdict = other.evaluateSync(request("/"));
  expect(coverage.add(verdict)).toBe(verdict);
  expect(coverage.report().rules[0]).toMatchObject({ id: "__proto__", passed: 1 });
});

describe("custom rules", () => {
  const expression =
    '(http.request.method eq "PUT" or ip.src eq 10.0.0.1 or http.request.method eq "PUT") and not ssl';
  const rulesets = [
    {
      id: "z",
      kind: "zone" as const,
      phase: "http_request_firewall_custom",
      rules: [
        { id: "c1", action: "log" as const, description: "Puts", expression },
        { id: "c2", action: "log" as const, expression: "cf.client.bot" },
        { id: "c3", action: "log" as const, expression: "true" },
        { id: "c4", action: "log" as const, expression: "ssl", enabled: false },
      ],
    },
  ];
  const ruled = { configs, rules: [], rulesets };

  async function coverCustom(read: (verdict: Verdict) => PlainVerdict = (verdict) => verdict) {
    const zone = await compileZone(ruled, { clock: () => nowMs });
    const coverage = createCoverage(ruled);
    const requests = [
      { ...request("/", {}, "PUT"), ip: "10.0.0.2" },
      { ...request("/"), ip: "10.0.0.2" },
      request("/"),
    ];
    for (const request of requests) coverage.add(read(zone.evaluateSync(request)));
    return coverage;
  }

  test("count results and the parts that decided, each part once for a verdict and constants never", async () => {
    const [c1, c2, c3, c4] = (await coverCustom()).report().custom;
    expect(c1).toEqual({
      ruleset: "z",
      id: "c1",
      description: "Puts",
      enabled: true,
      matched: 0,
      not_matched: 3,
      skipped: 0,
      disabled: 0,
      not_reached: 0,
      undecided: 0,
      atoms: [
        { text: 'http.request.method eq "PUT"', true: 0, false: 1 },
        { text: "ip.src eq 10.0.0.1", true: 0, false: 1 },
        { text: "ssl", true: 2, false: 0 },
      ],
    });
    expect(c2).toMatchObject({ undecided: 3, atoms: [{ text: "cf.client.bot", true: 0, false: 0 }] });
    expect(c3).toMatchObject({ matched: 3, atoms: [] });
    expect(c4).toMatchObject({ enabled: false, disabled: 3 });
  });

  test("are reported as token rules are, with what was never exercised", async () => {
    const coverage = await coverCustom();
    const name = "custom rule `Puts` (`c1`) of ruleset `z`";
    expect(coverage.report().missing.filter((sentence) => sentence.startsWith("custom"))).toEqual([
      `${name} never matched`,
      `${name}: http.request.method eq "PUT" was never decisive as true`,
      `${name}: ip.src eq 10.0.0.1 was never decisive as true`,
      `${name}: ssl was never decisive as false`,
      "custom rule `c2` of ruleset `z` was only undecided",
      "custom rule `c3` of ruleset `z` matched every request",
    ]);
    expect(coverage.print()).toContain(`  ${name}: not_matched 3\n`);
  });

  test("of a verdict in JSON, the parts of rules that are not false are counted", async () => {
    const fromJson = (verdict: Verdict) => JSON.parse(JSON.stringify(verdict)) as PlainVerdict;
    const [c1, , c3] = (await coverCustom(fromJson)).report().custom;
    expect(c1).toMatchObject({ not_matched: 3, atoms: [{ false: 0 }, { false: 0 }, { true: 0 }] });
    expect(c3).toMatchObject({ matched: 3 });
  });
});
