/** Evaluates simulated requests against a zone's current state; the zone is compiled once for each revision. */

import { createRevisionCache, type Revised } from "../../core/revision-cache.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { compileZone, type Zone } from "../../engine/tokens/zone/zone.ts";
import type { ReadTransaction } from "../../store/port.ts";
import { requireScope, type ServiceContext } from "../context.ts";
import { readRevision } from "./revision.ts";
import { rulesInOrder } from "./rules.ts";

/** Evaluates requests against stored zones. */
export interface EvaluationService {
  /**
   * Evaluates a request. Nothing is stored, and the request is not sent.
   *
   * @throws {ApiError} when a world has no such zone
   * @throws {InvalidInputError} when the request has no method or no absolute http or https URL
   */
  evaluate(zone: string, request: SimulatedRequest | Request): Promise<Verdict>;
  /**
   * The compiled zone, for many requests against one state.
   *
   * @throws {ApiError} when a world has no such zone
   */
  compile(zone: string): Promise<Zone>;
}

/** Creates the service; it caches the zones that were used most recently. */
export function evaluationService(context: ServiceContext): EvaluationService {
  const cache = createRevisionCache<Zone>(context.limits.compiledZones);

  async function compile(zone: string): Promise<Zone> {
    const { revision } = await context.store.read(async (tx) => {
      await requireScope(tx, "tokens", "zones", zone);
      return readRevision(tx, zone);
    });
    return cache.get(zone, revision, () => compileStored(context, zone));
  }

  return { compile, evaluate: async (zone, request) => (await compile(zone)).evaluate(request) };
}

async function compileStored(
  { store, settings, limits, clock }: ServiceContext,
  zone: string,
): Promise<Revised<Zone>> {
  const { revision, input } = await store.read((tx) => readZone(tx, zone));
  const options = {
    clock,
    precedence: settings.precedence,
    verifier: settings.verifier,
    clockToleranceSeconds: settings.clockToleranceSeconds,
    maxTokenBytes: limits.tokenBytes,
    cacheEntries: limits.cachedTokens,
  };
  return { revision, value: await compileZone(input, options) };
}

async function readZone(tx: ReadTransaction, zone: string) {
  const { revision, has_operations } = await readRevision(tx, zone);
  const order = [{ field: "sequence", direction: "asc" }] as const;
  const configs = await tx.find("token_configs", zone, { order });
  const rules = await rulesInOrder(tx, zone);
  const operations = has_operations ? await tx.find("operations", zone, { order }) : undefined;
  return { revision, input: { configs, rules, ...(operations && { operations }) } };
}
