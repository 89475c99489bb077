/** What lists of matches are asked for. Texts, as they come in a query; limits of `spec/brand.md` (`chosen`). */
import { quote } from "../../errors.ts";
import { invalid } from "../context.ts";

const area = "brand";

/** A page of a list, and its order. */
export interface ListRequest {
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
  readonly order?: string | undefined;
  readonly orderBy?: string | undefined;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export type Direction = "asc" | "desc";

/** What a list can be ordered by: the field behind each word, and the direction when none is asked for. */
export type OrderRule<F extends string> = Readonly<
  Record<string, { readonly field: F; readonly direction: Direction }>
>;

const limits = { default: 50, max: 1_000 };

/** @throws {ApiError} when `limit` is no integer of 1 or more, or `offset` none of 0 or more; above the maximum, that is used */
export function readSlice({ limit, offset }: ListRequest): Slice {
  const wanted = limit === undefined ? limits.default : readInteger("limit", limit, 1);
  return {
    limit: Math.min(wanted, limits.max),
    offset: offset === undefined ? 0 : readInteger("offset", offset, 0),
  };
}

function readInteger(name: string, text: string, least: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= least) return value;
  throw invalid(area, `\`${name}\` is ${quote(text)}; it must be an integer of ${least} or more.`);
}

/** The order asked for. @throws {ApiError} for a word that is none */
export function readOrder<F extends string>(
  { order, orderBy }: ListRequest,
  rule: OrderRule<F>,
  absent: string,
): { readonly field: F; readonly direction: Direction } {
  const { field, direction } = rule[oneOf("orderBy", orderBy ?? absent, Object.keys(rule))]!;
  return { field, direction: order === undefined ? direction : oneOf("order", order, ["asc", "desc"]) };
}

/** A switch that arrives as a text: `true` or `false`, in any letter case. @throws {ApiError} for anything else */
export function readSwitch(name: string, text: string | undefined): boolean {
  return text !== undefined && oneOf(name, text.toLowerCase(), ["true", "false"]) === "true";
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw invalid(area, `\`${name}\` is ${quote(value)}; it must be ${allowed.map(quote).join(" or ")}.`);
}

/** An id as it was spelled: only the spelling that was given out names a record. @throws {ApiError} when it is no integer */
export function readId(name: string, text: string): string {
  readInteger(name, text, 0);
  return text;
}
