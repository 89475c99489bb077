/** Prints a report for people. */
import { isAcceptable } from "./acceptance/accept.ts";
import {
  type CaseDiagnostic,
  diagnosticsOf,
  helpOf,
  type Report,
  type ReportCase,
  summaryOf,
} from "./report.ts";

export function printText(report: Report): string {
  const found = diagnosticsOf(report).flatMap((finding) => {
    const id = report.command === "check" && isAcceptable(finding) ? ` [${finding.id}]` : "";
    return describe(finding, helpOf(report, finding), id);
  });
  const unchecked = report.cases.flatMap(({ location: { file, pointer = "" }, unchecked = [] }) =>
    unchecked.map(({ rule, code, needs }) => {
      const place = [file, pointer].filter(Boolean).join(": ");
      return `${place}: not evaluated: ${code} ${rule}, which needs ${needs.join(" and ")}`;
    }),
  );
  const lines = [...found, ...unchecked, ...report.cases.flatMap(describeSkipped), summaryOf(report)];
  return `${lines.filter(Boolean).join("\n")}\n`;
}

/** Parts that were not looked at: undecided and skipped cases with their reasons, and reasons that could change an evaluated case. */
export function printNotEvaluated(report: Report): string {
  const found = diagnosticsOf(report)
    .filter(({ rule, case: { status } }) => rule === "undecided" || /undecided|skipped/.test(status))
    .flatMap((finding) => describe(finding, helpOf(report, finding)));
  return [...found, ...report.cases.flatMap(describeSkipped)].map((line) => `${line}\n`).join("");
}

function describeSkipped({ status, group, name, message, diagnostics }: ReportCase): readonly string[] {
  if (status !== "skipped" || diagnostics.length > 0) return [];
  return [`${group}: left out: ${name}${message === undefined ? "" : `: ${message}`}`];
}

/** @param id what the first line ends with */
function describe(finding: CaseDiagnostic, help: string, id = ""): readonly string[] {
  const { rule, level, code, message, details, run, fix, at } = finding;
  const { file, start, pointer } = at;
  const name = [level, code, rule].filter((part) => part !== undefined).join(" ");
  return [
    `${file}:${start.line}:${start.column}: ${name} at ${pointer || "/"}${id}`,
    `  ${message}`,
    ...(details?.split("\n").map((line) => `    ${line}`) ?? []),
    run === undefined ? `  fix: ${help}${fix ? " (applied by --fix)" : ""}` : `  run: ${run}`,
  ];
}
