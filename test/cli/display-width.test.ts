/** The width of text on a terminal, and the tables that fit into it. */
import { describe, expect, test } from "vitest";
import { cutToWidth, displayWidth, padToWidth } from "../../src/cli/output/display-width.ts";
import { printTable } from "../../src/cli/output/table.ts";
import { edgeproof } from "../support/cli.ts";

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

test("a text is cut before the character that does not fit, and padded with spaces", () => {
  expect(cutToWidth("日本語日本語", 8)).toBe("日本...");
  expect(cutToWidth("日本", 4)).toBe("日本");
  expect(padToWidth("日本", 6)).toBe("日本  ");
  expect(padToWidth("long", 2)).toBe("long");
});

test("columns of a table are aligned by their width on the terminal, and fit into it", () => {
  const lines = printTable(
    ["name", "note"],
    [
      ["日本", "x"],
      ["abcd", "y".repeat(90)],
    ],
    { maxWidth: 40 },
  ).split("\n");
  expect(lines[2]).toBe("日本  x");
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
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
