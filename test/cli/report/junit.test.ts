/** JUnit XML, read with an XML parser. */
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { printJunit } from "../../../src/cli/output/report/junit.ts";
import type { Report } from "../../../src/cli/output/report/report.ts";
import { caseNamed, failedCase, hostileReport, hostileStrings, reportOf } from "./hostile-report.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements in order. The parser throws at anything that is not well-formed XML 1.0. */
function parseXml(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return elements;
}

function elementsOf(report: Report, name: string): readonly Element[] {
  return parseXml(printJunit(report, (file) => file)).filter((element) => element.name === name);
}

function keysOf(report: Report): readonly string[] {
  return elementsOf(report, "testcase").map(({ attributes: { classname, name } }) =>
    JSON.stringify([classname, name]),
  );
}

describe("printJunit", () => {
  test("prints suites, cases, outcomes and sums", () => {
    const report = reportOf([
      { ...failedCase("one"), seconds: 0.25 },
      caseNamed("two", { seconds: 1.5 }),
      caseNamed("three", { group: "h", status: "skipped", message: "redacted" }),
      { ...failedCase("bad"), name: "four", group: "h", status: "undecided" },
    ]);
    expect(printJunit(report, (file) => `repo/${file}`)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="edgeproof check" tests="4" failures="1" errors="1" skipped="1" time="1.750">
  <testsuite name="g" tests="2" failures="1" errors="0" skipped="0" time="1.750">
    <testcase classname="edgeproof.check.g" name="one" time="0.250" file="repo/a.json" line="1">
      <failure message="one" type="r1">error r1: one
repo/a.json:1:2
one
one
fix: Fix it.</failure>
    </testcase>
    <testcase classname="edgeproof.check.g" name="two" time="1.500" file="repo/a.json" line="1"/>
  </testsuite>
  <testsuite name="h" tests="2" failures="0" errors="1" skipped="1" time="0.000">
    <testcase classname="edgeproof.check.h" name="three" time="0.000" file="repo/a.json" line="1">
      <skipped message="redacted"/>
    </testcase>
    <testcase classname="edgeproof.check.h" name="four" time="0.000" file="repo/a.json" line="1">
      <error message="bad" type="r1">error r1: bad
repo/a.json:1:2
bad
bad
fix: Fix it.</error>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test("the worst finding is the message, and the text contains all of them", () => {
    const diagnostics = [...failedCase("mild", "warning").diagnostics, ...failedCase("severe").diagnostics];
    const [failure] = elementsOf(reportOf([{ ...failedCase("x"), diagnostics }]), "failure");
    expect(failure?.attributes["message"]).toBe("severe (and 1 more)");
    expect(failure?.text).toMatch(/^error r1: severe[\s\S]*\nwarning r1: mild/);
  });

  test("is well-formed XML with every hostile string", () => {
    const cases = elementsOf(hostileReport(), "testcase");
    expect(cases).toHaveLength(4 * hostileStrings.length);
    const names = cases.map(({ attributes }) => attributes["name"]!);
    expect(names).toContain("]]>");
    expect(names).toContain('"><script>alert(1)</script>&amp;');
    expect(names).toContain("a\\n::error::b".replace("\\n", " "));
    for (const name of names) expect(name.length).toBeLessThan(600);
  });

  test("is well-formed XML with any strings", () => {
    const strings = fc.array(fc.string({ unit: "binary" }), { maxLength: 4 });
    fc.assert(
      fc.property(strings, (texts) => {
        expect(() => elementsOf(hostileReport(texts), "testcase")).not.toThrow();
      }),
    );
  });

  test("no two cases have the same class and name, even when a name looks like a numbered one", () => {
    const names = ["a", "a", "a (2)", "a", "a (2)", "b"];
    const report = reportOf(names.map((name) => caseNamed(name)));
    const keys = keysOf(report);
    expect(new Set(keys).size).toBe(names.length);
    expect(keys.slice(0, 3).map((key) => JSON.parse(key)[1])).toEqual(["a", "a (2)", "a (2) (2)"]);
    expect(new Set(keysOf(hostileReport())).size).toBe(4 * hostileStrings.length);
  });

  test("10,000 cases with the same name are numbered in linear time", () => {
    const keys = keysOf(reportOf(Array.from({ length: 10_000 }, () => caseNamed("same"))));
    expect(new Set(keys).size).toBe(10_000);
    expect(JSON.parse(keys.at(-1)!)[1]).toBe("same (10000)");
  });

  test("standard input has no file", () => {
    const location = { file: "-", start: { line: 1, column: 1 } };
    const [element] = elementsOf(reportOf([caseNamed("x", { location })]), "testcase");
    expect(Object.keys(element!.attributes)).toEqual(["classname", "name", "time"]);
  });
});
