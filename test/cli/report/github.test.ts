/** Workflow commands of GitHub Actions, read as its runner reads them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printGithub } from "../../../src/cli/output/report/github.ts";
import type { Report } from "../../../src/cli/output/report/report.ts";
import type { Level } from "../../../src/core/diagnostic.ts";
import { failedCase, hostileReport, hostileStrings, reportOf } from "./hostile-report.ts";

interface Annotation {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

function decodeEscapes(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    "%25": "%",
    "%0D": "\r",
    "%0A": "\n",
    "%3A": ":",
    "%2C": ",",
  };
  return text.replace(/%(?:25|0D|0A|3A|2C)/g, (mark) => marks[mark]!);
}

/** A line is a command when it begins with `::` after spaces, or when `##[` is anywhere in it. */
function readLine(line: string): Annotation | string {
  if (!line.trimStart().startsWith("::")) {
    expect(line).not.toContain("##[");
    return line;
  }
  const [, head = "", message = ""] = /^::(.*?)::(.*)$/.exec(line) ?? [];
  const [command = "", ...rest] = head.split(" ");
  const pairs = rest
    .join(" ")
    .split(",")
    .map((pair) => pair.split("="));
  const properties = pairs.map(([name = "", ...value]) => [name, decodeEscapes(value.join("="))]);
  return { command, properties: Object.fromEntries(properties), message: decodeEscapes(message) };
}

function linesOf(report: Report): readonly (Annotation | string)[] {
  return printGithub(report, (file) => file)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
    .map(readLine);
}

function cases(count: number, level: Level) {
  return Array.from({ length: count }, (_, i) => failedCase(`${level} ${i}`, level));
}

describe("printGithub", () => {
  test("prints an annotation with file, place and title", () => {
    expect(printGithub(reportOf([failedCase("a:b,c%")]), (file) => `dir/${file}`)).toBe(
      "::error file=dir/a.json,line=1,endLine=1,col=2,endColumn=5," +
        "title=edgeproof check%3A r1%3A a%3Ab%2Cc%25::a:b,c%25%0Aa:b,c%25%0Aa:b,c%25%0Afix: Fix it.\n",
    );
  });

  test("a place of several lines has no columns, and standard input no place", () => {
    const range = { start: { line: 2, column: 3 }, end: { line: 9, column: 2 } };
    const long = failedCase("x", "error", { file: "a.json", ...range });
    const piped = failedCase("x", "error", { file: "-", ...range });
    const [first, second] = linesOf(reportOf([long, piped])) as Annotation[];
    expect(first?.properties).toMatchObject({ line: "2", endLine: "9" });
    expect(Object.keys(first!.properties)).toEqual(["file", "line", "endLine", "title"]);
    expect(Object.keys(second!.properties)).toEqual(["title"]);
  });

  test("prints the worst 10 of each level, and counts the others in one line", () => {
    const all = [...cases(12, "note"), ...cases(3, "warning"), ...cases(11, "error")];
    const lines = linesOf(reportOf(all));
    const commands = lines.map((line) => (typeof line === "string" ? line : line.command));
    expect(commands).toEqual([
      ...Array.from({ length: 10 }, () => "error"),
      ...Array.from({ length: 3 }, () => "warning"),
      ...Array.from({ length: 10 }, () => "notice"),
      "not shown as annotations: 1 error, 2 notes",
    ]);
  });

  test("prints nothing without findings", () => {
    expect(printGithub(reportOf([]), (file) => file)).toBe("");
  });

  test.each(hostileStrings.map((text) => [text.slice(0, 40), text]))("%j begins no command", (_, text) => {
    const lines = linesOf(hostileReport([text]));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatchObject({ command: "error" });
      expect(Object.keys((line as Annotation).properties)).toEqual([
        "file",
        "line",
        "endLine",
        "col",
        "endColumn",
        "title",
      ]);
      expect(JSON.stringify(line).length).toBeLessThan(64_000);
    }
  });

  test("any strings print one command for each finding", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }), (texts) => {
        const lines = linesOf(hostileReport(texts));
        expect(lines).toHaveLength(2 * texts.length);
        for (const line of lines) expect(line).toMatchObject({ command: "error" });
      }),
    );
  });
});
