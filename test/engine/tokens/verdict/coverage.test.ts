/** Coverage counts what verdicts say, and names what no request has exercised. */

import { describe, expect, test } from "vitest";
import { createCoverage } from "../../../../src/engine/tokens/verdict/coverage.ts";
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
  for (const one of requests) coverage.add(zone.evaluateSync(one));
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
      'rule guard: http.request.method eq "PUT" was never decisive as true',
      "rule count never passed",
      'rule count: is_jwt_present("b") was never decisive as true',
      "configuration a: no token was bad_signature",
    ]);
  });
});

test("without verdicts every rule, configuration and operation is missing", () => {
  const { missing } = cover().report();
  expect(missing).toContain("rule guard was never evaluated");
  expect(missing).toContain("operation put had no request");
  expect(missing.filter((sentence) => sentence.includes(" c:"))).toEqual([]);
});

test("the report is printed with a line for each rule and configuration", () => {
  const printed = cover(request("/", { a: tokens.valid })).print();
  expect(printed).toMatch(/^1 verdicts, \d+ not exercised\n {2}rule guard \(Guard\): passed 1\n/);
  expect(printed).toContain("  configuration a: valid 1\n");
  expect(printed).toContain("  operations: 1 of 2 had requests\n");
  expect(printed).toContain("  - rule guard never fired\n");
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
