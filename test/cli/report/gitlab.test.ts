/** GitLab Code Quality: the documented members, and the fingerprints of SARIF. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { printGitlab } from "../../../src/cli/output/report/gitlab.ts";
import type { Report } from "../../../src/cli/output/report/report.ts";
import { printSarif } from "../../../src/cli/output/report/sarif.ts";
import { failedCase, hostileReport, hostileStrings, reportOf } from "./hostile-report.ts";

/** The members that GitLab documents. */
const codeQuality = z.array(
  z.strictObject({
    description: z.string().min(1),
    check_name: z.string().min(1),
    fingerprint: z.string().min(1),
    severity: z.enum(["info", "minor", "major", "critical", "blocker"]),
    location: z.strictObject({ path: z.string(), lines: z.strictObject({ begin: z.int().min(1) }) }),
  }),
);

const print = (report: Report) =>
  codeQuality.parse(JSON.parse(printGitlab(report, (file) => `repo/${file}`)));

describe("printGitlab", () => {
  test("prints an entry for each diagnostic with its severity and line", () => {
    const report = reportOf([failedCase("bad"), failedCase("odd", "warning"), failedCase("fyi", "note")]);
    expect(print(report)).toEqual(
      [
        ["bad", "major"],
        ["odd", "minor"],
        ["fyi", "info"],
      ].map(([name, severity]) => ({
        description: `${name} Fix it.`,
        check_name: "r1",
        fingerprint: expect.any(String),
        severity,
        location: { path: "repo/a.json", lines: { begin: 1 } },
      })),
    );
  });

  test("has the fingerprints of SARIF, each once", () => {
    const report = reportOf([failedCase("a"), failedCase("a"), failedCase("b")]);
    const sarif = JSON.parse(printSarif(report, (file) => `repo/${file}`)).runs[0].results.map(
      (result: { partialFingerprints: { primaryLocationLineHash: string } }) =>
        result.partialFingerprints.primaryLocationLineHash,
    );
    const own = print(report).map(({ fingerprint }) => fingerprint);
    expect(own).toEqual(sarif);
    expect(new Set(own).size).toBe(3);
  });

  test("an empty report is an empty list, and hostile strings are valid", () => {
    expect(print(reportOf([]))).toEqual([]);
    expect(print(hostileReport())).toHaveLength(2 * hostileStrings.length);
  });
});
