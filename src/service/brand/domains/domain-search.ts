/** The conditions of a list of matches: dismissal, and a part of the name in either of its forms. */
import { foldText } from "../../../engine/brand/names/fold.ts";
import { normalizePattern } from "../../../engine/brand/query.ts";
import type { Condition, FieldValue, ReadTransaction } from "../../../store/port.ts";

/** The filters of a request for matches. */
export interface MatchFilter {
  readonly includeDismissed: boolean;
  /** A part of the name; letters outside ASCII are compared with its Unicode form, others with its A-labels. */
  readonly search: string | undefined;
}

/** A filter as conditions on matches. */
export interface FilterConditions {
  readonly where: readonly Condition<"brand_domain_matches">[];
  /** The number of distinct names for which the conditions hold, when it is known. */
  readonly total?: number;
}

const onlyAscii = /^[\0-\x7f]*$/;

/** Positions that are read at a time. */
const positionsAtOnce = 5_000;

/** The conditions of a filter on the matches of these queries. */
export async function conditionsOf(
  tx: ReadTransaction,
  account: string,
  queryIds: readonly number[],
  { includeDismissed, search }: MatchFilter,
): Promise<FilterConditions> {
  const shown = includeDismissed ? [] : [{ field: "dismissed", op: "eq", value: false } as const];
  if (!search) return { where: shown };
  const part = onlyAscii.test(search) ? asciiForm(search) : normalizePattern(search);
  if (onlyAscii.test(part)) return { where: [...shown, { field: "domain", op: "contains", value: part }] };
  const names = await namesWith(tx, account, queryIds, shown, part);
  return { where: [...shown, { field: "domain", op: "in", value: names }], total: names.length };
}

/** As names are stored; a part of an A-label is not decoded. */
function asciiForm(search: string): string {
  return search.trim().replace(/\.$/, "").toLowerCase();
}

/** The names whose Unicode form has this part. Names with letters outside ASCII are stored with A-labels. */
async function namesWith(
  tx: ReadTransaction,
  account: string,
  queryIds: readonly number[],
  shown: readonly Condition<"brand_domain_matches">[],
  part: string,
): Promise<readonly string[]> {
  const order = [{ field: "domain", direction: "asc" }] as const;
  const names = new Set<string>();
  const aLabels = { field: "domain", op: "contains", value: "xn--" } as const;
  for (const query_id of queryIds) {
    const where = [{ field: "query_id", op: "eq", value: query_id } as const, ...shown, aLabels];
    for (let after: readonly FieldValue[] | undefined; ; ) {
      const page = { where, order, limit: positionsAtOnce, ...(after && { after }) };
      const positions = await tx.positions("brand_domain_matches", account, page);
      for (const [domain] of positions)
        if (typeof domain === "string" && foldText(domain).includes(part)) names.add(domain);
      after = positions.at(-1);
      if (positions.length < positionsAtOnce) break;
    }
  }
  return [...names];
}
