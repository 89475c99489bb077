/** Prints a report as workflow commands of GitHub Actions, which become annotations of the changed files. */
import { type Level, levels } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { printResource } from "../places.ts";
import { cleanName, cleanText } from "./clean-text.ts";
import { acceptedOf, type CaseDiagnostic, diagnosticsOf, headline, helpOf, type Report } from "./report.ts";
import type { ReportPath } from "./repository-path.ts";

/** Maximum annotations of each level in a step; GitHub drops the others, whichever are printed last. */
const maxOfLevel = 10;

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** The annotations, worst first, and a line that counts the diagnostics that are not shown. */
export function printGithub(report: Report, pathOf: ReportPath): string {
  const byLevel = levels.map((level) =>
    diagnosticsOf(report).filter((diagnostic) => diagnostic.level === level),
  );
  const shown = byLevel.flatMap((findings) => findings.slice(0, maxOfLevel));
  const lines = shown.map((finding) => annotation(report, finding, pathOf));
  const rest = byLevel.flatMap((findings, i) => countRest(findings.length - maxOfLevel, levels[i]));
  const more = rest.length > 0 ? [`not shown as annotations: ${rest.join(", ")}`] : [];
  const accepted = acceptedOf(report).length;
  const count = accepted > 0 ? [`accepted: ${formatCount(accepted, "finding")}`] : [];
  return [...lines, ...more, ...count].map((line) => `${line}\n`).join("");
}

function countRest(count: number, level: Level = "note"): string[] {
  return count > 0 ? [formatCount(count, level)] : [];
}

function annotation(report: Report, finding: CaseDiagnostic, pathOf: ReportPath): string {
  const properties = { ...placeOf(finding, pathOf), title: titleOf(report, finding) };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const help = helpOf(report, finding);
  const resource = printResource(finding.at);
  const lines = [headline(finding), finding.details, help && `fix: ${help}`, resource && `at ${resource}`];
  const text = cleanText(lines.filter(Boolean).join("\n"));
  return `::${commands[finding.level]} ${list.join(",")}::${escapeData(text)}`;
}

function titleOf({ command }: Report, { rule, case: { name } }: CaseDiagnostic): string {
  return cleanName(`edgeproof ${command}: ${rule}: ${name}`);
}

/** Columns only for a place in one line: GitHub rejects them in a longer one. */
function placeOf({ at }: CaseDiagnostic, pathOf: ReportPath): Readonly<Record<string, string>> {
  const { file, start, end = start } = at;
  if (file === "-") return {};
  const lines = { file: cleanName(pathOf(file)), line: String(start.line), endLine: String(end.line) };
  if (start.line !== end.line) return lines;
  return { ...lines, col: String(start.column), endColumn: String(Math.max(start.column, end.column)) };
}

/** The escapes of the message of a command; a line end would begin another command. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
