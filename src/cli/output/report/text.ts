/** Prints a report for people. */

import { formatCount } from "../../../core/format-count.ts";
import { groupBy } from "../../../core/groups.ts";
import { firstOfGroups } from "../bounded.ts";
import { isInFile, printPointer } from "../places.ts";
import { isAcceptable } from "./acceptance/accept.ts";
import { describeMissingFact, missingFactsOf } from "./missing-facts.ts";
import {
  type CaseDiagnostic,
  caseKinds,
  diagnosticsOf,
  helpOf,
  leavesOpen,
  type Report,
  summaryOf,
} from "./report.ts";

/** @param all whether every finding is printed; otherwise the first of each rule, and the number of the others */
export function printText(report: Report, all = false): string {
  const idOf = (finding: CaseDiagnostic) =>
    report.command === "check" && isAcceptable(report, finding) ? ` [${finding.id}]` : "";
  const groups = groupBy(diagnosticsOf(report), (finding) => sameNotes(finding, helpOf(report, finding)));
  const { kept, more } = firstOfRules([...groups.values()], all);
  const found = kept.flatMap(([first, ...others]) =>
    first
      ? describe(
          first,
          helpOf(report, first),
          idOf(first),
          others.map((diagnostic) => placeOf(diagnostic) + idOf(diagnostic)),
        )
      : [],
  );
  const missing = missingFactsOf(report).map(describeMissingFact);
  const lines = [...found, ...more, ...missing, ...describeSkipped(report, all), summaryOf(report)];
  return `${lines.filter(Boolean).join("\n")}\n`;
}

/** The first groups of each level of a rule, and lines with the numbers of the others. */
function firstOfRules(groups: readonly (readonly CaseDiagnostic[])[], all: boolean) {
  return firstOfGroups(groups, ([first]) => `${first?.level} ${first?.rule}`, all);
}

/** Parts that were not looked at: undecided and skipped cases with their reasons, and reasons that could change an evaluated case. */
export function printNotEvaluated(report: Report, all = false): string {
  const open = diagnosticsOf(report)
    .filter(
      (diagnostic) => leavesOpen(report, diagnostic) || /undecided|skipped/.test(diagnostic.case.status),
    )
    .map((diagnostic) => [diagnostic]);
  const { kept, more } = firstOfRules(open, all);
  const found = kept.flat().flatMap((finding) => describe(finding, helpOf(report, finding)));
  return [...found, ...more, ...describeSkipped(report, all)].map((line) => `${line}\n`).join("");
}

/** The skipped cases; of several with the same reason the first and the number of the others, unless all are asked for. */
function describeSkipped({ cases }: Report, all: boolean): readonly string[] {
  const skipped = cases.filter(({ status, diagnostics }) => status === "skipped" && diagnostics.length === 0);
  const groups = groupBy(skipped, ({ group, kind, message, name }) =>
    JSON.stringify(all || message === undefined ? [group, kind, name] : [group, kind, message]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { group, kind, name, message } = first;
    if (others.length === 0)
      return [`${group}: left out: ${name}${message === undefined ? "" : `: ${message}`}`];
    const { noun } = caseKinds[kind];
    const count = formatCount(others.length + 1, noun);
    const reason = message === undefined ? "" : ` (${message})`;
    return [`${group}: left out: ${count}${reason}, such as ${name}; --all prints them`];
  });
}

/** The same string for notes that say the same about several rules; another one for each other finding. */
function sameNotes(
  { level, rule, code, message, details, run, id, case: { kind } }: CaseDiagnostic,
  help: string,
) {
  if (level !== "note" || kind !== "rule" || rule === "undecided") return id;
  return JSON.stringify([rule, code, message, details, run, help]);
}

function placeOf({ at }: CaseDiagnostic): string {
  return `${at.file}:${at.start.line}:${at.start.column} at ${printPointer(at)}`;
}

/**
 * @param id what the first line ends with
 * @param others places of the same finding
 */
function describe(
  finding: CaseDiagnostic,
  help: string,
  id = "",
  others: readonly string[] = [],
): readonly string[] {
  const { rule, level, code, message, details, run, at } = finding;
  const name = [level, code, rule].filter((part) => part !== undefined).join(" ");
  return [
    isInFile(at)
      ? `${at.file}:${at.start.line}:${at.start.column}: ${name} at ${printPointer(at)}${id}`
      : `${name}${id}`,
    `  ${message}`,
    ...(details?.split("\n").map((line) => `    ${line}`) ?? []),
    ...others.map((place) => `  also: ${place}`),
    run === undefined ? `  fix: ${help}${isFixable(finding) ? " (applied by --fix)" : ""}` : `  run: ${run}`,
  ];
}

/** `--fix` changes files of applications in JSON; the edits of other files are for editors. */
function isFixable({ fix, case: { canFix = false } }: CaseDiagnostic): boolean {
  return canFix && fix !== undefined;
}
