/** Every entry of the catalogue is checked against its own examples, so a check without examples cannot be added. */

import { applyPatch, type CheckEntry, checks, type Example, validateApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { pointersOf } from "../../../src/core/diagnostic.ts";
import { isErrorCode } from "../../../src/engine/proxy/checks/check.ts";
import { catalogue } from "../../../src/errors.ts";
import { notesOf } from "../../../src/service/proxy/notes.ts";

const phaseOrder = [
  "decode",
  "fields",
  "format",
  "protocol",
  "stateless",
  "restrictions",
  "entitlement",
  "stateful",
];

/** The findings of a check's own level. */
function findingsOf(check: CheckEntry, example: Example) {
  const { violations, warnings } = run(example);
  return isRejecting(check) ? violations : warnings;
}

/** Whether a check rejects: the examples of restrictions enforce them. */
const isRejecting = ({ level }: CheckEntry) => level === "error" || level === "restriction";

function run({ body, facts, options }: Example) {
  return validateApp(body, facts, options);
}

describe.each(checks.map((check) => [check.id, check] as const))("%s", (_, check) => {
  test("the bad example violates this check and no other", () => {
    const { violations, warnings, app } = run(check.bad);
    const [found, none] = isRejecting(check) ? [violations, warnings] : [warnings, violations];
    expect(found.map((finding) => finding.rule)).toEqual([check.id]);
    expect(none).toEqual([]);
    expect(found[0]).toMatchObject({ code: check.code, help: check.fix });
    expect(app === undefined).toBe(isRejecting(check));
  });

  const isRestriction = check.level === "restriction";
  if (isRestriction)
    test("a restriction that is not enforced is a warning, and the application is accepted", () => {
      const { body, facts } = check.bad;
      const validation = validateApp(body, facts);
      const { violations, warnings, app } = validation;
      expect([violations, app === undefined]).toEqual([[], false]);
      expect(warnings.map((warning) => [warning.rule, warning.code, warning.level])).toEqual([
        [check.id, check.code, "warning"],
      ]);
      const message = `The provider rejects this: ${warnings[0]?.message}`;
      const note = { code: 10402, message, pointer: warnings[0]?.pointer };
      expect(notesOf(validation).filter(({ code }) => code !== 10403)).toMatchObject([note]);
    });

  test("the good example passes, and the check is evaluated", () => {
    const { violations, warnings, notEvaluated, app } = run(check.good);
    expect(violations).toEqual([]);
    expect(warnings.map((warning) => warning.rule)).not.toContain(check.id);
    expect(app).toBeDefined();
    expect(notEvaluated.map((entry) => entry.check)).not.toContain(check.id);
  });

  test("the message is one sentence, and the pointers point into the body or at what is missing", () => {
    for (const finding of findingsOf(check, check.bad)) {
      const { message } = finding;
      expect(message).toMatch(/^[A-Z`].*[.?]$/);
      expect(message).not.toMatch(/undefined|\[object|NaN/);
      expect(finding.pointer).toBeDefined();
      for (const pointer of pointersOf(finding)) expect(pointer).toMatch(/^(?:\/[^/]+)*$/);
    }
  });

  test("its patch makes the bad example valid, and applying it again changes nothing", () => {
    const { body, facts, options } = check.bad;
    const [violation] = findingsOf(check, check.bad);
    if (!check.fixable) {
      expect(violation?.fix).toBeUndefined();
      return;
    }
    const fixed = applyPatch(body, violation?.fix ?? []);
    expect(validateApp(fixed, facts, options)).toMatchObject({ violations: [], warnings: [] });
    expect(applyPatch(fixed, violation?.fix ?? [])).toEqual(fixed);
    expect(fixed).not.toEqual(body);
  });

  test("rule, reason and fix are sentences", () => {
    for (const text of [check.rule, check.why, check.fix]) expect(text).toMatch(/^[A-Z`].*\.$/s);
  });

  if (check.facts.length > 0)
    test("without its facts the check is reported as not evaluated", () => {
      const { plan } = check.bad.facts ?? {};
      const validation = validateApp(check.bad.body, plan ? { plan } : {}, check.bad.options);
      const { notEvaluated, violations } = validation;
      expect(violations).toEqual([]);
      const entry = notEvaluated.find((candidate) => candidate.check === check.id);
      expect(entry?.code).toBe(check.code);
      expect(entry?.needs.every((need) => check.facts.includes(need))).toBe(true);
      expect(notesOf(validation).some(({ message }) => message.includes(`\`${check.id}\``))).toBe(true);
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
  const covered = new Set<number>(checks.map((check) => check.code));
  expect(wanted.map(([code]) => Number(code)).filter((code) => !covered.has(code))).toEqual([]);
});

test("within a phase the codes are in the order of the specification", () => {
  const inPhase = (phase: string) => checks.filter((check) => check.phase === phase);
  const codes = (phase: string) => [
    ...new Set(
      inPhase(phase)
        .map(({ code }) => code)
        .filter(isErrorCode),
    ),
  ];
  expect(codes("stateless")).toEqual([11000, 11041, 11042, 11043, 11045, 11002, 11001, 11004]);
  expect(codes("entitlement")).toEqual([11014, 11026, 11018, 11019]);
  expect(codes("stateful")).toEqual([11034, 11050, 11044, 16001, 10400, 11033, 12005]);
});
