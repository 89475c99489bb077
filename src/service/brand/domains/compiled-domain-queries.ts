/** The compiled domain queries of an account. */
import { runSteps, runStepsAsync } from "../../../core/work/steps.ts";
import { compileStoredQueries, type Matcher } from "../../../engine/brand/matching/matcher.ts";
import type { DomainMatch } from "../../../engine/brand/model.ts";
import type { DomainQueryRecord, FoundPattern } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { parseTimestamp } from "../../time.ts";
import { readState } from "../account-state.ts";
import { createCompiler } from "../compiled-queries.ts";
import { type AccountSettings, type BrandSettings, readSettings } from "../settings/account-settings.ts";

/** The compiled queries of an account. */
export interface CompiledQueries {
  /** The revision of the queries that was compiled; it increases with every change. */
  readonly revision: number;
  /** The settings that were compiled. */
  readonly settings: AccountSettings;
  /** Finds the patterns of all queries in a name. It does not apply `min_time` and `max_time`. */
  readonly matcher: Matcher;
  /** The queries by id. */
  readonly queries: ReadonlyMap<number, CompiledQuery>;
}

/** One query with its compiled bounds. */
export interface CompiledQuery {
  /** The stored query. */
  readonly query: DomainQueryRecord;
  /** Whether `first_seen`, in milliseconds since 1970, is between `min_time` and `max_time`, both inclusive. */
  accepts(firstSeenMs: number): boolean;
}

/**
 * Returns the current compiled queries of an account.
 *
 * @throws {ApiError} when a world does not have the account, or this process must not use it (`AccountSettingsError`)
 */
export type QueryCompiler = (account: string) => Promise<CompiledQueries>;

/** @throws {TypeError} for wrong options */
export function createQueryCompiler(context: ServiceContext): QueryCompiler {
  const { store, settings } = context;
  runSteps(compileStoredQueries([], settings.brand));
  return createCompiler(context, "domains", async (account) => {
    const { revision, queries, accountSettings } = await store.read(async (tx) => ({
      queries: await tx.find("brand_domain_queries", account, {
        order: [{ field: "query_id", direction: "asc" }],
      }),
      revision: (await readState(tx, account, "domains")).revision,
      accountSettings: await readSettings(tx, context, account),
    }));
    return compileDomainQueries(revision, queries, accountSettings);
  });
}

/** Id of a query that is compiled before it is stored. */
export const draftId = 0;

/** Compiles queries, whether they are stored or not, with turns of the event loop between. */
export async function compileDomainQueries(
  revision: number,
  queries: readonly DomainQueryRecord[],
  settings: AccountSettings,
): Promise<CompiledQueries> {
  return {
    revision,
    settings,
    matcher: await runStepsAsync(compileStoredQueries(queries, settings.names)),
    queries: new Map(queries.map((query) => [query.query_id, { query, accepts: compileBounds(query) }])),
  };
}

/** Compiles a query that is not stored, with the settings of the account as they are now. */
export async function compileDraft(
  context: ServiceContext,
  account: string,
  { query_tag, scan, parameters }: Pick<DomainQueryRecord, "query_tag" | "scan" | "parameters">,
): Promise<CompiledQueries> {
  const settings = await context.store.read((tx) => readSettings(tx, context, account));
  const unsaved = { scope: account, id: "", query_id: draftId, created: "", updated: "" };
  return compileDomainQueries(0, [{ ...unsaved, query_tag, scan, parameters }], settings);
}

/** Whether queries were compiled with these settings. */
export function isCompiledWith({ names }: BrandSettings, { settings }: CompiledQueries): boolean {
  return JSON.stringify(names) === JSON.stringify(settings.names);
}

function compileBounds({ parameters }: DomainQueryRecord): (firstSeenMs: number) => boolean {
  const min = parseTimestamp(parameters.min_time ?? "") ?? Number.NEGATIVE_INFINITY;
  const max = parseTimestamp(parameters.max_time ?? "") ?? Number.POSITIVE_INFINITY;
  return (firstSeenMs) => firstSeenMs >= min && firstSeenMs <= max;
}

/** The pattern by which each query found a name, by the id of the query. */
export type FoundPatterns = ReadonlyMap<number, FoundPattern>;

/** Of each query that found a name: its pattern with the best score; of equal scores the first one. */
export function bestPatterns(matches: readonly DomainMatch[]): FoundPatterns {
  const best = new Map<number, FoundPattern>();
  for (const { query_id, pattern, distance, technique, score, span, mode, channel } of matches) {
    if (score <= (best.get(query_id)?.score ?? -1)) continue;
    best.set(query_id, { pattern, distance, technique, score, span, mode, channel });
  }
  return best;
}
