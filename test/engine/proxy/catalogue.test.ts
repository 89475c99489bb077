/** Every entry of the catalogue is checked against its own examples, so a check without examples cannot be added. */

import { applyPatch, checks, type Example, validateApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { type Code, catalogue } from "../../../src/errors.ts";

const phaseOrder = ["decode", "fields", "format", "protocol", "stateless", "entitlement", "stateful"];

function run({ body, facts, options }: Example) {
  return validateApp(body, facts, options);
}

describe.each(checks.map((check) => [check.id, check] as const))("%s", (_, check) => {
  test("the bad example violates this check and no other", () => {
    const { violations, app } = run(check.bad);
    expect(violations.map((violation) => violation.check)).toEqual([check.id]);
    expect(violations[0]).toMatchObject({ code: check.code, phase: check.phase, fix: check.fix });
    expect(violations[0]?.status).toBe(catalogue[check.code].status);
    expect(app).toBeUndefined();
  });

  test("the good example passes, and the check is evaluated", () => {
    const { violations, notEvaluated, app } = run(check.good);
    expect(violations).toEqual([]);
    expect(app).toBeDefined();
    expect(notEvaluated.map((entry) => entry.check)).not.toContain(check.id);
  });

  test("the message is one sentence, and the pointers point into the body or at what is missing", () => {
    for (const { message, pointers } of run(check.bad).violations) {
      expect(message).toMatch(/^[A-Z`].*\.$/);
      expect(message).not.toMatch(/undefined|\[object|NaN/);
      expect(pointers.length).toBeGreaterThan(0);
      for (const pointer of pointers) expect(pointer).toMatch(/^(?:\/[^/]+)*$/);
    }
  });

  test("its patch makes the bad example valid, and applying it again changes nothing", () => {
    const { body, facts, options } = check.bad;
    const [violation] = run(check.bad).violations;
    if (!check.fixable) {
      expect(violation?.patch).toBeUndefined();
      return;
    }
    const fixed = applyPatch(body, violation?.patch ?? []);
    expect(validateApp(fixed, facts, options).violations).toEqual([]);
    expect(applyPatch(fixed, violation?.patch ?? [])).toEqual(fixed);
    expect(fixed).not.toEqual(body);
  });

  test("rule, reason and fix are sentences", () => {
    for (const text of [check.rule, check.why, check.fix]) expect(text).toMatch(/^[A-Z`].*\.$/s);
  });

  test("without its facts the check is reported as not evaluated", () => {
    if (check.facts.length === 0) return;
    const { plan } = check.bad.facts ?? {};
    const { notEvaluated, violations, messages } = validateApp(
      check.bad.body,
      plan ? { plan } : {},
      check.bad.options,
    );
    expect(violations).toEqual([]);
    const entry = notEvaluated.find((one) => one.check === check.id);
    expect(entry?.code).toBe(check.code);
    expect(entry?.needs.every((need) => check.facts.includes(need))).toBe(true);
    expect(messages.some(({ message }) => message.includes(`\`${check.id}\``))).toBe(true);
  });
});

test("ids are unique, and checks are in the order of the phases", () => {
  const ids = checks.map((check) => check.id);
  expect(new Set(ids).size).toBe(ids.length);
  const order = checks.map((check) => phaseOrder.indexOf(check.phase));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("every proxy code of the error catalogue has a check", () => {
  const wanted = Object.entries(catalogue).filter(([, entry]) => entry.area === "proxy");
  const covered = new Set<Code>(checks.map((check) => check.code));
  expect(wanted.map(([code]) => Number(code)).filter((code) => !covered.has(code as Code))).toEqual([]);
});

test("within a phase the codes are in the order of the specification", () => {
  const codes = (phase: string) => [...new Set(checks.filter((c) => c.phase === phase).map((c) => c.code))];
  expect(codes("stateless")).toEqual([11000, 11041, 11042, 11043, 11045, 11002, 11001, 11004]);
  expect(codes("entitlement")).toEqual([11014, 11026, 11018, 11019]);
  expect(codes("stateful")).toEqual([11034, 11050, 11044, 16001, 11033, 12005]);
});
