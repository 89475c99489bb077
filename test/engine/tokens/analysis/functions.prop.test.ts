/** The analysis of comparisons with functions against a plain model, over requests near their operands. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareExpressions } from "../../../../src/engine/tokens/analysis/compare-expressions.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { runs } from "../../../support/runs.ts";
import { modelField, modelTruth } from "../model.ts";
import { configs } from "./grid.ts";
import { relatedExpressions, requestsNear } from "./near-requests.ts";

interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

function value(tree: Expression, request: PlainRequest, states: Readonly<Record<string, string>>): boolean {
  return modelTruth(tree, {
    value: (field) => modelField(request, field),
    present: (id) => (states[id] ?? "missing") !== "missing",
    valid: (id) => states[id] === "valid",
  });
}

const state = fc.constantFrom("missing", "invalid", "valid");
const tokenStates = fc.record({ a: state, b: state, c: state, d: state });

test("expressions with functions are equivalent only when no request shows a difference, and counterexamples show one", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      relatedExpressions.chain((pair) =>
        fc.tuple(
          fc.constant(pair),
          fc.array(fc.tuple(requestsNear(pair), tokenStates), { minLength: 40, maxLength: 40 }),
        ),
      ),
      ([[left, right], requests]) => {
        const compared = compareExpressions(left, right);
        seen.set(compared.result, (seen.get(compared.result) ?? 0) + 1);
        if (compared.result === "different") {
          const { request, tokens, values } = compared.counterexample;
          expect([left, right].map((tree) => value(tree, request, tokens))).toEqual(values);
          expect(values[0]).not.toBe(values[1]);
        }
        if (compared.result === "equivalent") {
          for (const [request, tokens] of requests)
            expect(value(left, request, tokens)).toBe(value(right, request, tokens));
        }
        if (compared.result === "undecided")
          expect(compared.reason).toContain("a value that clients may not be able to send");
      },
    ),
    { numRuns: runs(500, 200) },
  );
  expect(Math.min(seen.get("equivalent") ?? 0, seen.get("different") ?? 0)).toBeGreaterThan(0);
});

const tag = 'http.request.headers["x-tag"]';

test.each([
  [`any(${tag}[*] eq "a") and any(${tag}[*] eq "b")`, 'http.host eq "" and http.host ne ""', "different"],
  [`${tag}[0] eq "a" and any(${tag}[*] eq "b")`, `${tag}[0] eq "a" and ${tag}[0] eq "b"`, "different"],
  [`any(${tag}[*] eq "a")`, `not all(${tag}[*] ne "a")`, "equivalent"],
  [`all(${tag}[*] eq "a") and ${tag}[2] ne "a"`, 'http.host eq "" and http.host ne ""', "equivalent"],
  [`len(${tag}[0]) eq 0`, `${tag}[0] eq ""`, "equivalent"],
  [`len(${tag}[0]) lt 2 and ${tag}[0] ne ""`, `len(${tag}[0]) eq 1`, "equivalent"],
  [`len(${tag}[0]) eq 2 and ${tag}[0] wildcard "*ab*"`, `lower(${tag}[0]) eq "ab"`, "equivalent"],
  [`lower(upper(${tag}[0])) eq "A"`, `starts_with(lower(${tag}[0]), "A")`, "equivalent"],
  [
    "len(http.request.uri) gt 1",
    'http.request.uri.path ne "/" or http.request.uri.query ne ""',
    "equivalent",
  ],
  [
    'http.request.uri eq "/a?b"',
    'http.request.uri.path eq "/a" and http.request.uri.query eq "b"',
    "equivalent",
  ],
  [
    'http.request.uri.path eq "/a" and http.request.uri contains "?"',
    'http.host eq "" and http.host ne ""',
    "different",
  ],
  ['http.request.uri.query eq "é"', 'http.host eq "" and http.host ne ""', "equivalent"],
  ["len(http.host) gt 2048", "len(http.host) gt 2047", "different"],
  [`${tag}[0] matches "^a+$"`, `${tag}[0] matches "^aa*$"`, "equivalent"],
  ['http.request.uri.path matches "^/a"', 'starts_with(http.request.uri.path, "/a")', "equivalent"],
  [`lower(${tag}[0]) matches "^(?:a|b){2}$"`, `lower(${tag}[0]) in {"aa" "ab" "ba" "bb"}`, "equivalent"],
  [`${tag}[0] matches "^.$"`, `${tag}[0] ne "" and len(${tag}[0]) lt 5`, "different"],
  [`${tag}[0] matches r"\\ba"`, `${tag}[0] matches r"\\bab"`, "undecided"],
  ["len(http.host) gt 9999", "len(http.host) ge 9999", "undecided"],
  [`any(${tag}[*] eq "a") or ${tag}[8] eq "a"`, `any(${tag}[*] eq "a")`, "undecided"],
] as const)("%s and %s are %s", (left, right, result) => {
  expect(compareExpressions(left, right).result).toBe(result);
});

test.each([
  [`len(http.request.headers["x-a"][0]) gt 20`, "different"],
  [`len(http.request.headers["x-a"][0]) eq 243`, "undecided"],
  [`len(http.request.headers["x-a"][0]) lt 5`, "equivalent"],
  [`ends_with(http.request.headers["x-a"][0], "A")`, "undecided"],
  [`starts_with(http.request.headers["x-a"][0], "Bearer ey")`, "different"],
  [`starts_with(lower(http.request.headers["x-a"][0]), "bearer eyjhbgci")`, "undecided"],
  [`http.request.headers["x-a"][0] matches "^Bearer +[^ ]"`, "different"],
  [`http.request.headers["x-a"][0] matches "A[.]"`, "undecided"],
  [`any(http.request.headers["x-a"][*] eq "b")`, "different"],
] as const)("a request with a valid token and %s is %s from none", (comparison, result) => {
  // Nothing is known of a token before it is minted, except for its pattern.
  const compared = compareExpressions(
    `is_jwt_valid("a") and ${comparison}`,
    'http.host eq "" and http.host ne ""',
    {
      configs,
    },
  );
  expect(compared.result).toBe(result);
});
