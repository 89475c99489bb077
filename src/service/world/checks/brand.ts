/** Checks the domain queries and observed names of a world's accounts. */
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import { type CodedDiagnostic, pointer, problem } from "../../../errors.ts";
import type { AccountBrandWorld } from "../../../schemas/brand.ts";
import { readFeedRecord } from "../../brand/domains/feed-record.ts";
import { type QueryFields, readDomainQuery } from "../../brand/domains/read-domain-query.ts";
import { genericCodes } from "../../context.ts";
import { collectProblems, type WorldCheck } from "../part.ts";

/** The brand protection of an account, ready to be stored. */
export interface BrandSeed {
  readonly input: AccountBrandWorld;
  readonly queries: readonly QueryFields[];
}

/** Brand protection, by account; logos and scans are checked when their pictures are decoded. */
export const checkBrand: WorldCheck<ReadonlyMap<string, BrandSeed>> = ({ accounts = [] }, context) => {
  const problems: CodedDiagnostic[] = [];
  const value = new Map<string, BrandSeed>();
  for (const [i, { id, brand: input }] of accounts.entries()) {
    if (!input) continue;
    const at = pointer("accounts", i, "brand");
    const queries = (input.queries ?? []).flatMap((query, j) =>
      collectProblems(problems, () => readDomainQuery(context, query, [], `${at}/queries/${j}`)),
    );
    problems.push(...problemsOfNames(input.observed ?? [], `${at}/observed`));
    value.set(id, { input, queries });
  }
  return { problems, value };
};

/** Every name of a world must be valid, because a world is a document and not a feed. */
function problemsOfNames(observed: readonly unknown[], at: string): CodedDiagnostic[] {
  return observed.flatMap((item, i) => {
    const record = readFeedRecord(item);
    const result = record.ok ? normalizeHost(record.value.domain) : record;
    if (result.ok) return [];
    return [problem(genericCodes.brand.invalid, result.problems[0].message, `${at}/${i}`)];
  });
}
