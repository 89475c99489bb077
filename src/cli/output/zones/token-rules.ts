/** The token rules of a zone in the report of `check`: a case for each configuration and rule. */

import type { Level } from "../../../core/diagnostic.ts";
import { groupBy } from "../../../core/groups.ts";
import { nameWithTitle } from "../../../engine/tokens/name-with-title.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer, quote } from "../../../errors.ts";
import type { Undecided } from "../../../import/undecided.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { printPointer } from "../places.ts";
import type { CaseKind, ReportCase } from "../report/report.ts";
import { type FoundCheck, zoneCase } from "./zone-case.ts";

/** A zone and what the analysis found in its configurations and token rules. */
export interface CheckedZone {
  readonly zone: WorldZone;
  readonly findings: readonly FoundCheck[];
}

/** A case for each configuration and rule of a zone. @param failOn level from which a diagnostic fails its case */
export function zoneCases(
  { zone, findings }: CheckedZone,
  failOn: Level,
  source: WorldSource,
): readonly ReportCase[] {
  const byPart = groupBy(findings, ({ pointer: at = "" }) => {
    return /^\/(?:configs|rules)\/\d+/.exec(at.slice(zone.at.length))?.[0] ?? "";
  });
  return partsOf(zone.input).map(({ kind, name, at }) => {
    const own = byPart.get(at) ?? [];
    return zoneCase({ kind, group: zone.id, name, at: zone.at + at, findings: own }, failOn, source);
  });
}

/** The case of a rule, a key or a host that no file decides. */
export function undecidedCase({ about, effect, ...found }: Undecided, source: WorldSource): ReportCase {
  const location = source.placeOf(found.at);
  const help = "Resolve the value as the command says, or accept it with --partial.";
  return {
    kind: about === "rule" ? "rule" : "resource",
    group: found.subject?.["zone"] ?? "world",
    name: `undecided ${about} ${location.pointer ? printPointer(location) : ""}`,
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
      name: `configuration ${nameWithTitle(config)}`,
      at: pointer("configs", i),
    })),
    ...rules.map((rule, i) => {
      // A rule that has no id in the file has its number as one, which changes when rules move.
      const isNumbered = rule.title && rule.id === `rule ${i + 1}`;
      return {
        kind: "rule" as const,
        name: `rule ${isNumbered ? quote(rule.title) : nameWithTitle(rule)}`,
        at: pointer("rules", i),
      };
    }),
    { kind: "zone", name: "other parts", at: "" },
  ];
}
