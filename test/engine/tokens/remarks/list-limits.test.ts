/** Limits of the provider on the lists of an account. */

import { analyze } from "edgeproof/analysis";
import type { RuleList } from "edgeproof/tokens";
import { expect, test } from "vitest";

function limitsOf(lists: Readonly<Record<string, RuleList>>) {
  return analyze({ configs: [], rules: [], lists })
    .filter(({ rule }) => rule === "list-limit")
    .map(({ pointer, message }) => `${pointer}: ${message}`);
}

const listOf = (length: number): RuleList => ({ kind: "asn", items: Array.from({ length }, (_, i) => i) });

test("10,000 items in all lists are accepted, and one more is reported at the largest list", () => {
  expect(limitsOf({ a: listOf(4000), b: listOf(6000) })).toEqual([]);
  expect(limitsOf({ a: listOf(4000), b: listOf(6001) })).toEqual([
    "/lists/b: The lists have 10001 items in all, and the provider accepts 10000 for an account; the largest is `b` with 6001.",
  ]);
});

test("a name has at most 50 characters", () => {
  expect(limitsOf({ ["a".repeat(50)]: listOf(1) })).toEqual([]);
  const name = "a".repeat(51);
  expect(limitsOf({ [name]: listOf(1) })).toEqual([
    `/lists/${name}: The name of a list has at most 50 characters; found 51.`,
  ]);
});
