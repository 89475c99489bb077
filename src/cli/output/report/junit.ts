/** Prints a report as JUnit XML: one suite for each group, one test case for each case. */

import { type Placed, worstFirst } from "../../../core/diagnostic.ts";
import { groupBy } from "../../../core/groups.ts";
import { printPointer } from "../places.ts";
import { replaceCommandMarks } from "../workflow-commands.ts";
import { cleanLine, cleanName, cleanText } from "./clean-text.ts";
import { countCases, headline, helpOf, type Report, type ReportCase } from "./report.ts";
import type { ReportPath } from "./repository-path.ts";

/** There is no standard; the elements and attributes are those that GitLab, Jenkins and GitHub's tools read. */
export function printJunit(report: Report, pathOf: ReportPath): string {
  const groups = groupBy(report.cases, ({ group }) => cleanName(group));
  const namer = createNamer();
  const suites = [...groups].flatMap(([group, cases]) => printSuite({ report, group, cases, pathOf, namer }));
  const head = `<testsuites${attributes({ name: `edgeproof ${report.command}`, ...totals(report.cases) })}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, "</testsuites>", ""].join("\n");
}

interface Suite {
  readonly report: Report;
  readonly group: string;
  readonly cases: readonly ReportCase[];
  readonly pathOf: ReportPath;
  readonly namer: Namer;
}

function printSuite(suite: Suite): readonly string[] {
  const head = `  <testsuite${attributes({ name: suite.group, ...totals(suite.cases) })}>`;
  return [head, ...suite.cases.flatMap((reportCase) => printCase(suite, reportCase)), "  </testsuite>"];
}

function totals(cases: readonly ReportCase[]) {
  return {
    tests: cases.length,
    failures: countCases(cases, "failed"),
    errors: countCases(cases, "undecided"),
    skipped: countCases(cases, "skipped"),
    time: formatSeconds(cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0)),
  };
}

function printCase({ report, group, pathOf, namer }: Suite, reportCase: ReportCase): readonly string[] {
  const { file, start } = reportCase.location;
  const classname = `edgeproof.${report.command}.${group}`;
  const name = namer(classname, cleanName(reportCase.name));
  const place = file === "-" ? {} : { file: cleanName(pathOf(file)), line: start.line };
  const head = `    <testcase${attributes({ classname, name, time: formatSeconds(reportCase.seconds ?? 0), ...place })}`;
  const outcome = printOutcome(report, reportCase, pathOf);
  return outcome === undefined ? [`${head}/>`] : [`${head}>`, `      ${outcome}`, "    </testcase>"];
}

function printOutcome(report: Report, reportCase: ReportCase, pathOf: ReportPath): string | undefined {
  const { status, message, diagnostics } = reportCase;
  if (status === "skipped") return `<skipped${attributes({ message: cleanLine(message ?? "") })}/>`;
  const texts = [
    ...worstFirst(diagnostics).map((finding) => describeFinding(report, finding, pathOf)),
    ...(reportCase.accepted ?? []).map(({ rule, reason, ...found }) => {
      return `accepted ${rule}: ${headline({ rule, ...found })} Reason: ${reason}`;
    }),
  ];
  const body = cleanText([...texts, ...(message ? [message] : [])].join("\n\n"));
  if (status === "passed") return body ? `<system-out>${escapeXml(body)}</system-out>` : undefined;
  const tag = status === "failed" ? "failure" : "error";
  const [worst] = worstFirst(diagnostics);
  const head = { message: cleanLine(headOf(reportCase)), type: worst?.rule ?? status };
  return `<${tag}${attributes(head)}>${escapeXml(body)}</${tag}>`;
}

/** The message of the worst finding, and the number of the others. */
function headOf({ diagnostics, message, status }: ReportCase): string {
  const [worst, ...others] = worstFirst(diagnostics);
  const first = (worst && headline(worst)) ?? message ?? status;
  return others.length > 0 ? `${first} (and ${others.length} more)` : first;
}

function describeFinding(report: Report, finding: Placed, pathOf: ReportPath): string {
  const { file, start, pointer } = finding.at;
  const within = pointer ? ` ${printPointer(finding.at)}` : "";
  const place = `${pathOf(file)}:${start.line}:${start.column}${within}`;
  const help = helpOf(report, finding);
  const lines = [`${finding.level} ${finding.rule}: ${headline(finding)}`, place, finding.details];
  return [...lines, help && `fix: ${help}`].filter(Boolean).join("\n");
}

function formatSeconds(seconds: number): string {
  return seconds.toFixed(3);
}

/** Returns a name that no other case of the class has: GitLab merges cases with the same class and name. */
type Namer = (classname: string, name: string) => string;

function createNamer(): Namer {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return (classname, name) => {
    const key = (candidate: string) => JSON.stringify([classname, candidate]);
    let count = next.get(key(name)) ?? 1;
    let unique = name;
    while (used.has(key(unique))) unique = `${name} (${++count})`;
    next.set(key(name), count);
    used.add(key(unique));
    return unique;
  };
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/**
 * `>` too, so that `]]>` is text, and the marks of workflow commands, since the log of a workflow may have the document.
 * Cleaned texts have no character that XML 1.0 forbids.
 */
function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (mark) => entities[mark] ?? "");
  return replaceCommandMarks(escaped, { colon: "&#58;", hash: "&#35;" });
}
