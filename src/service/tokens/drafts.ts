/** Checks a changed or new rule without storing it: its problems, its findings, and what it changes. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { compareZones, type ZoneComparison } from "../../engine/tokens/analysis/compare-zones.ts";
import type { AnalysisCheck } from "../../engine/tokens/analysis/findings/checks.ts";
import type { SimulatedRequest, TokenRule } from "../../engine/tokens/model.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { compileZone } from "../../engine/tokens/zone/zone.ts";
import { readZone } from "../../engine/tokens/zone/zone-input.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import { worldScope } from "../../store/records/world.ts";
import { notFound, rejectAny, requireScope, type ServiceContext } from "../context.ts";
import { formatTimestamp } from "../time.ts";
import { readStoredZone, type StoredZoneInput, zoneOptions } from "./evaluation.ts";
import {
  type CustomRuleDraft,
  storeCustomDraft,
  withCustomDraft,
  type ZoneWithDraft,
} from "./rulesets/custom-drafts.ts";

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

/** A stored zone. */
export interface DraftZone {
  /** Domain of the zone; absent when no list of zones has it. */
  readonly name?: string;
  /** Configurations, rules in order of evaluation, operations. */
  readonly input: StoredZoneInput;
}

/** Checks drafts of rules. */
export interface DraftService {
  /** The stored zone as it is compiled. @throws {ApiError} when the zone does not exist */
  read(zone: string): Promise<DraftZone>;
  /** Time of the next evaluation, in milliseconds since 1970. */
  now(): number;
  /**
   * Checks a draft of a token rule, or with `rulesetId` of a custom rule. Nothing is stored.
   *
   * @throws {ApiError} when the zone, the ruleset or the rule does not exist
   * @throws {InvalidInputError} when the request has no method or no absolute http or https URL
   */
  check(zone: string, draft: RuleDraft | CustomRuleDraft, request?: SimulatedRequest): Promise<DraftCheck>;
  /**
   * Stores a draft of a custom rule in the ruleset of the zone or of its account.
   *
   * @throws {ApiError} when the zone, the ruleset or the rule does not exist, and when the zone cannot be compiled with it
   */
  saveCustom(zone: string, draft: CustomRuleDraft): Promise<void>;
}

/** Steps of one question; a person waits for the result. */
const maxSteps = 250_000;

/** The id of a new rule that is not stored. */
export const draftRuleId = "new rule";

/** Creates the service. */
export function draftService(context: ServiceContext): DraftService {
  return {
    read: (zone) => readDraftZone(context, zone),
    now: () => context.clock(),
    check: async (zone, draft, request) => {
      const { input: saved } = await readDraftZone(context, zone);
      const now = formatTimestamp(context.clock());
      const changed =
        "rulesetId" in draft
          ? withCustomDraft(saved, draft, draftRuleId, now)
          : withDraft(saved, draft, zone, now);
      return checkDraft(context, saved, changed, request);
    },
    saveCustom: (zone, draft) =>
      context.store.write(
        async (tx) => {
          await requireScope(tx, "tokens", "zones", zone);
          const { input } = await readStoredZone(tx, zone);
          const now = formatTimestamp(context.clock());
          const changed = withCustomDraft(input, draft, context.ids.hex(32), now);
          const read = readZone(changed.input, zoneOptions(context));
          rejectAny(read.ok ? [] : read.problems);
          await storeCustomDraft(context, tx, changed, draft.rulesetId);
        },
        { queue: zone },
      ),
  };
}

function withDraft(
  saved: StoredZoneInput,
  { ruleId, ...given }: RuleDraft,
  scope: string,
  now: string,
): ZoneWithDraft {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (ruleId === undefined) {
    const position = saved.rules.length + 1;
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
  const rules = saved.rules.map((one) => (one === rule ? { ...one, ...changes } : one));
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

function readDraftZone({ store }: ServiceContext, zone: string): Promise<DraftZone> {
  return store.read(async (tx) => {
    await requireScope(tx, "tokens", "zones", zone);
    const name = (await tx.get("zones", worldScope, zone))?.name;
    const { input } = await readStoredZone(tx, zone);
    return { ...(name !== undefined && { name }), input };
  });
}

async function checkDraft(
  context: ServiceContext,
  saved: StoredZoneInput,
  { input: draft, ruleId, rulesetId }: ZoneWithDraft,
  request: SimulatedRequest | undefined,
): Promise<DraftCheck> {
  const options = zoneOptions(context);
  const read = readZone(draft, options);
  if (!read.ok) return { input: draft, problems: read.problems, findings: [] };
  const { precedence } = context.settings;
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
