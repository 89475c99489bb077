/** Changes of custom rules in a ruleset of a zone or of its account, as drafts and stored (`chosen`). */

import type { CustomRule } from "../../../engine/tokens/rulesets/model.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import type { CustomRuleRecord, RulesetRecord } from "../../../store/records/rulesets.ts";
import { notFound, type ServiceContext } from "../../context.ts";
import { formatTimestamp } from "../../time.ts";
import type { StoredZoneInput } from "../evaluation.ts";
import { nextVersion, rulesetOwners } from "./stored-rulesets.ts";

/** Changed members of a custom rule, or those of a new one after the others of its ruleset. */
export interface CustomRuleDraft extends Partial<Pick<CustomRule, "action" | "description" | "enabled">> {
  /** Id of the ruleset. */
  readonly rulesetId: string;
  /** Id of the rule in its ruleset; absent for a new one. */
  readonly ruleId?: string;
  /** The parameters of the action; null removes them. */
  readonly action_parameters?: CustomRule["action_parameters"] | null;
  /** The expression, in place of the stored one. */
  readonly expression: string;
}

/** A zone with a draft in place. */
export interface ZoneWithDraft {
  readonly input: StoredZoneInput;
  /** Id of the rule. */
  readonly ruleId: string;
  /** Id of the ruleset of a custom rule. */
  readonly rulesetId?: string;
}

/**
 * The zone with the draft in place; nothing is stored.
 *
 * @param newId id of a new rule
 * @throws {ApiError} when the zone and its account have no such ruleset, or it has no such rule
 */
export function withCustomDraft(
  input: StoredZoneInput,
  draft: CustomRuleDraft,
  newId: string,
  now: string,
): ZoneWithDraft {
  const { member, ruleset } = findRuleset(input, draft.rulesetId);
  const changed = withRule(ruleset, draft, newId, now);
  const rulesets = (input[member] ?? []).map((other) => (other === ruleset ? changed : other));
  return {
    input: { ...input, [member]: rulesets },
    ruleId: draft.ruleId ?? newId,
    rulesetId: ruleset.id,
  };
}

/** Stores the change in a transaction that has read the zone. */
export async function storeCustomDraft(
  { clock }: ServiceContext,
  tx: WriteTransaction,
  { input }: ZoneWithDraft,
  rulesetId: string,
): Promise<void> {
  const { member, ruleset } = findRuleset(input, rulesetId);
  const { collection, bump } = rulesetOwners[member === "rulesets" ? "zones" : "accounts"];
  const version = nextVersion(ruleset.version);
  await tx.replace(collection, { ...ruleset, version, last_updated: formatTimestamp(clock()) });
  await bump(tx, ruleset.scope);
}

const members = ["rulesets", "account_rulesets"] as const;

/** The ruleset of a zone or of its account: stored rulesets are records, whatever else the engine needs of them. @throws {ApiError} when there is none */
export function findRuleset(input: StoredZoneInput, id: string) {
  for (const member of members) {
    const ruleset = (input[member] as readonly RulesetRecord[] | undefined)?.find(
      (record) => record.id === id,
    );
    if (ruleset !== undefined) return { member, ruleset };
  }
  throw notFound("tokens", "ruleset", id);
}

function withRule(
  ruleset: RulesetRecord,
  { rulesetId: _, ruleId, ...given }: CustomRuleDraft,
  newId: string,
  now: string,
): RulesetRecord {
  const common = { expression: given.expression, last_updated: now };
  if (ruleId === undefined) {
    const added = applied({ ...newRule, ...common, id: newId, ref: newId }, given);
    return { ...ruleset, rules: [...ruleset.rules, added] };
  }
  const rule = ruleset.rules.find(({ id }) => id === ruleId);
  if (rule === undefined) throw notFound("tokens", "rule", ruleId);
  const { undecided: _reason, ...known } = rule;
  const changed = applied({ ...known, ...common, version: nextVersion(rule.version) }, given);
  return { ...ruleset, rules: ruleset.rules.map((other) => (other === rule ? changed : other)) };
}

/** The rule with the members that are given; only `skip` has `logging`. */
function applied(
  { action_parameters: before, logging, ...rule }: CustomRuleRecord,
  {
    action = rule.action,
    action_parameters: parameters = before,
    ...given
  }: Omit<CustomRuleDraft, "rulesetId" | "ruleId">,
): CustomRuleRecord {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...rule,
    ...changes,
    action,
    ...(parameters != null && { action_parameters: parameters }),
    ...(logging && action === "skip" && { logging }),
  };
}

const newRule = { version: "1", action: "block", description: "", enabled: true } as const;
