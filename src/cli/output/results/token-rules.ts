/** The token rules of a zone in the report of `check`: a case for each configuration and rule. */

import type { Diagnostic, Level } from "../../../core/diagnostic.ts";
import { place } from "../../../core/place.ts";
import { type AnalysisCheck, analysisChecks } from "../../../engine/tokens/analysis/findings/checks.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import type { Undecided } from "../../../import/undecided.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { WorldZone } from "../../input/zone-inputs.ts";
import { groupBy } from "../report/group-by.ts";
import type { CaseKind } from "../report/report.ts";
import { type ReportCase, statusOf } from "../report/report.ts";

/** A zone and what the analysis found in it; pointers are into the zone. */
export interface CheckedZone {
  readonly zone: WorldZone;
  readonly findings: readonly Diagnostic<AnalysisCheck>[];
}

/** A case for each configuration and rule of a zone. @param failOn level from which a diagnostic fails its case */
export function zoneCases(
  { zone, findings }: CheckedZone,
  failOn: Level,
  source: WorldSource,
): readonly ReportCase[] {
  const byPart = groupBy(
    findings,
    ({ pointer = "" }) => /^\/(?:configs|rules)\/\d+/.exec(pointer)?.[0] ?? "",
  );
  return partsOf(zone.input).map(({ kind, name, at }) => {
    const own = (byPart.get(at) ?? []).map((one) => ({
      ...one,
      ...(one.rule === "undecided" && { help: analysisChecks.undecided.help }),
      subject: { zone: zone.id, ...one.subject },
    }));
    const isOpen = own.some(({ rule }) => rule === "undecided");
    const status = statusOf(own, failOn);
    return {
      kind,
      group: zone.id,
      name,
      status: status === "passed" && isOpen ? "undecided" : status,
      failOn,
      location: source.place(zone.at + at),
      diagnostics: place(own, source, zone.at),
    };
  });
}

/** The case of a rule, a key or a host that no file decides. */
export function undecidedCase({ about, effect, ...found }: Undecided, source: WorldSource): ReportCase {
  const location = source.placeOf(found.at);
  const help = "Resolve the value as the command says, or accept it with --partial.";
  return {
    kind: about === "rule" ? "rule" : "resource",
    group: found.subject?.["zone"] ?? "world",
    name: `undecided ${about} ${location.pointer ?? ""}`,
    status: "undecided",
    diagnostics: [{ ...found, help, at: location }],
    location,
  };
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
