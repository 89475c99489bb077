/** Prints a report as Markdown (GFM), for the summary of a pipeline's step or a comment. */

import { worstFirst } from "../../../core/diagnostic.ts";
import { formatCount, formatNumber } from "../../../core/format-count.ts";
import { printResource } from "../places.ts";
import { cleanLine } from "./clean-text.ts";
import { describeMissingFact, missingFactsOf } from "./missing-facts.ts";
import {
  acceptedOf,
  type CaseDiagnostic,
  type CaseStatus,
  countCases,
  diagnosticsOf,
  headline,
  helpOf,
  type Report,
  type ReportCase,
} from "./report.ts";
import type { ReportPath } from "./repository-path.ts";

/** Maximum size in bytes: GitHub drops the summary of a step when it is larger than 1 MiB. */
export const maxMarkdownBytes = 900_000;

/** The counts, a table of the findings with the worst first, and the cases that were skipped. */
export function printMarkdown(report: Report, pathOf: ReportPath): string {
  const rows = worstFirst(diagnosticsOf(report)).map((finding) => findingRow(report, finding, pathOf));
  const skipped = report.cases.filter(({ status }) => status === "skipped");
  const sections = [
    ...table(["level", "case", "finding", "place"], rows),
    ...table(["skipped", "reason"], skipped.map(skippedRow)),
    ...table(
      ["not evaluated"],
      missingFactsOf(report).map((missing) => [describeMissingFact(missing)]),
    ),
  ];
  return cutToSize([`## edgeproof ${escapeMarkdown(report.command)}`, "", countLine(report), ...sections]);
}

const statuses: readonly CaseStatus[] = ["failed", "undecided", "skipped", "passed"];

function countLine({ cases }: Report): string {
  const counts = statuses.flatMap((status) => {
    const count = countCases(cases, status);
    return count > 0 ? [`${formatNumber(count)} ${status}`] : [];
  });
  const accepted = acceptedOf({ cases }).length;
  const findings = accepted > 0 ? [`${formatCount(accepted, "finding")} accepted`] : [];
  return [formatCount(cases.length, "case"), ...counts, ...findings].join(", ");
}

function findingRow(report: Report, finding: CaseDiagnostic, pathOf: ReportPath): readonly string[] {
  const { level, rule, at } = finding;
  const { group, name } = finding.case;
  const { line, column } = at.start;
  const help = helpOf(report, finding);
  return [
    level,
    `${group}: ${name}`,
    `${rule}: ${headline(finding)}${help && ` fix: ${help}`}`,
    [`${pathOf(at.file)}:${line}:${column}`, printResource(at)].filter(Boolean).join(" "),
  ];
}

function skippedRow({ group, name, message = "" }: ReportCase): readonly string[] {
  return [`${group}: ${name}`, message];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map((cell) => escapeMarkdown(cleanLine(cell))));
  return ["", ...[header, header.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`)];
}

/** Characters that begin markup in GFM: emphasis, code, links, HTML, tables, mentions, math, emoji, addresses. */
const markup = /[\\`*_{}[\]<>#|~&!@$]|:(?=\S)/g;

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

/** Plain text in Markdown. */
export function escapeMarkdown(text: string): string {
  // `www.` alone is a link in GFM.
  return text.replace(markup, (mark) => entities[mark] ?? `\\${mark}`).replace(/www(?=\.)/gi, "$&\\");
}

function cutToSize(lines: readonly string[]): string {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += Buffer.byteLength(line) + 1;
    return size > maxMarkdownBytes;
  });
  if (end < 0) return `${lines.join("\n")}\n`;
  const left = formatCount(lines.length - end, "row");
  return `${[...lines.slice(0, end), "", `${left} left out`].join("\n")}\n`;
}
