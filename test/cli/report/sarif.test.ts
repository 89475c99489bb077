/** SARIF: rules, places, fingerprints, the maximum number of results. */
import { describe, expect, test } from "vitest";
import type { Report, ReportCase } from "../../../src/cli/output/report/report.ts";
import { maxSarifResults, printSarif } from "../../../src/cli/output/report/sarif.ts";
import { sarifLog } from "../../../src/cli/output/schemas/sarif.ts";
import type { Placed } from "../../../src/core/diagnostic.ts";
import { caseNamed, failedCase, hostileReport, hostileStrings, reportOf } from "./hostile-report.ts";

/** The only run of the log, which the schema accepts. */
function runOf(report: Report) {
  const text = printSarif(report, (file) => file);
  expect(text.isWellFormed()).toBe(true);
  return sarifLog.parse(JSON.parse(text)).runs[0];
}

function fingerprints(cases: readonly ReportCase[]): readonly string[] {
  return runOf(reportOf(cases)).results.map((result) => result.partialFingerprints.primaryLocationLineHash);
}

function caseAt(name: string, base: string, member: string, line: number): ReportCase {
  const at = { file: "a.json", start: { line, column: 1 } };
  return {
    ...failedCase(name, "error", { ...at, pointer: base + member }),
    location: { ...at, pointer: base },
  };
}

describe("printSarif", () => {
  test("prints the members that code hosts require", () => {
    const run = runOf(reportOf([failedCase("x")]));
    expect(run.tool.driver.rules).toEqual([
      {
        id: "r1",
        shortDescription: { text: "A rule." },
        fullDescription: { text: "A rule." },
        help: { text: "Fix it." },
        defaultConfiguration: { level: "error" },
        properties: { tags: ["t"], precision: "very-high", "problem.severity": "error" },
      },
    ]);
    expect(run.results[0]?.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "a.json" },
      region: { startLine: 1, startColumn: 2, endLine: 1, endColumn: 5 },
    });
  });

  test("has the rules of its results only", () => {
    expect(runOf(reportOf([caseNamed("x")])).tool.driver.rules).toEqual([]);
  });

  test("conforms to the schema with every hostile string", () => {
    const { results } = runOf(hostileReport());
    expect(results).toHaveLength(2 * hostileStrings.length);
  });

  test("fingerprints stay the same when the case moves to other lines and indexes", () => {
    const before = fingerprints([caseAt("rule a", "/rules/0", "/expression", 3)]);
    const after = fingerprints([
      caseAt("rule new", "/rules/0", "/expression", 3),
      caseAt("rule a", "/rules/1", "/expression", 9),
    ]);
    expect(after[1]).toBe(before[0]);
    expect(after[0]).not.toBe(before[0]);
  });

  test("fingerprints differ by case and member, not by file, and equal ones are numbered", () => {
    const reportCase = caseAt("a", "/0", "/x", 1);
    const other = caseAt("a", "/0", "/y", 1);
    const elsewhere = { ...reportCase, diagnostics: reportCase.diagnostics.map(moved) };
    const all = fingerprints([reportCase, other, elsewhere, caseAt("b", "/0", "/x", 1), reportCase]);
    expect(new Set(all).size).toBe(5);
    expect([all[2], all[4]]).toEqual([":2", ":3"].map((end) => all[0]?.replace(/:1$/, end)));
  });

  function moved(finding: Placed): Placed {
    return { ...finding, at: { ...finding.at, file: "b.json" } };
  }

  test("more than 5,000 findings are cut to the worst, and a notification counts the rest", () => {
    const mild = Array.from({ length: maxSarifResults }, (_, i) => failedCase(`w${i}`, "warning"));
    const run = runOf(reportOf([...mild, failedCase("severe"), failedCase("also severe")]));
    expect(run.results).toHaveLength(maxSarifResults);
    expect(run.results.slice(0, 3).map(({ level }) => level)).toEqual(["error", "error", "warning"]);
    expect(run.invocations[0].toolExecutionNotifications?.[0]?.message.text).toBe(
      "2 results left out: a run has at most 5000",
    );
    expect(runOf(reportOf(mild)).invocations).toEqual([{ executionSuccessful: true }]);
  });
});
