/** Prints a report as GitLab Code Quality, a subset of the Code Climate format that merge requests show. */
import { formatJson } from "../../command.ts";
import { printResource } from "../places.ts";
import { cleanText } from "./clean-text.ts";
import { diagnosticsOf, headline, helpOf, type Report } from "./report.ts";
import type { ReportPath } from "./repository-path.ts";

const severities = { error: "major", warning: "minor", note: "info" } as const;

/** One entry for each diagnostic; places are lines, without columns. */
export function printGitlab(report: Report, pathOf: ReportPath): string {
  const entries = diagnosticsOf(report).map((finding) => {
    const resource = printResource(finding.at);
    const texts = [headline(finding), helpOf(report, finding), resource && `At ${resource}.`];
    return {
      description: cleanText(texts.filter(Boolean).join(" ")),
      check_name: finding.rule,
      fingerprint: finding.id,
      severity: severities[finding.level],
      location: { path: pathOf(finding.at.file), lines: { begin: finding.at.start.line } },
    };
  });
  return formatJson(entries);
}
