/**
 * The classes of the values of one part of a request: all values of a class pass the same comparisons with literals and
 * sets. A pattern, a list and the like can tell the values of a class apart unless it has a single one.
 */

import { toInt } from "../../expression/custom/literals.ts";
import type { CustomComparison, CustomValue, SetItem } from "../../expression/custom/tree.ts";
import { isPossibleText, leastInteger } from "./value-domains.ts";

/** A class of values. */
export interface ValueClass {
  /** One of its values. */
  readonly value: unknown;
  /** Whether it is the only one. */
  readonly isSingle: boolean;
}

const orders: readonly string[] = ["lt", "le", "gt", "ge"];

/** Whether all values of a class pass a comparison, or none. */
export function isExact({ operator, right }: CustomComparison): boolean {
  if (operator === "in") return right.kind === "set";
  return right.kind === "literal" && (operator === "eq" || operator === "ne" || orders.includes(operator));
}

/** The classes of the values of a part of a request, by the exact ones of the comparisons with it. */
export function classesOf(left: CustomValue, comparisons: readonly CustomComparison[]): ValueClass[] {
  const exact = comparisons.filter(isExact);
  if (left.type === "String") return textClasses(left, exact);
  return numberFamilies(left).flatMap((family) => numberClasses(family, exact));
}

function itemsOf({ right }: CustomComparison): readonly SetItem[] {
  if (right.kind === "set") return right.items;
  if (right.kind !== "literal") return [];
  const { type, value } = right;
  if (typeof value === "string") return [{ type: "String", value }];
  return [{ type: type === "IP" ? "IP" : "Int", first: value, last: value }];
}

function textClasses(left: CustomValue, exact: readonly CustomComparison[]): ValueClass[] {
  const items = exact.flatMap(itemsOf);
  const texts = new Set(items.flatMap((item) => (item.type === "String" ? [item.value] : [])));
  const singles = [...texts].filter((value) => isPossibleText(left, value));
  const known = singles.map((value) => ({ value, isSingle: true }));
  return [...known, ...otherTexts(texts, exact).map((value) => ({ value, isSingle: false }))];
}

/** A string of each class without literals: those between two literals in the order of bytes, or all of them. */
function otherTexts(texts: ReadonlySet<string>, exact: readonly CustomComparison[]): readonly string[] {
  // The string after another one in the order of bytes.
  const after = (text: string) => `${text}\0`;
  if (exact.some(({ operator }) => orders.includes(operator)))
    return ["", ...[...texts].map(after)].filter((text) => !texts.has(text));
  const longest = [...texts].reduce((best, text) => (text.length > best.length ? text : best), "");
  return [after(longest)];
}

/** The integers, or the addresses of a family: from the min to the greatest. */
interface Family {
  readonly min: bigint;
  readonly greatest: bigint;
  readonly has: (value: number | bigint) => boolean;
  readonly read: (value: bigint) => unknown;
}

const maxInteger = 2n ** 63n - 1n;

const families = {
  ipv4: {
    min: 0n,
    greatest: 2n ** 32n - 1n,
    has: (value: number | bigint) => typeof value === "number",
    read: Number,
  },
  ipv6: {
    min: 0n,
    greatest: 2n ** 128n - 1n,
    has: (value: number | bigint) => typeof value === "bigint",
    read: (value: bigint) => value,
  },
} as const satisfies Record<string, Family>;

function numberFamilies(left: CustomValue): readonly Family[] {
  if (left.type === "IP") return [families.ipv4, families.ipv6];
  return [{ min: leastInteger(left), greatest: maxInteger, has: () => true, read: toInt }];
}

function numberClasses(
  { min, greatest, has, read }: Family,
  exact: readonly CustomComparison[],
): ValueClass[] {
  const starts = new Set([min]);
  for (const item of exact.flatMap(itemsOf)) {
    if (item.type === "String" || !has(item.first)) continue;
    for (const start of [BigInt(item.first), BigInt(item.last) + 1n])
      if (start > min && start <= greatest) starts.add(start);
  }
  const sorted = [...starts].sort((a, b) => (a < b ? -1 : 1));
  return sorted.map((start, i) => {
    const next = sorted[i + 1] ?? greatest + 1n;
    return { value: read(start), isSingle: next === start + 1n };
  });
}
