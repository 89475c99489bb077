/** The custom rules of zones and accounts in the report of `check`: a case for each rule. */

import type { Level } from "../../../core/diagnostic.ts";
import { groupBy } from "../../../core/groups.ts";
import { describePhase, otherExpressions } from "../../../engine/tokens/rulesets/input/other-rules.ts";
import { type CustomRule, customPhase, type Ruleset } from "../../../engine/tokens/rulesets/model.ts";
import { pointer } from "../../../errors.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { type ReportCase, skippedCase } from "../report/report.ts";
import { type CheckedPart, type FoundCheck, zoneCase } from "./zone-case.ts";

/** The custom rules of a zone or an account, and what was found about them. */
export interface CheckedRulesets {
  /** Id of the zone or the account. */
  readonly owner: string;
  /** RFC 6901 pointer of the zone or the account in the file. */
  readonly at: string;
  /** Undefined without any. */
  readonly rulesets: readonly Ruleset[] | undefined;
  readonly findings: readonly FoundCheck[];
}

/** The cases, in the order of the file. @param failOn level from which a diagnostic fails its case */
export function customCases(
  { owner: group, at: base, rulesets = [], findings }: CheckedRulesets,
  failOn: Level,
  source: WorldSource,
): readonly ReportCase[] {
  const byPart = groupBy(findings, ({ pointer: at = "" }) => partOf(at, base));
  const rules = rulesets.flatMap((ruleset, i): CheckedPart[] =>
    ruleset.phase === customPhase
      ? (ruleset.rules ?? []).map((rule, j) => {
          const at = base + pointer("rulesets", i, "rules", j);
          return { kind: "rule", group, name: nameOf(rule), at, findings: byPart.get(at) ?? [] };
        })
      : [],
  );
  const known = new Set(rules.map(({ at }) => at));
  const others = [...byPart]
    .filter(([at]) => !known.has(at))
    .map(([at, own]): CheckedPart => {
      const name = `custom rules ${at.slice(base.length)}`;
      return { kind: "zone", group, name, at, findings: own };
    });
  return [
    ...[...rules, ...others].map((part) => zoneCase(part, failOn, source)),
    ...rulesets.flatMap(({ id, phase, rules: left = [] }, i) => {
      if (phase === customPhase || left.length === 0) return [];
      const location = source.place(base + pointer("rulesets", i));
      const message = describePhase(phase, otherExpressions(phase, left, ""));
      const name = `ruleset ${id}`;
      return [skippedCase({ kind: "rule", count: left.length, group, name, message, location })];
    }),
  ];
}

/** The rule, the ruleset or the list that a pointer leads into. */
function partOf(at: string, base: string): string {
  const within = at.slice(base.length);
  const part = /^\/(?:rulesets\/\d+(?:\/rules\/\d+)?|lists\/\d+)/.exec(within)?.[0];
  return part === undefined ? at : base + part;
}

function nameOf({ id, description }: CustomRule): string {
  return `custom rule ${description ? `${description} (${id})` : id}`;
}
