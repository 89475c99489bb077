/** Prints a report as the JSON of `reportOutput`. */
import { formatJson } from "../../command.ts";
import { missingFactsOf } from "./missing-facts.ts";
import { acceptedOf, diagnosticsOf, evaluatedCounts, helpOf, type Report } from "./report.ts";

export function printJson(report: Report): string {
  return formatJson({
    command: report.command,
    diagnostics: diagnosticsOf(report).map(({ case: { group, name }, at, help, ...finding }) => {
      return { ...finding, help: help ?? helpOf(report, finding), group, case: name, ...at };
    }),
    evaluated: Object.fromEntries(evaluatedCounts(report.cases)),
    cases: report.cases.map(({ diagnostics, accepted, failOn, canFix, ...rest }) => rest),
    missingFacts: missingFactsOf(report),
    accepted: acceptedOf(report).map(
      ({ case: { group, name }, at, id, rule, level, message, reason, until }) => {
        const end = until !== undefined && { until };
        return { id, rule, level, message, reason, ...end, group, case: name, ...at };
      },
    ),
  });
}
