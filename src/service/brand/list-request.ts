/** Page and order of lists of matches; the limits are `chosen` (docs/interface/brand.md). */
import { anIntegerId } from "../../schemas/parameters.ts";
import { rejectAny } from "../context.ts";
import { invalidParameter } from "../query.ts";

export type Direction = "asc" | "desc";

/** Page and direction of a list. */
export interface ListRequest {
  /** 1 to 1,000; a larger one counts as 1,000. Default 50. */
  readonly limit?: number | undefined;
  /** From 0, the default. */
  readonly offset?: number | undefined;
  /** Default: that of `orderBy`. */
  readonly order?: Direction | undefined;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** The values of `orderBy`, each with its field and its default direction. */
export type OrderRules<Name extends string, Field extends string> = Readonly<
  Record<Name, { readonly field: Field; readonly direction: Direction }>
>;

/** The field and the direction of a list. */
export function orderOf<Name extends string, Field extends string>(
  { order, orderBy }: { readonly order: Direction | undefined; readonly orderBy: Name },
  rules: OrderRules<Name, Field>,
): { readonly field: Field; readonly direction: Direction } {
  const { field, direction } = rules[orderBy];
  return { field, direction: order ?? direction };
}

/** An id as given. @throws {ApiError} unless it is an integer of at least 0 */
export function readId(name: string, id: string): string {
  const isValid = anIntegerId.accept(id) !== undefined;
  rejectAny(isValid ? [] : [invalidParameter(name, { ...anIntegerId, shape: "single" }, id, "brand")]);
  return id;
}
