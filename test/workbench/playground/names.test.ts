/** The comparison of names in the engines of the playground: agrees with the matcher, bounded, and reported by lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recommendedRules } from "../../../src/engine/brand/matching/match-rules.ts";
import { compileQueries } from "../../../src/engine/brand/matching/matcher.ts";
import { lookAlikes } from "../../../src/testing/look-alikes.ts";
import type { LookAlikesView, NamesFound, NamesQuestion } from "../../../src/workbench/names-messages.ts";
import { maxNames } from "../../../src/workbench/playground/names/read-lines.ts";
import { askEngines } from "../../support/playground.ts";
import { runs } from "../../support/runs.ts";

const flags = { confusables: false, transpositions: false, separators: false };
const match = async (patterns: string, names: string, more: Partial<NamesQuestion> = {}) =>
  (
    await askEngines<NamesFound>("", "names/match", {
      patterns,
      names,
      mode: "recommended",
      ...flags,
      ...more,
    })
  ).result;

test("names are found with line, distance, part and technique; others are counted", async () => {
  const found = await match(
    "northwind",
    "# a comment\n\nhttps://northw1nd.com/login\r\nweather.org\nnörthwind.example\nnot a name",
  );
  expect(found).toMatchObject({ names: 3, named: 2, total: 2, invalidTotal: 1 });
  expect(found.matches[0]).toMatchObject({
    line: 3,
    name: { text: "northw1nd.com", start: 0, end: 9 },
    found: { pattern: "northwind", technique: "homoglyph", edits: 1 },
  });
  expect(found.matches.map(({ line }) => line)).toEqual([3, 5]);
  expect(found.invalid).toEqual([{ line: 6, message: expect.stringMatching(/cannot contain ` `/) }]);
  expect(found.rules.length).toBe(recommendedRules.length);
});

test("a name with A-labels and one with capitals are shown in the form that is compared", async () => {
  const { matches } = await match("northwind", "xn--nrthwind-n4a.example\nNorthWind.com\nnorthwind.com");
  expect(matches.map(({ normalized }) => normalized?.text)).toEqual([
    "nörthwind.example",
    "northwind.com",
    undefined,
  ]);
  const [{ normalized } = { normalized: undefined }] = matches;
  expect(normalized?.text.slice(normalized.start, normalized.end)).toBe("nörthwind");
});

test("the edits of a pattern are used unless the recommended rules choose them, and notes are reported", async () => {
  const contains = { mode: "contains" } as const;
  expect((await match("northwind:0", "northw1nd.com", contains)).named).toBe(0);
  expect((await match("northwind", "northw1nd.com", contains)).named).toBe(1);
  expect((await match("northwind:0", "n\u043erthwind.com", { ...contains, confusables: true })).named).toBe(
    1,
  );
  expect((await match("northwind:0", "n\u043erthwind.com", contains)).named).toBe(0);
  const { notes, rules } = await match("northwind\nhttps://paypal.com", "northwind.com", contains);
  expect(notes).toEqual([{ line: 2, message: expect.stringMatching(/is searched as `paypal.com`/) }]);
  expect(rules).toEqual(["anywhere before the public suffix, the edits of each pattern"]);
});

test("every match is one of the matcher, in the order of the lines", async () => {
  const name = fc
    .array(fc.string({ unit: fc.constantFrom(..."northwind01-ö"), minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((labels) => `${labels.join(".")}.com`);
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 20 }), async (names) => {
      const string_matches = [{ pattern: "northwind", max_edit_distance: 2 }];
      const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }], { mode: "token" });
      const expected = names.flatMap((typed, i) =>
        matcher.match(typed).map(({ distance, score }) => [i + 1, distance, score]),
      );
      const { matches } = await match("northwind:2", names.join("\n"), { mode: "token" });
      expect(matches.map(({ line, found }) => [line, found.edits, found.score])).toEqual(expected);
    }),
    { numRuns: runs(200) },
  );
});

describe("hostile input is bounded", () => {
  test("a long list has its first matches and the number of all", async () => {
    const found = await match("northwind", "northwind.com\n".repeat(20_000));
    expect([found.named, found.total, found.matches.length]).toEqual([20_000, 20_000, 500]);
  });

  test("lines that are not names are counted, and the first are reported", async () => {
    const found = await match("northwind", `${"a b\n".repeat(5_000)}${"a".repeat(1_000_000)}`);
    expect([found.names, found.invalidTotal, found.invalid.length]).toEqual([0, 5_001, 20]);
    expect(JSON.stringify(found).length).toBeLessThan(10_000);
  });

  test.each<readonly [string, Partial<NamesQuestion>, RegExp]>([
    ["too many names", { names: "a.com\n".repeat(maxNames + 1) }, /at most 100000 names; found 100001 lines/],
    ["no patterns", { patterns: " \n# none" }, /1 to 100 patterns, one a line; found 0/],
    ["too many patterns", { patterns: "brand\n".repeat(101) }, /found 101/],
    ["an edit count that is not one", { patterns: "a\nnorthwind:x" }, /Line 2 of the patterns: .*found `x`/],
    ["too many edits", { patterns: "northwind:4" }, /Line 1 of the patterns: .*0 to 3; found `4`/],
    ["a huge pattern", { patterns: "n".repeat(300) }, /Line 1 of the patterns: .*1 to 200 characters/],
    ["an unknown mode", { mode: "__proto__" }, /`mode` must be one of .*found `__proto__`/],
  ])("%s", async (_name, question, message) => {
    await expect(match("northwind", "northwind.com", question)).rejects.toThrow(message);
  });
});

test("look-alikes are those of the toolkit, with their decoded form", async () => {
  const list = async (domain: string) =>
    (await askEngines<LookAlikesView>("", "names/variants", { domain })).result;
  const { names, hasMore } = await list("paypal.com");
  expect(hasMore).toBe(false);
  expect(names.map(({ domain }) => domain)).toEqual(
    [...lookAlikes("paypal.com")].map(({ domain }) => domain),
  );
  expect(names.filter(({ unicode }) => unicode !== undefined).length).toBeGreaterThan(10);
  expect(await list(`${"ab".repeat(31)}.com`)).toMatchObject({ hasMore: true, names: { length: 5_000 } });
  await expect(list("com")).rejects.toThrow(/com/);
});
