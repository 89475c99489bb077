/** A report with hostile strings in every place. */
import type { Report, ReportCase } from "../../../src/cli/output/report/report.ts";
import type { Level, Placed } from "../../../src/core/diagnostic.ts";

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

const anywhere: Placed["at"] = { file: "a.json", start: { line: 1, column: 2 }, end: { line: 1, column: 5 } };

function finding(text: string, level: Level = "error", at: Placed["at"] = anywhere): Placed {
  return { rule: "r1", level, message: text, details: `${text}\n${text}`, at };
}

export function caseNamed(name: string, more: Partial<ReportCase> = {}): ReportCase {
  return {
    kind: "rule",
    group: "g",
    name,
    status: "passed",
    diagnostics: [],
    location: anywhere,
    ...more,
  };
}

/** @param location of the case and of its diagnostic */
export function failedCase(
  name: string,
  level: Level = "error",
  location: Placed["at"] = anywhere,
): ReportCase {
  return caseNamed(name, { status: "failed", diagnostics: [finding(name, level, location)], location });
}

export function reportOf(cases: readonly ReportCase[]): Report {
  const r1 = { level: "error", description: "A rule.", help: "Fix it.", tags: ["t"] } as const;
  return { command: "check", rules: { r1 }, cases, whenEmpty: "There is no rule.", inputs: anywhere };
}

/** Every string as a group, name, message, file and pointer. */
export function hostileReport(strings: readonly string[] = hostileStrings): Report {
  const cases = strings.flatMap((text) => {
    const location = { file: `${text}.json`, pointer: text, start: { line: 3, column: 1 } };
    return [
      { ...failedCase(text, "error", location), group: text },
      { ...failedCase(text, "error", location), status: "undecided" as const, group: text },
      caseNamed(text, { status: "skipped", message: text, group: text, location }),
      caseNamed(text, { message: text, group: text, location }),
    ];
  });
  return reportOf(cases);
}
