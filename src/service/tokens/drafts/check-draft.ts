/** The check of a draft against a zone in memory: without a store, so that a page can run it too. */
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { analyze } from "../../../engine/tokens/analysis/analyze.ts";
import { compareZones, type ZoneComparison } from "../../../engine/tokens/analysis/compare-zones.ts";
import type { AnalysisCheck } from "../../../engine/tokens/analysis/findings/checks.ts";
import type { SimulatedRequest, TokenRule } from "../../../engine/tokens/model.ts";
import type { Verdict } from "../../../engine/tokens/verdict/verdict.ts";
import type { Precedence } from "../../../engine/tokens/zone/evaluate-rules.ts";
import { compileZone, type ZoneOptions } from "../../../engine/tokens/zone/zone.ts";
import { readZone } from "../../../engine/tokens/zone/zone-input.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import type { TokenRuleRecord } from "../../../store/records/tokens.ts";
import { notFound } from "../../context.ts";
import type { StoredZoneInput } from "../evaluation.ts";
import type { ZoneWithDraft } from "../rulesets/custom-drafts.ts";

/** Changed members of a stored rule, or those of a new rule after the others. */
export interface RuleDraft extends Partial<Pick<TokenRule, "title" | "action" | "enabled" | "selector">> {
  /** Id of the rule, in any letter case; absent for a new one. */
  readonly ruleId?: string;
  /** The expression in place of the stored one. */
  readonly expression: string;
}

/** The evaluation of a draft. */
export interface DraftCheck {
  /** The zone with the draft in place. */
  readonly input: StoredZoneInput;
  /** Why the zone cannot be compiled with the draft; then the other members are empty or absent. */
  readonly problems: readonly CodedDiagnostic[];
  /** Findings of the analysis about the rule, with the draft in place. */
  readonly findings: readonly Diagnostic<AnalysisCheck>[];
  /** Whether the stored zone (left) and the zone with the draft (right) act differently on some request. */
  readonly comparison?: ZoneComparison;
  /** The verdict of the zone with the draft, when a request was given. */
  readonly verdict?: Verdict;
}

/** Steps of one question; a person waits for the result. */
export const maxSteps = 250_000;

/** The id of a new rule that is not stored. */
export const draftRuleId = "new rule";

/**
 * The zone with a draft of a token rule in place; nothing is stored.
 *
 * @throws {ApiError} when the zone has no such rule
 */
export function withDraft(
  saved: StoredZoneInput,
  { ruleId, ...given }: RuleDraft,
  scope: string,
  now: string,
): ZoneWithDraft {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (ruleId === undefined) {
    const position = (saved.rules.at(-1)?.position ?? 0) + 1;
    const added = {
      ...newRule,
      scope,
      position,
      created_at: now,
      last_updated: now,
      expression: given.expression,
    };
    const rules: readonly TokenRuleRecord[] = [...saved.rules, { ...added, ...changes }];
    return { input: { ...saved, rules }, ruleId: draftRuleId };
  }
  const rule = saved.rules.find(({ id }) => id === ruleId.toLowerCase());
  if (!rule) throw notFound("tokens", "rule", ruleId);
  const rules = saved.rules.map((record) => (record === rule ? { ...record, ...changes } : record));
  return { input: { ...saved, rules }, ruleId: rule.id };
}

/** A new rule covers no operation before it has a selector. */
const newRule = {
  id: draftRuleId,
  title: "",
  description: "",
  action: "block",
  enabled: true,
  selector: {},
} as const;

/**
 * Checks a draft against the zone without it. Pure.
 *
 * @throws {InvalidInputError} when the request has no method or no absolute http or https URL
 */
export async function checkDraft(
  saved: StoredZoneInput,
  { input: draft, ruleId, rulesetId }: ZoneWithDraft,
  options: ZoneOptions & { readonly precedence: Precedence },
  request: SimulatedRequest | undefined,
): Promise<DraftCheck> {
  const read = readZone(draft, options);
  if (!read.ok) return { input: draft, problems: read.problems, findings: [] };
  const { precedence } = options;
  const findings = analyze(draft, { precedence, maxSteps }).filter(
    ({ subject }) => subject?.["rule"] === ruleId && subject["ruleset"] === rulesetId,
  );
  const zone = request && (await compileZone(draft, options));
  return {
    input: draft,
    problems: [],
    findings,
    comparison: compareZones(saved, draft, { precedence, maxSteps, maxDifferences: 1 }),
    ...(zone && { verdict: await zone.evaluate(request) }),
  };
}
