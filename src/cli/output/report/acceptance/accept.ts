/** Accepted findings: they do not fail a check, and every report counts them. */

import type { Level, Location, Rules } from "../../../../core/diagnostic.ts";
import { addTo } from "../../../../core/groups.ts";
import { didYouMean } from "../../../../core/suggest.ts";
import { outcomeRules } from "../exit-code.ts";
import {
  type AcceptedDiagnostic,
  type CaseDiagnostic,
  diagnosticsOf,
  leavesOpen,
  type Report,
  type ReportCase,
  statusOf,
} from "../report.ts";

/** The acceptance of one finding by its id, or of those of a rule in some lines by a comment. */
export interface Acceptance {
  /** The id; absent in a comment. */
  readonly id?: string;
  /** In a comment: the rule, and the lines of the findings. */
  readonly comment?: { readonly rule: string; readonly line: number; readonly lastLine: number };
  readonly reason: string;
  /** The last day in UTC on which it is valid, such as `2026-12-31`. */
  readonly until?: string;
  /** Where it is written. */
  readonly at: Location;
}

/** How a run accepts findings. */
export interface AcceptOptions {
  /** Today in UTC, such as `2026-12-31`. */
  readonly today: string;
  /** Whether everything was looked at, so that an acceptance without a finding is a finding. */
  readonly isComplete: boolean;
  /** Level from which a finding about an acceptance fails. */
  readonly failOn: Level;
}

/** Rules about acceptances. */
export const acceptanceRules = {
  "unused-acceptance": {
    level: "warning",
    description: "A finding is accepted that does not exist.",
    why: "The finding was corrected, or its id changed with the name of its rule or case.",
    help: "Remove the acceptance.",
    tags: ["acceptance"],
    docs: "project.md#accepted-findings",
  },
  "expired-acceptance": {
    level: "warning",
    description: "The acceptance of a finding has expired.",
    help: "Correct the finding, or state a later date.",
    tags: ["acceptance"],
    docs: "project.md#accepted-findings",
  },
  "rejected-acceptance": {
    level: "error",
    description: "An acceptance names something undecided.",
    why: "Nothing is known about it, so that there is nothing to accept.",
    help: "Resolve what is undecided, and remove the acceptance.",
    tags: ["acceptance"],
    docs: "project.md#accepted-findings",
  },
} as const satisfies Rules;

/** Whether a finding can be accepted: it says what is wrong, not that an answer is missing. */
export function isAcceptable(report: Pick<Report, "rules">, finding: CaseDiagnostic): boolean {
  const {
    rule,
    case: { status },
  } = finding;
  if (Object.hasOwn(outcomeRules, rule) || Object.hasOwn(acceptanceRules, rule)) return false;
  return status !== "undecided" && !leavesOpen(report, finding);
}

/** Moves accepted findings out of the diagnostics of their cases, and adds the findings about acceptances. */
export function acceptFindings(
  report: Report,
  acceptances: readonly Acceptance[],
  options: AcceptOptions,
): Report {
  const find = finder(acceptances);
  const states = new Map<Acceptance, keyof typeof acceptanceRules | "used">();
  const kept = new Map<ReportCase, CaseDiagnostic[]>();
  const accepted = new Map<ReportCase, AcceptedDiagnostic[]>();
  for (const finding of diagnosticsOf(report)) {
    const acceptance = find(finding);
    const state = acceptance && stateOf(report, acceptance, finding, options.today);
    if (acceptance && state) states.set(acceptance, state);
    if (acceptance && state === "used") addTo(accepted, finding.case, describe(finding, acceptance));
    else addTo(kept, finding.case, finding);
  }
  const problems = acceptances.flatMap((acceptance) => {
    const state = states.get(acceptance) ?? (options.isComplete ? "unused-acceptance" : "used");
    return state === "used" ? [] : [problemCase(acceptance, state, report, options.failOn)];
  });
  const cases = report.cases.map((reportCase) =>
    withAccepted(report, reportCase, kept.get(reportCase) ?? [], accepted.get(reportCase) ?? []),
  );
  return { ...report, cases: [...cases, ...problems] };
}

/** Finds the acceptance of a finding by its id, else by the nearest comment about its line or that of its case. */
function finder(acceptances: readonly Acceptance[]): (finding: CaseDiagnostic) => Acceptance | undefined {
  const byId = new Map(
    acceptances.flatMap((acceptance) =>
      acceptance.id === undefined ? [] : [[acceptance.id, acceptance] as const],
    ),
  );
  const byLine = commentsByLine(acceptances);
  const nearest = ({ file, start: { line } }: Location, rule: string) => byLine.get(keyOf(file, rule, line));
  return ({ id, rule, at, case: { location } }) =>
    byId.get(id) ?? nearest(at, rule) ?? nearest(location, rule);
}

function keyOf(file: string, rule: string, ...lines: readonly number[]): string {
  return `${lines.join("-")} ${rule} ${file}`;
}

/** The comment about the fewest lines, for each line. Each range of lines is entered once. */
function commentsByLine(acceptances: readonly Acceptance[]): ReadonlyMap<string, Acceptance> {
  const comments = acceptances.flatMap((acceptance) =>
    acceptance.comment ? [{ acceptance, ...acceptance.comment }] : [],
  );
  const found = new Map<string, Acceptance>();
  const ranges = new Set<string>();
  for (const { acceptance, rule, line, lastLine } of comments.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const range = keyOf(acceptance.at.file, rule, line, lastLine);
    if (ranges.has(range)) continue;
    ranges.add(range);
    for (let at = line; at <= lastLine; at++) {
      const key = keyOf(acceptance.at.file, rule, at);
      if (!found.has(key)) found.set(key, acceptance);
    }
  }
  return found;
}

function lengthOf({ line, lastLine }: { readonly line: number; readonly lastLine: number }): number {
  return lastLine - line;
}

function stateOf(
  report: Report,
  { until }: Acceptance,
  finding: CaseDiagnostic,
  today: string,
): "used" | "expired-acceptance" | "rejected-acceptance" {
  if (!isAcceptable(report, finding)) return "rejected-acceptance";
  return until !== undefined && until < today ? "expired-acceptance" : "used";
}

function describe(
  { case: _, ...finding }: CaseDiagnostic,
  { reason, until, comment }: Acceptance,
): AcceptedDiagnostic {
  return { ...finding, reason, isInSource: comment !== undefined, ...(until !== undefined && { until }) };
}

function withAccepted(
  report: Report,
  reportCase: ReportCase,
  kept: readonly CaseDiagnostic[],
  accepted: readonly AcceptedDiagnostic[],
): ReportCase {
  if (accepted.length === 0) return reportCase;
  const diagnostics = kept.map(({ case: _, ...finding }) => finding);
  const rest = statusOf(diagnostics, reportCase.failOn ?? "error");
  const isOpen = rest === "passed" && kept.some((finding) => leavesOpen(report, finding));
  const status = reportCase.status === "failed" ? (isOpen ? "undecided" : rest) : reportCase.status;
  return { ...reportCase, status, diagnostics, accepted: [...(reportCase.accepted ?? []), ...accepted] };
}

function problemCase(
  { id, comment, reason, until, at }: Acceptance,
  rule: keyof typeof acceptanceRules,
  { rules }: Report,
  failOn: Level,
): ReportCase {
  const what = comment ? `of the rule \`${comment.rule}\` on line ${comment.line}` : `\`${id}\``;
  const near =
    comment && !Object.hasOwn(rules, comment.rule) ? didYouMean(comment.rule, Object.keys(rules)) : "";
  const message = {
    "unused-acceptance": `The finding ${what} is accepted ("${reason}"), but does not exist${near || "."}`,
    "expired-acceptance": `The finding ${what} was accepted until ${until} ("${reason}").`,
    "rejected-acceptance": `The finding ${what} is undecided, and cannot be accepted ("${reason}").`,
  }[rule];
  const { level } = acceptanceRules[rule];
  const found = { rule, level, message, at };
  const name = comment ? `comment ${comment.rule}` : `acceptance ${id}`;
  const base = { kind: "file", group: "accepted findings", name, location: at, failOn } as const;
  return { ...base, status: statusOf([found], failOn), diagnostics: [found] };
}
