/** Known results for expressions, each of which a simpler comparison would miss. */

import { expect, test } from "vitest";
import { compareExpressions, implies } from "../../../../src/engine/tokens/analysis/compare-expressions.ts";

test.each([
  [
    "a second header implies a first one",
    'http.request.headers["x"][1] eq "a"',
    'http.request.headers["x"][1] eq "a" and http.request.headers["X"][0] contains ""',
  ],
  ["a path has no dot segments", 'http.request.uri.path eq "/../x"', 'http.request.method eq "get"'],
  [
    "a prefix and a suffix may not overlap",
    'http.host strict wildcard "aba" and http.host strict wildcard "ab*ba"',
    'http.host eq ""',
  ],
])("%s", (_name, left, right) => {
  expect(compareExpressions(left, right)).toEqual({ result: "equivalent" });
});

test("an exclusive or of a hundred operands is equivalent to itself in another order", () => {
  const ids = Array.from({ length: 100 }, (_, i) => `is_jwt_valid("c${i}")`);
  const compared = compareExpressions(ids.join(" xor "), ids.toReversed().join(" xor "));
  expect(compared.result).toBe("equivalent");
});

test("a comparison beyond the limit of steps is undecided", () => {
  const many = Array.from({ length: 14 }, (_, i) => `http.request.uri.path contains "a${i}b"`).join(" or ");
  const wider = `${many} or http.host eq "x"`;
  expect(implies(many, wider)).toEqual({ result: "implied" });
  expect(implies(many, wider, { maxSteps: 100 })).toMatchObject({
    result: "undecided",
    reason: expect.stringContaining("maxSteps"),
  });
});

test("invalid expressions, unknown configurations and an invalid limit are errors", () => {
  expect(() => compareExpressions("maybe", "maybe")).toThrow(/cannot be compared/);
  expect(() => implies('is_jwt_valid("a")', 'is_jwt_valid("a")', { configs: [] })).toThrow(
    /no token configuration `a`/,
  );
  expect(() => implies('http.host eq "a"', 'http.host eq "a"', { maxSteps: 0 })).toThrow(RangeError);
});
