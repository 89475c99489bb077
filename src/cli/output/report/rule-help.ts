/** The fix of a finding: the help of its rule. */
import type { Report, ReportFinding } from "./report.ts";

/** Empty when the report has no such rule. */
export function helpOf(report: Report, { rule }: ReportFinding): string {
  return report.rules.find(({ id }) => id === rule)?.help ?? "";
}
