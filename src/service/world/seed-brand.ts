/** Puts an account's brand protection from a world file into the store, by the same checks as the endpoints. */
import { normalizeHost } from "../../engine/brand/names/host.ts";
import { ApiError, type Problem, pointer } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { bumpRevision } from "../brand/account-state.ts";
import { compileWatch } from "../brand/domains/compiled-domain-queries.ts";
import { createQuery, type QueryFields, readCreate } from "../brand/domains/domain-queries.ts";
import { storeNames } from "../brand/domains/domain-store.ts";
import { readSeen } from "../brand/domains/feed-record.ts";
import { judgeBatch } from "../brand/domains/validate-batch.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import type { AccountBrandWorld } from "./brand.ts";
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
      collect(problems, () => readCreate(context, query, [], `${at}/queries/${j}`)),
    );
    problems.push(...namesProblems(input.observed ?? [], `${at}/observed`));
    seeds.set(id, { input, queries });
  }
  const seedAccount = async (tx: WriteTransaction, account: string) => {
    const seed = seeds.get(account);
    if (seed) await seedBrand(context, tx, account, seed);
  };
  return { problems, seedAccount };
};

/** The value, or its problems put to the others. */
function collect<T>(problems: Problem[], read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(...error.problems);
    return [];
  }
}

/** In a world every name has to be one: it is a document, not a feed. */
function namesProblems(observed: readonly unknown[], at: string): Problem[] {
  return observed.flatMap((item, i) => {
    const seen = readSeen(item);
    if (typeof seen === "string") return [problem(`${at}/${i}`, seen)];
    const host = normalizeHost(seen.domain);
    return host.ok ? [] : [problem(`${at}/${i}`, host.problems[0].message)];
  });
}

function problem(at: string, message: string): Problem {
  return { code: genericCodes.brand.invalid, pointer: at, message };
}

async function seedBrand(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  { input, queries }: BrandSeed,
): Promise<void> {
  const { mode, transpositions, confusables, separators, observed = [] } = input;
  const all = { mode, transpositions, confusables, separators };
  const options = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  await bumpRevision(tx, account, "domains", { options });
  const stored = [];
  for (const fields of queries) stored.push(await createQuery(context, tx, account, fields));
  const watch = compileWatch(0, stored, { ...context.settings.brand, ...options });
  const { names } = await judgeBatch(observed, 1, watch, context.clock());
  await storeNames(tx, account, names, watch, true);
}
