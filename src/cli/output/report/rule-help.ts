/** What to do about a diagnostic. */
import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { Report } from "./report.ts";

/** Empty when the report has no such rule. */
export function helpOf(report: Report, { rule, help }: Diagnostic): string {
  return help ?? report.rules[rule]?.help ?? "";
}
