/** Checks a changed expression of a rule without storing it: its problems, its findings, and what it changes. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { compareZones, type ZoneComparison } from "../../engine/tokens/analysis/compare-zones.ts";
import type { AnalysisCheck } from "../../engine/tokens/analysis/findings/checks.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { compileZone } from "../../engine/tokens/zone/zone.ts";
import { readZone } from "../../engine/tokens/zone/zone-input.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { worldScope } from "../../store/records/world.ts";
import { notFound, requireScope, type ServiceContext } from "../context.ts";
import { readStoredZone, type StoredZoneInput, zoneOptions } from "./evaluation.ts";

/** A changed expression of a stored rule. */
export interface RuleDraft {
  /** Id of the rule, in any letter case. */
  readonly ruleId: string;
  /** The expression in place of the stored one. */
  readonly expression: string;
}

/** The evaluation of a draft. */
export interface DraftCheck {
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
   * Checks a draft. Nothing is stored.
   *
   * @throws {ApiError} when the zone or the rule does not exist
   * @throws {InvalidInputError} when the request has no method or no absolute http or https URL
   */
  check(zone: string, draft: RuleDraft, request?: SimulatedRequest): Promise<DraftCheck>;
}

/** Steps of one question; a person waits for the result. */
const maxSteps = 250_000;

/** Creates the service. */
export function draftService(context: ServiceContext): DraftService {
  return {
    read: (zone) => readDraftZone(context, zone),
    now: () => context.clock(),
    check: async (zone, { ruleId, expression }, request) => {
      const { input: saved } = await readDraftZone(context, zone);
      const rule = saved.rules.find(({ id }) => id === ruleId.toLowerCase());
      if (!rule) throw notFound("tokens", "rule", ruleId);
      const rules = saved.rules.map((one) => (one === rule ? { ...one, expression } : one));
      return checkDraft(context, saved, { ...saved, rules }, rule.id, request);
    },
  };
}

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
  draft: StoredZoneInput,
  ruleId: string,
  request: SimulatedRequest | undefined,
): Promise<DraftCheck> {
  const options = zoneOptions(context);
  const read = readZone(draft, options);
  if (!read.ok) return { problems: read.problems, findings: [] };
  const { precedence } = context.settings;
  const findings = analyze(draft, { precedence, maxSteps }).filter(
    ({ subject }) => subject?.["rule"] === ruleId,
  );
  const zone = request && (await compileZone(draft, options));
  return {
    problems: [],
    findings,
    comparison: compareZones(saved, draft, { precedence, maxSteps, maxDifferences: 1 }),
    ...(zone && { verdict: await zone.evaluate(request) }),
  };
}
