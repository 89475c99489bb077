/** Known answers about expressions, each of which some simpler way of comparing would miss. */

import { expect, test } from "vitest";
import { compareExpressions, implies } from "../../../../src/engine/tokens/analysis/compare-expressions.ts";

test.each([
  [
    "a second header is there only behind a first one",
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

test("an exclusive or of a hundred in another order is the same", () => {
  const ids = Array.from({ length: 100 }, (_, i) => `is_jwt_valid("c${i}")`);
  const compared = compareExpressions(ids.join(" xor "), ids.toReversed().join(" xor "));
  expect(compared.result).toBe("equivalent");
});

test("beyond the bound there is no answer, and never a wrong one", () => {
  const many = Array.from({ length: 14 }, (_, i) => `http.request.uri.path contains "a${i}b"`).join(" or ");
  const wider = `${many} or http.host eq "x"`;
  expect(implies(many, wider)).toEqual({ result: "implied" });
  expect(implies(many, wider, { maxSteps: 100 })).toMatchObject({
    result: "undecided",
    reason: expect.stringContaining("maxSteps"),
  });
});

test("wrong input is a clear error", () => {
  expect(() => compareExpressions("maybe", "maybe")).toThrow(/cannot be compared/);
  expect(() => implies('is_jwt_valid("a")', 'is_jwt_valid("a")', { configs: [] })).toThrow(
    /no token configuration `a`/,
  );
  expect(() => implies('http.host eq "a"', 'http.host eq "a"', { maxSteps: 0 })).toThrow(RangeError);
});
