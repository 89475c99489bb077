/** The report of a replay as text. Values of the traffic are escaped; secrets are not in the report. */

import { formatCount, formatNumber } from "../../../core/format-count.ts";
import type { Difference } from "../../../import/replay/difference-table.ts";
import type {
  DifferenceCounts,
  EdgeCounts,
  FileCounts,
  ReplayCounts,
} from "../../../import/replay/replay-report.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { listHosts } from "./not-a-zone.ts";
import { printExample, printSide } from "./replay-report.ts";

/** Maximum number of differences that are printed. */
const maxPrinted = 20;

/** Maximum number of names in a summary line. */
const maxNames = 5;

/** Prints a report. */
export function printReplay(report: ReplayCounts): string {
  const lines = [
    ...report.files.flatMap(printFile),
    "",
    ...printTotals(report),
    ...(report.edge ? printEdge(report.edge) : []),
    ...(report.changes ? printChanges(report.changes) : []),
    ...report.unseen.map((change) => `expected, but no request changed so: ${JSON.stringify(change)}`),
  ];
  return escapeLines(`${lines.join("\n")}\n`);
}

function printFile({ file, requests, rejected, skipped, remarks, ...counts }: FileCounts): string[] {
  const { outside, outsideHosts, untimed } = counts;
  const listed = rejected.listed.map(({ position, reason }) => `  ${position}: ${reason}`);
  const more = rejected.count - listed.length;
  return [
    `${file}: ${formatCount(requests, "request")}`,
    ...Object.entries(skipped).map(
      ([reason, count]) => `  ${formatNumber(count)} never reached the edge: ${reason}`,
    ),
    ...Object.entries(remarks).map(([remark, count]) => `  ${formatNumber(count)} ${remark}`),
    ...(outside > 0
      ? [`  ${formatNumber(outside)} to hosts of no zone (not_a_zone): ${listHosts(outsideHosts)}`]
      : []),
    ...(untimed > 0 ? [`  ${formatNumber(untimed)} without a time: evaluated at the time of --now`] : []),
    ...(rejected.count > 0 ? [`  ${formatNumber(rejected.count)} could not be read, by position:`] : []),
    ...listed.map((line) => `  ${line}`),
    ...(more > 0 ? [`    and ${formatNumber(more)} more`] : []),
  ];
}

function printTotals({
  tokens,
  verdicts,
  evaluated,
  notEvaluated,
  assumed,
  couldChange,
}: ReplayCounts): string[] {
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, count]) => `${formatNumber(count)} ${name}`)
      .join(", ");
  return [
    `tokens: ${counts(tokens)}`,
    `verdicts: ${counts(usualVerdicts(verdicts))}`,
    ...(assumed > 0 ? [`${formatNumber(assumed)} of them with an assumed token`] : []),
    ...(couldChange > 0
      ? [`${formatNumber(couldChange)} of them could change: a rule, key or host is undecided`]
      : []),
    ...(notEvaluated > 0
      ? [
          `not evaluated: ${formatNumber(notEvaluated)} of ${formatNumber(evaluated + notEvaluated)}, because the recording does not show what the verdict depends on`,
        ]
      : []),
  ];
}

function printEdge(edge: EdgeCounts): string[] {
  const { compared, same, otherRule, otherOperation, endedByOther } = edge;
  return [
    "",
    `same answer as the edge on ${formatNumber(same)} of ${formatCount(compared, "request")}`,
    ...(otherRule > 0 ? [`  ${formatNumber(otherRule)} of them by another rule`] : []),
    ...(otherOperation > 0
      ? [`  ${formatCount(otherOperation, "request")} with another operation than at the edge`]
      : []),
    ...(endedByOther > 0
      ? [`  ${formatCount(endedByOther, "request")} not compared: another product of the edge ended them`]
      : []),
    ...printDifferences(edge, "edge", "here"),
  ];
}

function printChanges(changes: DifferenceCounts): string[] {
  const { total, unexpected } = changes;
  const expected = total - unexpected;
  const note = expected > 0 ? `, ${formatNumber(expected)} as expected` : "";
  return [
    "",
    total === 0 ? "no verdict changed" : `${formatCount(total, "verdict")} changed${note}`,
    ...printDifferences(changes, "old", "new"),
  ];
}

function printDifferences(report: DifferenceCounts, from: string, to: string): string[] {
  if (report.total === 0) return [];
  const { differences, total } = report;
  const printed = differences.slice(0, maxPrinted);
  const left = total - printed.reduce((sum, { count }) => sum + count, 0);
  return [
    ...printSums("rule", report.byRule),
    ...printSums("operation", report.byOperation),
    ...printSums("host", report.byHost),
    ...printed.flatMap((difference) => printDifference(difference, from, to)),
    ...(left > 0
      ? ["", `  and ${formatCount(left, "request")} more; --json lists up to 1,000 differences`]
      : []),
  ];
}

function printSums(name: string, sums: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(sums);
  const printed = entries.slice(0, maxNames).map(([value, count]) => `${value} ${formatNumber(count)}`);
  const more = entries.length > maxNames ? `, and ${entries.length - maxNames} more` : "";
  return [`  by ${name}: ${printed.join(", ")}${more}`];
}

function printDifference(difference: Difference, from: string, to: string): string[] {
  const { count, host, operation, expected, couldChange, examples } = difference;
  const where = operation === undefined ? host : `${host}, operation ${operation}`;
  return [
    "",
    `  ${formatCount(count, "request")} to ${where}${expected ? " (expected)" : ""}${couldChange ? " (could change)" : ""}`,
    `    ${from}: ${printSide(difference.from)}`,
    `    ${to}: ${printSide(difference.to)}`,
    ...examples.map((example) => `    ${printExample(example)}`),
  ];
}

/** Without the actions that only custom rules lead to, when there are none. */
function usualVerdicts({
  challenge,
  undecided,
  ...verdicts
}: ReplayCounts["verdicts"]): Record<string, number> {
  return { ...verdicts, ...(challenge > 0 && { challenge }), ...(undecided > 0 && { undecided }) };
}
