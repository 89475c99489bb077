/** The exit code of every command that checks something: 0 only when something was evaluated, and all of it was decided. */
import type { Placed, Rules } from "../../../core/diagnostic.ts";
import { evaluatedCounts, type Report } from "./report.ts";

/** Outcomes that the caller accepts. */
export interface Accepted {
  /** `--partial`: something may be undecided. */
  readonly partial?: boolean;
  /** `--allow-empty`: nothing may have been evaluated. */
  readonly allowEmpty?: boolean;
}

/** The rules of results that prove nothing. */
export const outcomeRules = {
  "nothing-evaluated": {
    level: "error",
    description: "Nothing was evaluated, so that the result says nothing.",
    help: "Pass an input that has something to evaluate, or --allow-empty when this is intended.",
    tags: ["outcome"],
  },
} as const satisfies Rules;

/**
 * Completes a report: when nothing was evaluated, it has a case that says so, with what to add. Undecided cases that the
 * caller accepts have notes only.
 */
export function completeReport(report: Report, accepted: Accepted): Report {
  const cases = accepted.partial ? report.cases.map(asNotes) : report.cases;
  const rules = { ...report.rules, ...outcomeRules };
  if (evaluatedCounts(cases).size > 0) return { ...report, rules, cases };
  const at = report.inputs;
  const rule = "nothing-evaluated";
  const found: Placed = {
    rule,
    level: accepted.allowEmpty ? "note" : outcomeRules[rule].level,
    message: `${report.missing ?? "Nothing was evaluated."} ${report.whenEmpty}`,
    at,
  };
  const empty = {
    kind: "file",
    group: at.file,
    name: "evaluated parts",
    diagnostics: [found],
    location: at,
  } as const;
  return {
    ...report,
    rules,
    cases: [...cases, { ...empty, status: accepted.allowEmpty ? "skipped" : "undecided" }],
  };
}

function asNotes(reportCase: Report["cases"][number]): Report["cases"][number] {
  if (reportCase.status !== "undecided") return reportCase;
  return { ...reportCase, diagnostics: reportCase.diagnostics.map((found) => ({ ...found, level: "note" })) };
}

/** The exit code of a complete report. */
export function exitCodeOf({ cases }: Report, { partial = false, allowEmpty = false }: Accepted): 0 | 1 {
  const isBad = cases.some(({ status }) => status === "failed" || (status === "undecided" && !partial));
  return isBad || (!allowEmpty && evaluatedCounts(cases).size === 0) ? 1 : 0;
}
