/** Page-based lists: `page` and `per_page` in, a page and its `result_info` out. */
import type { Area } from "../errors.ts";
import { quote, quoteText } from "../errors.ts";
import { invalid } from "./context.ts";
import { integerText, parseInteger } from "./integer.ts";

/** The page that a request asks for, as strings of the query. */
export interface PageRequest {
  readonly page?: string | undefined;
  readonly per_page?: string | undefined;
}

/** Page sizes of one list. */
export interface PageRule {
  readonly default: number;
  readonly max: number;
  /** A size above the maximum: rejected where the specification states it, else the maximum is used. */
  readonly beyond: "reject" | "clamp";
}

export interface ResultInfo {
  readonly page: number;
  readonly per_page: number;
  /** Elements on this page. */
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

/** The `result_info` of a list with cursors; without `after` on the last page. */
export interface CursorInfo {
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

/** @throws {ApiError} when `page` or `per_page` is not an integer of 1 or more, or `per_page` too large by the rule */
export function readPage(request: PageRequest, rule: PageRule, area: Area): Slice {
  const page = readCount("page", request.page, 1, area);
  const wanted = readCount("per_page", request.per_page, rule.default, area);
  if (wanted > rule.max && rule.beyond === "reject") {
    throw invalid(area, `\`per_page\` must be at most ${rule.max}; found ${quote(request.per_page)}.`);
  }
  const perPage = Math.min(wanted, rule.max);
  // No list reaches an offset above the safe integers.
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

/** Any integer of 1 or more; one above the safe integers is read as the largest of them. */
function readCount(name: string, text: string | undefined, absent: number, area: Area): number {
  if (text === undefined) return absent;
  const value = parseInteger(text) ?? 0;
  if (value >= 1) return Math.min(value, Number.MAX_SAFE_INTEGER);
  throw invalid(area, `\`${name}\` must be ${integerText}, from 1; found ${quoteText(text)}.`);
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
