/** `edgeproof variants`: what it lists, and that `edgeproof match` finds it again. */
import { describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

test("lists look-alikes with their technique", async () => {
  const { code, out } = await edgeproof([
    "variants",
    "paypal.com",
    "--kind",
    "transposition",
    "--kind",
    "omission",
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/^apypal\.com +transposition$/m);
  expect(out).toMatch(/^aypal\.com +omission$/m);
  expect(out).not.toMatch(/homoglyph/);
});

test("JSON Lines go straight into `match`, which finds each of them", async () => {
  const { out } = await edgeproof(["variants", "paypal.com", "--json"]);
  const made = out.trim().split("\n");
  expect(made.length).toBeGreaterThan(200);
  expect(JSON.parse(made[0]!)).toEqual({ domain: expect.any(String), technique: expect.any(String) });
  const found = await edgeproof(["match", "--pattern", "paypal:2", "--separators", "--format", "jsonl"], out);
  expect(found.err).toContain(`of ${made.length} names`);
  expect(found.out.trim().split("\n")).toHaveLength(made.length);
});

describe("bad input: exit code 2 and a clear message", () => {
  test.each<[string[], RegExp]>([
    [[], /expected one domain/],
    [["a.com", "b.com"], /expected one domain/],
    [["com"], /must have a registrable label/],
    [["a b"], /cannot contain/],
    [["paypal.com", "--kind", "homograph"], /`homograph`; did you mean `homoglyph`\?/],
  ])("%j", async (words, message) => {
    const { code, err } = await edgeproof(["variants", ...words]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
