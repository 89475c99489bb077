/** The result of `edgeproof check`: text, JSON, and a report with a case for each configuration and rule. */

import { type AnalysisFinding, analysisChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import type { TokenRule } from "../../../engine/tokens/model.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import { formatJson } from "../../command.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { WorldZone, WorldZones } from "../../input/zone-inputs.ts";
import { formatCount } from "../progress.ts";
import { groupBy } from "../report/group-by.ts";
import type { Report, ReportCase, ReportLocation, ReportRule } from "../report/report.ts";

/** A zone and what the analysis found in it; pointers are into the zone. */
export interface CheckedZone {
  readonly zone: WorldZone;
  readonly findings: readonly AnalysisFinding[];
}

/** What the file does not decide. */
export interface UndecidedFinding {
  readonly part: WorldZones["source"]["undecided"][number];
  readonly severity: "warning" | "note";
}

/** Prints the findings for people. */
export function printText(
  checked: readonly CheckedZone[],
  undecided: readonly UndecidedFinding[],
  { source, zones }: WorldZones,
): string {
  const lines = checked.flatMap(({ zone, findings }) =>
    findings.flatMap(({ severity, check, pointer, message, fix }) => [
      `${printPlace(source.place(zone.at + pointer), `${severity} ${check}`)}`,
      `  ${message}`,
      `  fix: ${fix}`,
    ]),
  );
  const missing = undecided.flatMap(({ part, severity }) => [
    `${printPlace(source.placeOf(part.location), `${severity} ${undecidedRule.id}`)}`,
    `  ${part.message}`,
    `  run: ${part.run}`,
  ]);
  const rules = zones.reduce((count, { input }) => count + input.rules.length, 0);
  const all = [...checked.flatMap(({ findings }) => findings), ...undecided];
  const counts = (["error", "warning", "note"] as const).map((severity) =>
    formatCount(all.filter((one) => one.severity === severity).length, severity),
  );
  return `${[...lines, ...missing, `${formatCount(rules, "rule")}: ${counts.join(", ")}`].join("\n")}\n`;
}

/** Prints the JSON of `checkOutput`. */
export function printJson(
  checked: readonly CheckedZone[],
  undecided: readonly UndecidedFinding[],
  { file, source }: WorldZones,
): string {
  const list = checked.flatMap(({ zone, findings }) =>
    findings.map((finding) => {
      const at = zone.at + finding.pointer;
      return { zone: zone.id, ...finding, pointer: at, ...positionOf(source.place(at), file) };
    }),
  );
  const missing = undecided.map(({ part, severity }) => ({
    ...(part.zone !== undefined && { zone: part.zone }),
    check: undecidedRule.id,
    severity,
    pointer: part.location.pointer,
    message: part.message,
    fix: part.run,
    ...positionOf(source.placeOf(part.location), file),
  }));
  return formatJson([...list, ...missing]);
}

const rules: readonly ReportRule[] = Object.entries(analysisChecks).map(([id, entry]) => {
  const { description, fix, severity } = entry;
  return { id, description, help: fix, level: severity, tags: ["tokens"] };
});

/** The place of a finding: a line and column, and another file than the given one when it is in one. */
function positionOf({ file, start }: ReportLocation, given: string) {
  return { ...(file !== given && { file }), ...start };
}

function printPlace({ file, start: { line, column }, pointer }: ReportLocation, what: string): string {
  return `${file}:${line}:${column}: ${what} at ${pointer || "/"}`;
}

const undecidedRule = {
  id: "undecided",
  description: "A rule, a key or a host is not known, so that no answer about its requests is certain.",
  help: "Resolve the value: see the message, or `edgeproof world --help`.",
  level: "warning",
  tags: ["tokens"],
} as const satisfies ReportRule;

export function checkReport(
  checked: readonly CheckedZone[],
  undecided: readonly UndecidedFinding[],
  { source }: WorldZones,
): Report {
  const cases = [
    ...checked.flatMap((one) => casesOf(one, source)),
    ...undecided.map((one) => undecidedCase(one, source)),
  ];
  return { command: "check", rules: [...rules, undecidedRule], cases };
}

function undecidedCase({ part, severity }: UndecidedFinding, source: WorldSource): ReportCase {
  const location = source.placeOf(part.location);
  const message = `${part.message} Run: ${part.run}.`;
  return {
    group: part.zone ?? "world",
    name: `undecided ${part.subject} ${location.pointer ?? ""}`,
    status: severity === "note" ? "passed" : "error",
    findings: [{ rule: undecidedRule.id, level: severity, message, location }],
    location,
  };
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

function casesOf({ zone, findings }: CheckedZone, source: WorldSource): readonly ReportCase[] {
  const location = (at: string) => source.place(zone.at + at);
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
