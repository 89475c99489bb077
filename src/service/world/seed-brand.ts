/** Stores an account's brand protection from a world file, with the same validation as the endpoints. */
import { problem } from "../../core/result.ts";
import { normalizeHost } from "../../engine/brand/names/host.ts";
import { ApiError, type Problem, pointer } from "../../errors.ts";
import type { AccountBrandWorld } from "../../schemas/brand.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { bumpRevision } from "../brand/account-state.ts";
import { compileDomainQueries } from "../brand/domains/compiled-domain-queries.ts";
import { createDomainQuery, type QueryFields, readDomainQuery } from "../brand/domains/domain-queries.ts";
import { storeNames } from "../brand/domains/domain-store.ts";
import { readFeedRecord } from "../brand/domains/feed-record.ts";
import { validateBatch } from "../brand/domains/validate-batch.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import type { WorldPart } from "./part.ts";

interface BrandSeed {
  readonly input: AccountBrandWorld;
  readonly queries: readonly QueryFields[];
}

/** Brand protection of the world's accounts. */
export const brandPart: WorldPart = ({ accounts = [] }, context) => {
  const seeds = new Map<string, BrandSeed>();
  const problems: Problem[] = [];
  for (const [i, { id, brand: input }] of accounts.entries()) {
    if (!input) continue;
    const at = pointer("accounts", i, "brand");
    const queries = (input.queries ?? []).flatMap((query, j) =>
      collectProblems(problems, () => readDomainQuery(context, query, [], `${at}/queries/${j}`)),
    );
    problems.push(...problemsOfNames(input.observed ?? [], `${at}/observed`));
    seeds.set(id, { input, queries });
  }
  const seedAccount = async (tx: WriteTransaction, account: string) => {
    const seed = seeds.get(account);
    if (seed) await seedBrand(context, tx, account, seed);
  };
  return { problems, seedAccount };
};

/** Returns the value in an array; adds the problems of an ApiError to `problems`. */
function collectProblems<T>(problems: Problem[], read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(...error.problems);
    return [];
  }
}

/** Every name of a world must be valid, because a world is a document and not a feed. */
function problemsOfNames(observed: readonly unknown[], at: string): Problem[] {
  return observed.flatMap((item, i) => {
    const record = readFeedRecord(item);
    const result = record.ok ? normalizeHost(record.value.domain) : record;
    if (result.ok) return [];
    return [problem(genericCodes.brand.invalid, result.problems[0].message, `${at}/${i}`)];
  });
}

async function seedBrand(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { input, queries }: BrandSeed,
): Promise<void> {
  const { mode, transpositions, confusables, separators, observed = [] } = input;
  const given = { mode, transpositions, confusables, separators };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  await bumpRevision(tx, account, "domains", { options });
  const stored = [];
  for (const fields of queries) stored.push(await createDomainQuery(context, tx, account, fields));
  const compiled = compileDomainQueries(0, stored, { ...context.settings.brand, ...options });
  const { names } = await validateBatch(observed, 1, compiled, context.clock());
  await storeNames(tx, account, names, compiled, true);
}
