/** The width of text on a terminal, and the tables that fit into it. */
import { describe, expect, test } from "vitest";
import { breakToWidth, cutToWidth, displayWidth, padToWidth } from "../../src/cli/output/display-width.ts";
import { printTable } from "../../src/cli/output/table.ts";
import { wrapLines } from "../../src/cli/output/wrap.ts";
import { edgeproof, outputOf } from "../support/cli.ts";

test.each([
  ["plain", 5],
  ["日本", 4],
  ["한국", 4],
  ["Ａ", 2],
  ["e\u0301", 1],
  ["a\u200bb", 2],
  ["\u{1f600}!", 3],
  ["я", 1],
  ["", 0],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test("a text is broken after its last space that fits, and a longer word anywhere", () => {
  expect(breakToWidth("one two three", 8)).toEqual(["one two", "three"]);
  expect(breakToWidth("one two", 3)).toEqual(["one", "two"]);
  expect(breakToWidth("日本語日本", 5)).toEqual(["日本", "語日", "本"]);
  expect(breakToWidth("short", 5)).toEqual(["short"]);
});

test("a text is cut before the character that does not fit, and padded with spaces", () => {
  expect(cutToWidth("日本語日本語", 8)).toBe("日本...");
  expect(cutToWidth("日本", 4)).toBe("日本");
  expect(padToWidth("日本", 6)).toBe("日本  ");
  expect(padToWidth("long", 2)).toBe("long");
});

test("columns of a table are aligned by their width on the terminal, and fit into it", () => {
  const lines = printTable(
    outputOf(40),
    ["name", "note"],
    [
      ["日本", "x"],
      ["abcd", "y".repeat(90)],
    ],
  ).split("\n");
  expect(lines[2]).toBe("日本  x");
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
});

test("a cell that is never cut goes on in the next line of a narrow terminal", () => {
  const reason = "the consumer failed twice; repair the picture and retry the message";
  const table = printTable(outputOf(40), ["id", "key", "reason"], [["17", "k", reason]], {
    unshortened: ["id", "reason"],
  });
  const lines = table.trimEnd().split("\n");
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  const words = lines.slice(2).map((line) => line.slice(9).trim());
  expect(words.join(" ")).toBe(reason);
});

test("a terminal that does not say its width has 80 columns", () => {
  const wide = { write: () => {}, isTerminal: true, columns: 0 };
  const table = printTable(wide, ["a", "b"], [["x".repeat(60), "y".repeat(60)]]);
  expect(Math.max(...table.split("\n").map((line) => line.length))).toBe(80);
});

test("a long line is wrapped between its words, with its indent and a hanging space", () => {
  expect(wrapLines(outputOf(12), "  one two three\nshort\n")).toBe("  one two\n    three\nshort\n");
  expect(wrapLines(outputOf(), "  one two three four five six")).toBe("  one two three four five six");
});

test.each([
  ["demo", ["demo"], ""],
  [
    "brand match --tune",
    ["brand", "match", "--tune", "--pattern", "shopexample", "-"],
    `${"very-long-subdomain.".repeat(3)}shopexample.com\n`.repeat(3),
  ],
])("tables of %s fit into the terminal", async (_name, words, input) => {
  const { code, out } = await edgeproof(words, input, { isTerminal: true, columns: 70 });
  expect(code).toBe(0);
  const lines = out.split("\n");
  const rules = lines.flatMap((line, i) => (/^-{3,}( {2}-+)+$/.test(line) ? [i] : []));
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) {
    const end = lines.indexOf("", rule);
    for (const line of lines.slice(rule - 1, end)) expect(displayWidth(line)).toBeLessThanOrEqual(70);
  }
});

describe("match", () => {
  const name = `${"very-long-subdomain.".repeat(3)}shopexample.com`;
  const words = ["brand", "match", "--pattern", "shopexample:1", "-"];

  test("cuts its rows to the width of a terminal", async () => {
    const { out } = await edgeproof(words, `${name}\n`, { isTerminal: true, columns: 80 });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  test("prints whole names where the output is not a terminal", async () => {
    expect((await edgeproof(words, `${name}\n`)).out).toContain(name);
  });
});
