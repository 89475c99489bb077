/** Simulated requests against a zone as it stands now: the zone is compiled once for each of its revisions. */

import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { compileZone, type Zone } from "../../engine/tokens/zone/zone.ts";
import type { ReadTransaction } from "../../store/port.ts";
import { requireScope, type ServiceContext } from "../context.ts";
import { readRevision } from "./revision.ts";
import { rulesInOrder } from "./rules.ts";

export interface EvaluationService {
  /**
   * What the zone does with a request. Nothing is changed, and the request goes nowhere.
   *
   * @throws {ApiError} when a world has no such zone
   * @throws {TypeError} when the request has no absolute URL
   */
  evaluate(zone: string, request: SimulatedRequest | Request): Promise<Verdict>;
  /** The zone, compiled: for many requests against one state. */
  compile(zone: string): Promise<Zone>;
}

interface Compiled {
  readonly revision: number;
  readonly zone: Promise<Zone>;
}

export function evaluationService(context: ServiceContext): EvaluationService {
  const cache = new Map<string, Compiled>();

  async function compile(zone: string): Promise<Zone> {
    const { revision } = await context.store.read(async (tx) => {
      await requireScope(tx, "tokens", "zones", zone);
      return readRevision(tx, zone);
    });
    const kept = cache.get(zone);
    if (kept?.revision === revision) return kept.zone;
    const fresh = await compileNow(context, zone);
    remember(zone, fresh);
    return fresh.zone;
  }

  function remember(zone: string, compiled: Compiled): void {
    cache.delete(zone);
    cache.set(zone, compiled);
    if (cache.size > context.limits.compiledZones) cache.delete(cache.keys().next().value!);
  }

  return { compile, evaluate: async (zone, request) => (await compile(zone)).evaluate(request) };
}

async function compileNow(
  { store, settings, limits, clock }: ServiceContext,
  zone: string,
): Promise<Compiled> {
  const { revision, input } = await store.read((tx) => readZone(tx, zone));
  const options = {
    clock,
    precedence: settings.precedence,
    verifier: settings.verifier,
    clockToleranceSeconds: settings.clockToleranceSeconds,
    maxTokenBytes: limits.tokenBytes,
    cacheEntries: limits.cachedTokens,
  };
  return { revision, zone: compileZone(input, options) };
}

async function readZone(tx: ReadTransaction, zone: string) {
  const { revision, has_operations } = await readRevision(tx, zone);
  const order = [{ field: "sequence", direction: "asc" }] as const;
  const configs = await tx.find("token_configs", zone, { order });
  const rules = await rulesInOrder(tx, zone);
  const operations = has_operations ? await tx.find("operations", zone, { order }) : undefined;
  return { revision, input: { configs, rules, ...(operations && { operations }) } };
}
