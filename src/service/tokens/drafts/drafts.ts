/** Checks a changed or new rule without storing it: its problems, its findings, and what it changes. */
import { anyObject, aString, objectWith, requireArgument } from "../../../core/arguments.ts";
import type { SimulatedRequest } from "../../../engine/tokens/model.ts";
import { readZone } from "../../../engine/tokens/zone/zone-input.ts";
import { worldScope } from "../../../store/records/world.ts";
import { rejectAny, requireScope, type ServiceContext } from "../../context.ts";
import { formatTimestamp } from "../../time.ts";
import { readStoredZone, type StoredZoneInput, zoneOptions } from "../evaluation.ts";
import {
  type CustomRuleDraft,
  findRuleset,
  storeCustomDraft,
  withCustomDraft,
} from "../rulesets/custom-drafts.ts";
import { rulesetWriter } from "../rulesets/ruleset-writer.ts";
import { checkDraft, type DraftCheck, draftRuleId, type RuleDraft, withDraft } from "./check-draft.ts";

/** A stored zone. */
export interface DraftZone {
  /** Domain of the zone; absent when no list of zones has it. */
  readonly name?: string;
  /** Configurations, rules in order of evaluation, operations. */
  readonly input: StoredZoneInput;
}

/** Names a stored custom rule. */
export type PlacedRule = Required<Pick<CustomRuleDraft, "rulesetId" | "ruleId">>;

/** Checks drafts of rules, and changes custom rules wherever their ruleset is stored. */
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
  /**
   * Moves a custom rule in the ruleset of the zone or of its account; `index` is its new position, from 1.
   *
   * @throws {ApiError} when the zone, the ruleset, the rule or the position does not exist
   */
  moveCustom(zone: string, rule: PlacedRule, index: number): Promise<void>;
  /** Deletes a custom rule from the ruleset of the zone or of its account. @throws {ApiError} when it does not exist */
  deleteCustom(zone: string, rule: PlacedRule): Promise<void>;
}

const aPlacedRule = objectWith({ rulesetId: aString, ruleId: aString });
const aCustomDraft = objectWith({ rulesetId: aString });

/** Creates the service. */
export function draftService(context: ServiceContext): DraftService {
  const writer = rulesetWriter(context);
  const placeOf = async (zone: string, rule: PlacedRule) => {
    requireArgument("rule", rule, aPlacedRule);
    const { rulesetId, ruleId } = rule;
    const { input } = await readDraftZone(context, zone);
    const { member, ruleset } = findRuleset(input, rulesetId);
    return [member === "rulesets" ? "zones" : "accounts", ruleset.scope, rulesetId, ruleId] as const;
  };
  return {
    read: (zone) => readDraftZone(context, zone),
    now: () => context.clock(),
    check: async (zone, draft, request) => {
      requireArgument("draft", draft, anyObject);
      const { input: saved } = await readDraftZone(context, zone);
      const now = formatTimestamp(context.clock());
      const changed =
        "rulesetId" in draft
          ? withCustomDraft(saved, draft, draftRuleId, now)
          : withDraft(saved, draft, zone, now);
      return checkDraft(saved, changed, zoneOptions(context), request);
    },
    saveCustom: async (zone, draft) => {
      requireArgument("draft", draft, aCustomDraft);
      await context.store.write(
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
      );
    },
    moveCustom: async (zone, rule, index) => {
      await writer.editRule(...(await placeOf(zone, rule)), { position: { index } });
    },
    deleteCustom: async (zone, rule) => {
      await writer.deleteRule(...(await placeOf(zone, rule)));
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
