/** The report of `edgeproof check`: a case for each configuration and rule. */

import type { Diagnostic, Level, Rules } from "../../../core/diagnostic.ts";
import { place } from "../../../core/place.ts";
import { type AnalysisCheck, analysisChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import type { Undecided } from "../../../import/undecided.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { WorldZone, WorldZones } from "../../input/zone-inputs.ts";
import type { CaseKind } from "../report/case-kinds.ts";
import { groupBy } from "../report/group-by.ts";
import { type Report, type ReportCase, statusOf } from "../report/report.ts";

/** A zone and what the analysis found in it; pointers are into the zone. */
export interface CheckedZone {
  readonly zone: WorldZone;
  readonly findings: readonly Diagnostic<AnalysisCheck>[];
}

/** The checks of the analysis, and what no file decides. */
const rules = {
  ...analysisChecks,
  undecided: {
    level: "warning",
    description:
      "A rule, a key or a host is not known, or a question about a rule is too large to be answered.",
    help: "Resolve the value, or simplify the expression.",
    tags: ["tokens"],
  },
} as const satisfies Rules;

/** @param failOn level from which a finding fails its case */
export function checkReport(
  checked: readonly CheckedZone[],
  undecided: readonly Undecided[],
  failOn: Level,
  { file, source }: WorldZones,
): Report {
  return {
    command: "check",
    rules,
    cases: [
      ...checked.flatMap((one) => casesOf(one, failOn, source)),
      ...undecided.map((part) => undecidedCase(part, source)),
    ],
    whenEmpty: `${file} has no token rule and no token configuration.`,
  };
}

function undecidedCase({ message, run, subject, about, at }: Undecided, source: WorldSource): ReportCase {
  const location = source.placeOf(at);
  const ids = subject && { subject };
  return {
    kind: about === "rule" ? "rule" : "resource",
    group: subject?.["zone"] ?? "world",
    name: `undecided ${about} ${location.pointer ?? ""}`,
    status: "undecided",
    diagnostics: [{ rule: "undecided", level: rules.undecided.level, message, run, ...ids, at: location }],
    location,
  };
}

function casesOf({ zone, findings }: CheckedZone, failOn: Level, source: WorldSource): readonly ReportCase[] {
  const byPart = groupBy(
    findings,
    ({ pointer = "" }) => /^\/(?:configs|rules)\/\d+/.exec(pointer)?.[0] ?? "",
  );
  return partsOf(zone.input).map(({ kind, name, at }) => {
    const own = (byPart.get(at) ?? []).map((one) => ({ ...one, subject: { zone: zone.id, ...one.subject } }));
    return {
      kind,
      group: zone.id,
      name,
      status: statusOf(own, failOn),
      location: source.place(zone.at + at),
      diagnostics: place(own, source, zone.at),
    };
  });
}

/** A part of a zone that has a case. */
interface PartOfZone {
  readonly kind: CaseKind;
  readonly name: string;
  /** RFC 6901 pointer into the zone. */
  readonly at: string;
}

/** The parts of a zone with their names and pointers: configurations, rules, and everything else. */
function partsOf({ configs, rules }: ZoneInput): readonly PartOfZone[] {
  return [
    ...configs.map((config, i) => ({
      kind: "configuration" as const,
      name: nameOf("configuration", config),
      at: pointer("configs", i),
    })),
    ...rules.map((rule, i) => {
      // A rule that has no id in the file has its number as one, which changes when rules move.
      const isNumbered = rule.title && rule.id === `rule ${i + 1}`;
      return {
        kind: "rule" as const,
        name: isNumbered ? `rule ${rule.title}` : nameOf("rule", rule),
        at: pointer("rules", i),
      };
    }),
    { kind: "zone", name: "other parts", at: "" },
  ];
}

function nameOf(kind: string, { id, title }: { readonly id: string; readonly title?: string }): string {
  return `${kind} ${title ? `${title} (${id})` : id}`;
}
