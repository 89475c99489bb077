/** The Markdown summary: counts, tables, escapes, size. */
import { describe, expect, test } from "vitest";
import { escapeMarkdown, maxMarkdownBytes, printMarkdown } from "../../../src/cli/output/report/markdown.ts";
import { caseNamed, failedCase, hostileReport, hostileStrings, reportOf } from "./hostile-report.ts";

function print(report: Parameters<typeof printMarkdown>[0]): string {
  return printMarkdown(report, (file) => file);
}

describe("printMarkdown", () => {
  test("counts the cases, and lists the worst findings first and the skipped cases", () => {
    const cases = [
      failedCase("mild", "warning"),
      failedCase("severe"),
      caseNamed("fine"),
      caseNamed("left", { status: "skipped", message: "redacted" }),
    ];
    expect(print(reportOf(cases))).toBe(`## edgeproof check

4 cases, 2 failed, 1 skipped, 1 passed

| level | case | finding | place |
| --- | --- | --- | --- |
| error | g: severe | r1: severe fix: Fix it. | a.json\\:1\\:2 |
| warning | g: mild | r1: mild fix: Fix it. | a.json\\:1\\:2 |

| skipped | reason |
| --- | --- |
| g: left | redacted |
`);
  });

  test("a report without findings has no table", () => {
    expect(print(reportOf([caseNamed("fine")]))).toBe("## edgeproof check\n\n1 case, 1 passed\n");
  });

  test("hostile strings stay in their cells", () => {
    const lines = print(hostileReport()).split("\n");
    const rows = lines.filter((line) => line.startsWith("| error") || line.startsWith("| failed"));
    expect(rows).toHaveLength(2 * hostileStrings.length);
    for (const row of rows) expect(row.replaceAll(/\\./g, "").split("|")).toHaveLength(6);
    const text = lines.join("\n").replaceAll(/\\./g, "");
    expect(text).not.toMatch(/[<>`\u202e]|\w:\/\/|www\./);
    expect(text).not.toContain("\u001b");
    expect(text.isWellFormed()).toBe(true);
  });

  test.each([
    ["a_b_ *c* `d` ~e~", "a\\_b\\_ \\*c\\* \\`d\\` \\~e\\~"],
    ["<b>&amp;", "&lt;b&gt;&amp;amp;"],
    ["a | b \\| c", "a \\| b \\\\\\| c"],
    ["[x](y) ![z](w)", "\\[x\\](y) \\!\\[z\\](w)"],
    ["https://a.b www.c.d WWW.e", "https\\://a.b www\\.c.d WWW\\.e"],
    ["plain: text, 1.5 (two)", "plain: text, 1.5 (two)"],
  ])("escapes %j", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  test("is at most 900 kB in UTF-8, and says how many rows are left out", () => {
    const long = "é".repeat(400);
    const printed = print(reportOf(Array.from({ length: 3_000 }, (_, i) => failedCase(`${i} ${long}`))));
    expect(Buffer.byteLength(printed)).toBeLessThan(maxMarkdownBytes + 100);
    const rows = printed.split("\n").filter((line) => line.startsWith("| error")).length;
    expect(printed).toMatch(new RegExp(`\\n\\n${(3_000 - rows).toLocaleString("en-US")} rows left out\\n$`));
  });
});
