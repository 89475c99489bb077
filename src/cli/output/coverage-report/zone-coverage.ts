/** The coverage of the zones of a world by the requests of `edgeproof eval`, with places in its files. */

import type { Location } from "../../../core/diagnostic.ts";
import type { RuleKind } from "../../../engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../../engine/tokens/expression/parser.ts";
import { printTree } from "../../../engine/tokens/expression/printer.ts";
import { leavesOf } from "../../../engine/tokens/expression/tree-queries.ts";
import type { CustomRule } from "../../../engine/tokens/rulesets/model.ts";
import {
  type AtomCoverage,
  type ConfigCoverage,
  type CoverageCounts,
  type CustomRuleCoverage,
  expectedReasons,
  type RuleCoverage,
} from "../../../engine/tokens/verdict/coverage.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import type { RulesetMembers } from "../../../service/tokens/rulesets/rulesets-input.ts";

/** The coverage of a zone. */
export interface ZoneCoverage {
  /** Id of the zone. */
  readonly zone: string;
  /** The zone as it is evaluated: its rules have ids. */
  readonly input: ZoneInput;
  readonly report: CoverageCounts;
  /** The place of a part of the zone's token validation, such as `/rules/0`, in its file. */
  readonly place: (pointer: string) => Location;
  /** The place of a custom rule, or of one of its members; undefined when the file does not have the rule. */
  readonly placeOfCustom: (rule: CustomRuleCoverage, member?: string) => Location | undefined;
}

/** A count of what was exercised, and of all that should be. */
export interface Ratio {
  readonly covered: number;
  readonly total: number;
}

/** The kinds of what is counted. */
export const coverageKinds = ["rules", "conditions", "custom", "reasons", "operations"] as const;

/**
 * The counts of a zone or of several: outcomes of rules (fired, passed), conditions (true, false) and custom rules
 * (matched, not matched), reasons, operations.
 */
export type CoverageTotals = Readonly<Record<(typeof coverageKinds)[number], Ratio>>;

/** The totals of a report. Disabled rules, and configurations that no enabled rule checks, do not count. */
export function totalsOf({ rules, custom, configs, operations }: CoverageCounts): CoverageTotals {
  const enabled = rules.filter((rule) => rule.enabled);
  const enabledCustom = custom.filter((rule) => rule.enabled);
  const atoms = [...enabled, ...enabledCustom].flatMap((rule) => rule.atoms);
  return {
    rules: ratioOf(enabled.flatMap(({ fired, passed }) => [fired, passed])),
    conditions: ratioOf(atoms.flatMap((atom) => [atom.true, atom.false])),
    custom: ratioOf(enabledCustom.flatMap(({ matched, not_matched }) => [matched, not_matched])),
    reasons: ratioOf(configs.flatMap(expectedCounts)),
    operations: ratioOf(operations.map(({ verdicts }) => verdicts)),
  };
}

function ratioOf(counts: readonly number[]): Ratio {
  return { covered: counts.filter((count) => count > 0).length, total: counts.length };
}

/** How often each reason was seen that a suite should have; none when the configuration is not checked. */
export function expectedCounts({ isChecked, reasons }: ConfigCoverage): readonly number[] {
  return isChecked ? expectedReasons.map((reason) => reasons[reason]) : [];
}

/** Whole percent, rounded down, so that 100 means everything. Of nothing it is 100. */
export function percentOf({ covered, total }: Ratio): number {
  return total === 0 ? 100 : Math.floor((100 * covered) / total);
}

/** The custom rule of these ids; undefined when the rulesets do not have it. */
export function findCustomRule(
  { rulesets = [], account_rulesets = [] }: RulesetMembers,
  { ruleset, id }: Pick<CustomRuleCoverage, "ruleset" | "id">,
): { readonly rule: CustomRule; readonly at: string } | undefined {
  for (const [member, list] of Object.entries({ account_rulesets, rulesets })) {
    const i = list.findIndex(({ id }) => id === ruleset);
    const rules = list[i]?.rules ?? [];
    const j = rules.findIndex((rule) => rule.id === id);
    if (rules[j] !== undefined) return { rule: rules[j], at: pointer(member, i, "rules", j) };
  }
  return undefined;
}

/** A piece of an expression's text: a condition with its coverage, or the text between conditions. */
export interface ExpressionPiece {
  readonly text: string;
  /** Absent between conditions. */
  readonly atom?: AtomCoverage;
}

/** Splits the expression of a rule at its conditions. */
export function expressionPieces(
  rules: RuleKind,
  expression: string,
  { atoms }: RuleCoverage | CustomRuleCoverage,
): readonly ExpressionPiece[] {
  const parsed = parseExpression(expression, { rules });
  const pieces: ExpressionPiece[] = [];
  let end = 0;
  for (const leaf of parsed.ok ? leavesOf(parsed.value) : []) {
    const { span } = leaf;
    const printed = printTree(leaf);
    const atom = atoms.find(({ text }) => text === printed);
    pieces.push({ text: expression.slice(end, span.start) });
    pieces.push({ text: expression.slice(span.start, span.end), ...(atom && { atom }) });
    end = span.end;
  }
  return [...pieces, { text: expression.slice(end) }].filter(({ text }) => text !== "");
}
