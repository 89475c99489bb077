/** Brand protection of a world's accounts: comparison options follow the world, queries and names are seeded once. */
import type { MatchOptions } from "../../../engine/brand/model.ts";
import { matchOptions } from "../../../schemas/brand.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { bumpRevision, readState } from "../../brand/account-state.ts";
import { compileDomainQueries } from "../../brand/domains/compiled-domain-queries.ts";
import { createDomainQuery } from "../../brand/domains/domain-queries.ts";
import { storeNames } from "../../brand/domains/domain-store.ts";
import { canonicalDomain, readFeedRecord } from "../../brand/domains/feed-record.ts";
import { batchSize } from "../../brand/domains/observe-domains.ts";
import type { QueryFields } from "../../brand/domains/read-domain-query.ts";
import { validateBatch } from "../../brand/domains/validate-batch.ts";
import { readSettings } from "../../brand/settings/account-settings.ts";
import type { ServiceContext } from "../../context.ts";
import type { BrandSeed } from "../checks/brand.ts";
import type { ParsedWorld, SeededList, SeedPart } from "../part.ts";
import { describeChanges, nameOf, type Seed, type SeedLog } from "../report.ts";
import { seededFrom } from "./seeded.ts";

/** Brand protection of the world's accounts. */
export function brandPart(
  { accounts = [] }: ParsedWorld,
  context: ServiceContext,
  seeds: ReadonlyMap<string, BrandSeed>,
): SeedPart {
  return {
    follow: async (tx, report) => {
      for (const { id, brand = {} } of accounts) await followOptions(tx, id, optionsOf(brand), report);
    },
    seeded: seededFrom({
      owners: "accounts",
      seeds,
      count: (tx, account) => tx.count("brand_domain_queries", account),
      create: (tx, account, seed) => seedBrand(context, tx, account, seed),
      lists: listsOf,
    }),
  };
}

/** The comparison options of an account. */
const optionsOf = (brand: object): MatchOptions => matchOptions.strip().parse(brand);

/** Makes the comparison options of an account those of the world. */
async function followOptions(
  tx: WriteTransaction,
  account: string,
  options: MatchOptions,
  report: SeedLog,
): Promise<void> {
  const before = await readState(tx, account, "domains");
  const changes = describeChanges(before.options, options);
  if (changes === "") return;
  await bumpRevision(tx, account, "domains", { options });
  if (!report.isNew("accounts", account)) report.note(`changed ${nameOf("accounts", account)}: ${changes}`);
}

async function seedBrand(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { input, queries }: BrandSeed,
): Promise<void> {
  const { observed = [] } = input;
  const stored = [];
  for (const fields of queries) stored.push(await createDomainQuery(context, tx, account, fields));
  const compiled = await compileDomainQueries(0, stored, await readSettings(tx, context, account));
  const nowMs = context.clock();
  for (let from = 0; from < observed.length; from += batchSize) {
    const { names } = await validateBatch(observed.slice(from, from + batchSize), 1, compiled, nowMs);
    await storeNames(tx, account, names, compiled, true);
  }
}

/** The domain queries and observed names of an account. */
function listsOf(account: string, { input, queries }: BrandSeed): readonly SeededList[] {
  const seedOf = ({ query_tag, scan, parameters }: QueryFields): Seed => {
    return { value: { query_tag, scan, parameters } };
  };
  const names = [...new Set((input.observed ?? []).flatMap(observedName))];
  return [
    {
      things: "domain queries",
      world: input.queries && queries.map(seedOf),
      stored: async (tx) => (await tx.find("brand_domain_queries", account)).map(seedOf),
    },
    {
      things: "observed names",
      world: names.map(nameSeed),
      stored: async (tx) => (await storedNames(tx, account, names)).map(nameSeed),
    },
  ];
}

const nameSeed = (id: string): Seed => ({ id, value: null });

function observedName(item: unknown): string[] {
  const record = readFeedRecord(item);
  return record.ok ? [canonicalDomain(record.value.domain)] : [];
}

/** Maximum number of names in a condition. */
const maxNames = 500;

/** The given names that are stored. */
async function storedNames(
  tx: ReadTransaction,
  account: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let i = 0; i < names.length; i += maxNames) {
    const where = [{ field: "id", op: "in", value: names.slice(i, i + maxNames) }] as const;
    found.push(...(await tx.find("brand_domains", account, { where })).map(({ id }) => id));
  }
  return found;
}
