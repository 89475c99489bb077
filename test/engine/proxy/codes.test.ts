/** Triggers and near misses of every code, from the table `fixtures/proxy/codes.json`. */
import { validateApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../../src/errors.ts";
import { rows } from "./bodies.ts";

const named = (kind: string) =>
  rows.filter((row) => row.kind === kind).map((row) => [`${row.code}: ${row.name}`, row] as const);

describe("triggers", () => {
  test.each(named("trigger"))("%s", (_, { body, facts, options, code, check }) => {
    const { violations, app } = validateApp(body, facts, options);
    expect(violations.map((violation) => violation.code)).toEqual([code]);
    if (check) expect(violations[0]?.rule).toBe(check);
    expect(app).toBeUndefined();
  });
});

describe("near misses, and bodies that must not be an error", () => {
  test.each([...named("near-miss"), ...named("not-an-error")])("%s", (_, { body, facts, options }) => {
    const { violations, notEvaluated, app } = validateApp(body, facts, options);
    expect(violations).toEqual([]);
    expect(notEvaluated).toEqual([]);
    expect(app).toBeDefined();
  });
});

test("every proxy code has a trigger and a near miss", () => {
  const having = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.code));
  const [triggers, misses] = [having("trigger"), having("near-miss")];
  for (const [code, { area }] of Object.entries(catalogue)) {
    if (area !== "proxy") continue;
    expect([code, triggers.has(Number(code)), misses.has(Number(code))]).toEqual([code, true, true]);
  }
});
