/** Page-based lists: `page` and `per_page` in, a page and its `result_info` out. */
import type { CollectionName, Collections } from "../store/collections.ts";
import type { Condition, Order, ReadTransaction } from "../store/port.ts";

/** The page that a caller asks for; integers of 1 or more. */
export interface PageRequest {
  /** Default 1. */
  readonly page?: number | undefined;
  /**
   * Default: that of the list. A size above the maximum is rejected where the specification states it, else the maximum
   * is used.
   */
  readonly per_page?: number | undefined;
}

export interface ResultInfo {
  readonly page: number;
  readonly per_page: number;
  /** Elements on this page. */
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

/** The `result_info` of a list with cursors; without `cursor` and `after`, which are the same, on the last page. */
export interface CursorInfo {
  readonly cursor?: string;
  readonly cursors: { readonly after?: string };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly info: ResultInfo;
}

export interface Slice {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/** Maximum offset of a page that is not a long read: stores skip so many rows in a few milliseconds. */
export const maxShortOffset = 10_000;

/** The slice of a page whose number and size are checked. */
export function sliceOf({
  page,
  per_page: perPage,
}: {
  readonly page: number;
  readonly per_page: number;
}): Slice {
  // No list reaches an offset above the safe integers.
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

/** The page's `result_info`. */
export function pageInfo({ page, perPage }: Slice, count: number, total: number): ResultInfo {
  return { page, per_page: perPage, count, total_count: total, total_pages: Math.ceil(total / perPage) };
}

/** A page of a list that is completely in memory. */
export function pageOf<T>(all: readonly T[], slice: Slice): Page<T> {
  const items = all.slice(slice.offset, slice.offset + slice.perPage);
  return { items, info: pageInfo(slice, items.length, all.length) };
}

/** A page of the records of a collection; the store reads it from the nearer end of the list. */
export async function findPage<C extends CollectionName>(
  tx: ReadTransaction,
  collection: C,
  scope: string,
  query: { readonly where?: readonly Condition<C>[]; readonly order: readonly Order<C>[] },
  slice: Slice,
): Promise<Page<Collections[C]>> {
  const total = await tx.count(collection, scope, query.where);
  const limit = Math.max(0, Math.min(slice.perPage, total - slice.offset));
  const rest = Math.max(0, total - slice.offset - limit);
  const items =
    slice.offset <= rest
      ? await tx.find(collection, scope, { ...query, offset: slice.offset, limit })
      : (
          await tx.find(collection, scope, { ...query, order: reversed(query.order), offset: rest, limit })
        ).reverse();
  return { items, info: pageInfo(slice, items.length, total) };
}

/** The order of the same list from its end. */
export function reversed<C extends CollectionName>(order: readonly Order<C>[]): readonly Order<C>[] {
  const keys = order.map(({ field, direction }): Order<C> => {
    return { field, direction: direction === "asc" ? "desc" : "asc" };
  });
  return [...keys, { field: "id" as Order<C>["field"], direction: "desc" }];
}
