/** The exit code of reports: every combination of statuses, accepted or not. */
import { describe, expect, test } from "vitest";
import { completeReport, exitCodeOf } from "../../../src/cli/output/report/exit-code.ts";
import type { CaseStatus } from "../../../src/cli/output/report/report.ts";
import { printText } from "../../../src/cli/output/report/text.ts";
import { caseNamed, failedCase, reportOf } from "./hostile-report.ts";

const statuses: readonly CaseStatus[] = ["passed", "failed", "undecided", "skipped"];
const booleans = [false, true];

/** Every set of statuses. */
const sets = Array.from({ length: 2 ** statuses.length }, (_, bits) =>
  statuses.filter((_, i) => (bits >> i) & 1),
);

const table = sets.flatMap((set) =>
  booleans.flatMap((partial) => booleans.map((allowEmpty) => [set, { partial, allowEmpty }] as const)),
);

describe("the exit code", () => {
  test.each(table)("of cases %j with %j", (set, accepted) => {
    const report = completeReport(reportOf(set.map((status) => caseNamed(status, { status }))), accepted);
    const isEvaluated = set.includes("passed") || set.includes("failed");
    const isGreen =
      !set.includes("failed") &&
      (accepted.partial || !set.includes("undecided")) &&
      (accepted.allowEmpty || isEvaluated);
    expect(exitCodeOf(report, accepted)).toBe(isGreen ? 0 : 1);
    const rules = report.cases.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule));
    expect(rules).toEqual(isEvaluated ? [] : ["nothing-evaluated"]);
  });

  test("cases that only contain others, and cases of nothing, evaluate nothing", () => {
    const cases = [caseNamed("zone", { kind: "zone" }), caseNamed("requests", { kind: "request", count: 0 })];
    expect(exitCodeOf(completeReport(reportOf(cases), {}), {})).toBe(1);
  });

  test("an empty report says what is missing and what to add", () => {
    const report = completeReport(reportOf([]), {});
    expect(printText(report)).toBe(
      "a.json:1:2: error nothing-evaluated at /\n" +
        "  Nothing was evaluated. There is no rule.\n" +
        "  fix: Pass an input that has something to evaluate, or --allow-empty when this is intended.\n" +
        "nothing evaluated: 1 error, 0 warnings, 0 notes, 1 undecided\n",
    );
    const [allowed] = completeReport(reportOf([]), { allowEmpty: true }).cases;
    expect(allowed).toMatchObject({ status: "skipped", diagnostics: [{ level: "note" }] });
  });

  test("--partial makes notes of the diagnostics of undecided cases, and of no others", () => {
    const open = { ...failedCase("open"), status: "undecided" } as const;
    const { cases } = completeReport(reportOf([open, failedCase("bad")]), { partial: true });
    expect(cases.map(({ diagnostics }) => diagnostics[0]?.level)).toEqual(["note", "error"]);
  });
});
