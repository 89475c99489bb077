/** A report with hostile strings in every place. */
import type {
  Report,
  ReportCase,
  ReportFinding,
  ReportLevel,
} from "../../../src/cli/output/report/report.ts";

export const hostileStrings: readonly string[] = [
  "a\n::error::b",
  "\r::set-output name=x::y",
  "::add-mask::x",
  "##[add-mask]x",
  "]]>",
  '"><script>alert(1)</script>&amp;',
  "\u0000\u0007\u001b[31m\u007f\u0085\u202e",
  "\ud800 lone \udc00",
  "\ufffe\uffff",
  "`code` ``` | a | b |\\| <b>",
  "[a](javascript:x) ![i](http://x/y) www.example.com https://example.com @user #1 $x$ :tada:",
  "a,b:c%0A%25",
  "é".repeat(100_000),
  "😀".repeat(50_000),
  "",
];

function finding(text: string, level: ReportLevel = "error"): ReportFinding {
  return { rule: "r1", level, message: text, details: `${text}\n${text}` };
}

export function caseNamed(name: string, more: Partial<ReportCase> = {}): ReportCase {
  const location = { file: "a.json", start: { line: 1, column: 2 }, end: { line: 1, column: 5 } };
  return { group: "g", name, status: "passed", findings: [], location, ...more };
}

export function failedCase(name: string, level: ReportLevel = "error"): ReportCase {
  return caseNamed(name, { status: "failed", findings: [finding(name, level)] });
}

export function reportOf(cases: readonly ReportCase[]): Report {
  const rules = [{ id: "r1", description: "A rule.", help: "Fix it.", tags: ["t"] }];
  return { command: "check", rules, cases };
}

/** Every string as a group, name, message, file and pointer. */
export function hostileReport(strings: readonly string[] = hostileStrings): Report {
  const cases = strings.flatMap((text) => {
    const location = { file: `${text}.json`, pointer: text, start: { line: 3, column: 1 } };
    return [
      { ...failedCase(text), group: text, location },
      caseNamed(text, { status: "error", findings: [finding(text)], group: text, location }),
      caseNamed(text, { status: "skipped", message: text, group: text, location }),
      caseNamed(text, { message: text, group: text, location }),
    ];
  });
  return reportOf(cases);
}
