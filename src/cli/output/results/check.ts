/** The result of `edgeproof check`: text, JSON, and a report with a case for each configuration and rule. */

import type { JsonSource } from "../../../core/json-source.ts";
import { type AnalysisFinding, analysisChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import type { TokenRule } from "../../../engine/tokens/model.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import { formatJson } from "../../command.ts";
import type { WorldZone, WorldZones } from "../../input/zone-inputs.ts";
import { formatCount } from "../progress.ts";
import { groupBy } from "../report/group-by.ts";
import type { Report, ReportCase, ReportRule } from "../report/report.ts";

/** A zone and what the analysis found in it; pointers are into the zone. */
export interface CheckedZone {
  readonly zone: WorldZone;
  readonly findings: readonly AnalysisFinding[];
}

/** Prints the findings for people. */
export function printText(checked: readonly CheckedZone[], { file, source, zones }: WorldZones): string {
  const lines = checked.flatMap(({ zone, findings }) =>
    findings.flatMap(({ severity, check, pointer, message, fix }) => {
      const { line, column } = source.locate(zone.at + pointer);
      return [
        `${file}:${line}:${column}: ${severity} ${check} at ${zone.at}${pointer}`,
        `  ${message}`,
        `  fix: ${fix}`,
      ];
    }),
  );
  const rules = zones.reduce((count, { input }) => count + input.rules.length, 0);
  const all = checked.flatMap(({ findings }) => findings);
  const counts = (["error", "warning", "note"] as const).map((severity) =>
    formatCount(all.filter((one) => one.severity === severity).length, severity),
  );
  return `${[...lines, `${formatCount(rules, "rule")}: ${counts.join(", ")}`].join("\n")}\n`;
}

/** Prints the JSON of `checkOutput`. */
export function printJson(checked: readonly CheckedZone[], { source }: WorldZones): string {
  const list = checked.flatMap(({ zone, findings }) =>
    findings.map((finding) => {
      const at = zone.at + finding.pointer;
      return { zone: zone.id, ...finding, pointer: at, ...source.locate(at) };
    }),
  );
  return formatJson(list);
}

const rules: readonly ReportRule[] = Object.entries(analysisChecks).map(([id, entry]) => {
  const { description, fix, severity } = entry;
  return { id, description, help: fix, level: severity, tags: ["tokens"] };
});

export function checkReport(checked: readonly CheckedZone[], { file, source }: WorldZones): Report {
  return { command: "check", rules, cases: checked.flatMap((one) => casesOf(one, file, source)) };
}

/** A part of a zone: a configuration, a rule, or everything else. */
interface ZonePart {
  readonly name: string;
  /** Pointer into the zone. */
  readonly at: string;
}

function partsOf({ configs, rules }: ZoneInput): readonly ZonePart[] {
  return [
    ...configs.map((config, i) => ({ name: nameOf("configuration", config), at: pointer("configs", i) })),
    ...rules.map((rule, i) => ({ name: ruleName(rule, i), at: pointer("rules", i) })),
    { name: "other parts", at: "" },
  ];
}

/** A rule that has no id in the file has its number as one, which is no part of the name: it changes when rules move. */
function ruleName(rule: TokenRule, index: number): string {
  return rule.title && rule.id === `rule ${index + 1}` ? `rule ${rule.title}` : nameOf("rule", rule);
}

function nameOf(kind: string, { id, title }: { readonly id: string; readonly title?: string }): string {
  return `${kind} ${title ? `${title} (${id})` : id}`;
}

/** The pointer of the part that a pointer is in. */
function partAt(pointer: string): string {
  return /^\/(?:configs|rules)\/\d+/.exec(pointer)?.[0] ?? "";
}

function casesOf({ zone, findings }: CheckedZone, file: string, source: JsonSource): readonly ReportCase[] {
  const location = (at: string) => ({ file, pointer: zone.at + at, ...source.range(zone.at + at) });
  const byPart = groupBy(findings, ({ pointer }) => partAt(pointer));
  return partsOf(zone.input).map(({ name, at }) => {
    const own = byPart.get(at) ?? [];
    return {
      group: zone.id,
      name,
      status: own.some(({ severity }) => severity !== "note") ? "failed" : "passed",
      location: location(at),
      findings: own.map(({ check, severity, pointer, message }) => {
        return { rule: check, level: severity, message, location: location(pointer) };
      }),
    };
  });
}
