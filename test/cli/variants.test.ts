/** `edgeproof brand variants`: what it lists, and that `edgeproof brand match` finds it again. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

test("lists look-alikes with their technique", async () => {
  const { code, out } = await edgeproof([
    "brand",
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
  const { out } = await edgeproof(["brand", "variants", "paypal.com", "--json"]);
  const made = out.trim().split("\n");
  expect(made.length).toBeGreaterThan(200);
  expect(JSON.parse(made[0]!)).toMatchObject({ domain: expect.any(String), technique: expect.any(String) });
  const found = await edgeproof(
    ["brand", "match", "--pattern", "paypal:2", "--separators", "--format", "jsonl"],
    out,
  );
  expect(found.err).toContain(`of ${made.length} names`);
  expect(found.out.trim().split("\n")).toHaveLength(made.length);
});

test("--changes lists names of several homoglyphs after those of one, and --limit ends the list of each domain", async () => {
  const { out } = await edgeproof([
    "brand",
    "variants",
    "amd.com",
    "ab.de",
    "--kind",
    "homoglyph",
    "--changes",
    "2",
    "--limit",
    "500",
    "--json",
  ]);
  const made = out
    .trim()
    .split("\n")
    .map((line): { readonly original: string; readonly changes: number } => JSON.parse(line));
  for (const original of ["amd.com", "ab.de"]) {
    const changes = made.filter((variant) => variant.original === original).map((variant) => variant.changes);
    expect(changes).toHaveLength(500);
    expect(changes).toEqual([...changes].sort());
    expect(changes.at(-1)).toBe(2);
  }
});

describe("bad input: exit code 2 and a clear message", () => {
  test.each<[string[], RegExp]>([
    [[], /expected at least 1 domain/],
    [["com"], /must have a registrable label/],
    [["a b"], /cannot contain/],
    [["paypal.com", "--limit", "0"], /--limit must be an integer from 1; found `0`/],
    [["paypal.com", "--changes", "64"], /--changes must be an integer from 1 to 63/],
    [["paypal.com", "--kind", "homograph"], /`homograph`; did you mean `homoglyph`\?/],
  ])("%j", async (words, message) => {
    const { code, err } = await edgeproof(["brand", "variants", ...words]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

test("several domains are accepted, with the Unicode form of each name and the domain that it resembles", async () => {
  const { out } = await edgeproof([
    "brand",
    "variants",
    "paypal.com",
    "ebay.de",
    "--kind",
    "homoglyph",
    "--json",
  ]);
  const made = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(made.map(({ original }) => original))).toEqual(new Set(["paypal.com", "ebay.de"]));
  const unicode = made.find(({ domain }) => domain === "xn--pypal-4ve.com");
  expect(unicode).toMatchObject({ unicode: "p\u0430ypal.com", technique: "homoglyph" });
  const plain = await edgeproof(["brand", "variants", "paypal.com", "--kind", "homoglyph"]);
  expect(plain.out).toMatch(/^xn--pypal-4ve\.com +homoglyph +p\u0430ypal\.com$/m);
  expect(plain.out).toMatch(/^paypa1\.com +homoglyph$/m);
});

test("words and public suffixes come from files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const words = await file("words.txt", "# words\nBilling\n\n");
  const tlds = await file("tlds.txt", "zip\nmov\n");
  const { out } = await edgeproof(["brand", "variants", "paypal.com", "--dictionary", words, "--tlds", tlds]);
  for (const name of [
    "billing-paypal.com",
    "paypalbilling.com",
    "paypal.zip",
    "wwwpaypal.com",
    "paypalcom.com",
  ])
    expect(out).toMatch(new RegExp(`^${name.replace(".", "\\.")} `, "m"));
  expect(out).not.toContain("login-paypal.com");
  const empty = await edgeproof([
    "brand",
    "variants",
    "paypal.com",
    "--tlds",
    await file("empty.txt", "#\n"),
  ]);
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining("has no words")]);
});

test("--new-since prints only names that an earlier run did not have, in each of its formats", async () => {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const words = ["brand", "variants", "paypal.com", "--kind", "transposition", "--kind", "repetition"];
  for (const format of [[], ["--json"]]) {
    const earlier = await edgeproof([...words.slice(0, 5), ...format]);
    const path = join(folder, `earlier${format.length}.txt`);
    await writeFile(path, earlier.out);
    const again = await edgeproof([...words.slice(0, 5), "--new-since", path]);
    expect([again.code, again.out]).toEqual([0, ""]);
    const more = await edgeproof([...words, "--new-since", path]);
    expect(more.out).toContain("ppaypal.com");
    expect(more.out).not.toContain("transposition");
  }
});
