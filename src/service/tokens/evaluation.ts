/** Evaluates simulated requests against a zone's current state; the zone is compiled once for each revision. */

import { createRevisionCache, type Revised } from "../../core/revision-cache.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { evaluationFacts } from "../../engine/tokens/verdict/lazy-verdict.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import type { Precedence } from "../../engine/tokens/zone/evaluate-rules.ts";
import type { EvaluationRequest } from "../../engine/tokens/zone/request.ts";
import type { UrlNormalization } from "../../engine/tokens/zone/url-normalization.ts";
import { compileZone, type Zone, type ZoneOptions } from "../../engine/tokens/zone/zone.ts";
import { InvalidInputError, quote } from "../../errors.ts";
import type { ReadTransaction } from "../../store/port.ts";
import type { OperationRecord, TokenConfigRecord, TokenRuleRecord } from "../../store/records/tokens.ts";
import { worldScope, type ZoneRecord } from "../../store/records/world.ts";
import { type InvalidRules, requireScope, type ServiceContext } from "../context.ts";
import { accountOfZone } from "../world/account-of-zone.ts";
import { listed } from "../world/lists.ts";
import { readAccountRevision, readRevision } from "./revision.ts";
import { rulesInOrder } from "./rules.ts";
import { type RulesetMembers, rulesetsInput } from "./rulesets/rulesets-input.ts";
import { findLists, findRulesets } from "./rulesets/stored-rulesets.ts";
import { readUrlNormalization } from "./url-normalization.ts";

/** Evaluates requests against stored zones. */
export interface EvaluationService {
  /**
   * Evaluates a request. Nothing is stored, and the request is not sent.
   *
   * @throws {ApiError} when a world has no such zone
   * @throws {InvalidInputError} when the request has no method or no absolute http or https URL, and when the token
   *   validation of the zone was left out of the world
   */
  evaluate(zone: string, request: SimulatedRequest | Request): Promise<Verdict>;
  /**
   * The compiled zone, for many requests against one state.
   *
   * @throws {ApiError} when a world has no such zone
   * @throws {InvalidInputError} when its token validation was left out of the world
   */
  compile(zone: string): Promise<Zone>;
}

/** Creates the service; it caches the zones that were used most recently. */
export function evaluationService(context: ServiceContext): EvaluationService {
  const cache = createRevisionCache<Zone>(context.limits.compiledZones);

  async function compile(zone: string): Promise<Zone> {
    rejectInvalid(context, "zones", zone);
    const { revision, account } = await context.store.read(async (tx) => {
      await requireScope(tx, "tokens", "zones", zone);
      return readState(tx, zone);
    });
    rejectInvalid(context, "accounts", account);
    return cache.get(zone, revision, async () => {
      const { revision, value } = await compileStored(context, zone);
      return { revision, value: observed(value, zone, context.onVerdict) };
    });
  }

  return { compile, evaluate: async (zone, request) => (await compile(zone)).evaluate(request) };
}

/** @throws {InvalidInputError} when rules were left out of the world */
function rejectInvalid({ invalidRules }: ServiceContext, owners: keyof InvalidRules, id: string): void {
  const problems = invalidRules?.[owners].get(id);
  if (problems === undefined) return;
  const what = owners === "zones" ? "the token validation of zone" : "the custom rules of account";
  throw new InvalidInputError(`${what} ${quote(id)} is not valid`, problems);
}

/** A zone that reports every verdict. */
function observed(zone: Zone, id: string, onVerdict: ServiceContext["onVerdict"]): Zone {
  if (onVerdict === undefined) return zone;
  const report = (request: EvaluationRequest, verdict: Verdict) => {
    onVerdict({ zone: id, request, verdict, ...evaluationFacts(verdict) });
    return verdict;
  };
  return Object.freeze({
    notes: zone.notes,
    evaluate: async (request: EvaluationRequest) => report(request, await zone.evaluate(request)),
    evaluateSync: (request: EvaluationRequest) => report(request, zone.evaluateSync(request)),
  });
}

async function compileStored(context: ServiceContext, zone: string): Promise<Revised<Zone>> {
  const { revision, input } = await context.store.read((tx) => readStoredZone(tx, zone));
  return { revision, value: await compileZone(input, zoneOptions(context)) };
}

/** The options with which stored zones are compiled. */
export function zoneOptions({
  settings,
  limits,
  clock,
}: ServiceContext): ZoneOptions & { readonly precedence: Precedence } {
  return {
    clock,
    precedence: settings.precedence,
    verifier: settings.verifier,
    urlNormalization: settings.urlNormalization,
    clockToleranceSeconds: settings.clockToleranceSeconds,
    maxTokenBytes: limits.tokenBytes,
    cacheEntries: limits.cachedTokens,
  };
}

/** A stored zone as input of the engine. */
export interface StoredZoneInput extends RulesetMembers {
  readonly configs: readonly TokenConfigRecord[];
  /** In order of evaluation. */
  readonly rules: readonly TokenRuleRecord[];
  /** Absent when each request is its own operation. */
  readonly operations?: readonly OperationRecord[];
  /** Absent: that of the settings. */
  readonly url_normalization?: UrlNormalization;
}

/** The state of a zone: compiled rules of the same state are the same. */
interface ZoneState {
  /** Names the state. */
  readonly revision: string;
  readonly account: string;
  readonly hasOperations: boolean;
  /** Undefined for a zone that no list has. */
  readonly record: ZoneRecord | undefined;
}

async function readState(tx: ReadTransaction, zone: string): Promise<ZoneState> {
  const { revision, has_operations: hasOperations } = await readRevision(tx, zone);
  const record = await tx.get("zones", worldScope, zone);
  const account = record?.account_id ?? (await accountOf(tx, zone));
  const ofAccount = await readAccountRevision(tx, account);
  const facts = JSON.stringify([account, record?.name, record?.plan]);
  return { revision: `${revision} ${ofAccount} ${facts}`, account, hasOperations, record };
}

/** The account of a zone; of one that no list has, the only account, or that of zones without one. */
export async function accountOf(tx: ReadTransaction, zone: string): Promise<string> {
  const found = await tx.get("zones", worldScope, zone);
  if (found !== undefined) return found.account_id;
  return accountOfZone(
    undefined,
    (await listed(tx, "accounts")).map(({ id }) => id),
  );
}

/** The configurations, rules in order and operations of a stored zone, at its revision. */
export async function readStoredZone(
  tx: ReadTransaction,
  zone: string,
): Promise<{ readonly revision: string; readonly input: StoredZoneInput }> {
  const { revision, account, hasOperations, record } = await readState(tx, zone);
  const order = [{ field: "sequence", direction: "asc" }] as const;
  const configs = await tx.find("token_configs", zone, { order });
  const rules = await rulesInOrder(tx, zone);
  const operations = hasOperations ? await tx.find("operations", zone, { order }) : undefined;
  const custom = await readRulesets(tx, zone, account, record);
  const normalization = await readUrlNormalization(tx, zone);
  const members = {
    ...(operations && { operations }),
    ...(normalization && { url_normalization: normalization }),
  };
  return { revision, input: { configs, rules, ...members, ...custom } };
}

async function readRulesets(
  tx: ReadTransaction,
  zone: string,
  account: string,
  record: ZoneRecord | undefined,
): Promise<RulesetMembers> {
  const rulesets = await findRulesets(tx, "zones", zone);
  const ofAccount = await findRulesets(tx, "accounts", account);
  if (rulesets.length + ofAccount.length === 0) return {};
  return rulesetsInput({
    rulesets,
    account_rulesets: ofAccount,
    lists: await findLists(tx, account),
    zone: record,
  });
}
