/** Query parameters of lists of matches, as strings; the limits are `chosen` (docs/interface/brand.md). */
import { type ApiError, alternatives, quote, quoteText } from "../../errors.ts";
import { matchesPerList } from "../../schemas/brand.ts";
import { invalid } from "../context.ts";
import { integerText, parseInteger } from "../integer.ts";

const area = "brand";

/** Page and order of a list, as query parameters. */
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

/** The values of `orderBy`, each with its field and its default direction. */
export type OrderRules<F extends string> = Readonly<
  Record<string, { readonly field: F; readonly direction: Direction }>
>;

/** A `limit` above 1,000 is read as 1,000. @throws {ApiError} unless `limit` is an integer of at least 1 and `offset` one of at least 0 */
export function readSlice({ limit, offset }: ListRequest): Slice {
  const requested = limit === undefined ? matchesPerList.default : readInteger("limit", limit, 1);
  return {
    limit: Math.min(requested, matchesPerList.max),
    offset: offset === undefined ? 0 : readInteger("offset", offset, 0),
  };
}

/** Maximum length of an integer, which is then a safe one. */
const maxDigits = 15;

function readInteger(name: string, text: string, min: number): number {
  const value = parseInteger(text);
  if (value !== undefined && value >= min && text.length <= maxDigits) return value;
  throw invalid(area, `\`${name}\` must be ${integerText}, from ${min}; found ${quoteText(text)}.`);
}

/** The field and the direction of a list. @throws {ApiError} for an unknown value */
export function readOrder<F extends string>(
  { order, orderBy }: ListRequest,
  rules: OrderRules<F>,
  defaultOrder: string,
): { readonly field: F; readonly direction: Direction } {
  const name = orderBy ?? defaultOrder;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (!rule) throw unknownValue("orderBy", name, Object.keys(rules));
  return {
    field: rule.field,
    direction: order === undefined ? rule.direction : oneOf("order", order, ["asc", "desc"]),
  };
}

/** A boolean parameter: `true` or `false` in any letter case; false by default. @throws {ApiError} for another value */
export function readSwitch(name: string, text: string | undefined): boolean {
  return text !== undefined && oneOf(name, text.toLowerCase(), ["true", "false"]) === "true";
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const known = allowed.find((each) => each === value);
  if (known === undefined) throw unknownValue(name, value, allowed);
  return known;
}

function unknownValue(name: string, value: string, allowed: readonly string[]): ApiError {
  return invalid(area, `\`${name}\` must be ${alternatives(allowed.map(quote))}; found ${quote(value)}.`);
}

/** An id as given. @throws {ApiError} unless it is an integer of at least 0 */
export function readId(name: string, text: string): string {
  readInteger(name, text, 0);
  return text;
}
