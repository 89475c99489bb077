/** Lists of expected changes. */
import { describe, expect, test } from "vitest";
import type { DifferenceKind } from "../../../src/import/replay/difference-table.ts";
import { isExpectedChange, readExpectedChanges } from "../../../src/import/replay/expected-changes.ts";

const kind: DifferenceKind = {
  zone: "z1",
  host: "api.example.com",
  operation: "orders",
  from: { action: "block", rule: "r1", title: "Enforce" },
  to: { action: "log", rule: "r2" },
};

const change = { from: "block", to: "log" } as const;

describe("a change is expected", () => {
  test.each([
    [{ ...change, rule: "r1" }, true],
    [{ ...change, rule: "r2" }, true],
    [{ ...change, rule: "Enforce" }, true],
    [{ ...change, rule: "r3" }, false],
    [{ ...change, operation: "orders" }, true],
    [{ ...change, operation: "other" }, false],
    [{ ...change, host: "API.example.com" }, true],
    [{ ...change, host: "www.example.com" }, false],
    [{ ...change, host: "api.example.com", operation: "other" }, false],
    [{ from: "log", to: "block", rule: "r1" } as const, false],
    [{ from: "block", to: "allow", rule: "r1" } as const, false],
  ])("by %j: %s", (expected, result) => {
    expect(isExpectedChange(kind, [expected])).toBe(result);
  });

  test("by one of several, never by none", () => {
    expect(
      isExpectedChange(kind, [
        { ...change, rule: "r3" },
        { ...change, rule: "r1" },
      ]),
    ).toBe(true);
    expect(isExpectedChange(kind, [])).toBe(false);
  });
});

test.each<[unknown, string, RegExp]>([
  [{}, "", /must be an array of objects; found an object/],
  [["x"], "/0", /must be an object; found the string `x`/],
  [[change], "/0", /must have `rule`, `operation` or `host`/],
  [[{ ...change, rule: 1 }], "/0/rule", /must be a string/],
  [[{ rule: "r", from: "deny", to: "log" }], "/0/from", /must be `allow`, `log` or `block`/],
  [[{ rule: "r", from: "allow" }], "/0/to", /it is missing/],
  [[{ ...change, rule: "r", rules: [] }], "/0/rules", /has the members rule, operation, host, from, to only/],
  [[{ ...change, rule: "r", ["__proto__x"]: 1 }], "/0/__proto__x", /has the members/],
])("%j is rejected with its pointer", (value, at, message) => {
  const read = readExpectedChanges(value);
  expect(read).toMatchObject({
    ok: false,
    problems: [{ pointer: at, message: expect.stringMatching(message) }],
  });
});
