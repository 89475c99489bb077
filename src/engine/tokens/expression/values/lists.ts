/** Lists of addresses, host names and autonomous systems that expressions name by `$name` (`observed`). */

import { failure, type Result, success } from "../../../../core/result.ts";
import { sentence } from "../../../../core/text/sentence.ts";
import { quote } from "../../../../errors.ts";
import { mustBe } from "../../input-problem.ts";
import { normalizeHost } from "../../zone/target.ts";
import type { ScalarType } from "../language/types.ts";
import { type AddressRange, parseAddressRange } from "./address.ts";
import { toBytes } from "./bytes.ts";
import { compileAddressRanges, type ValueRange } from "./ranges.ts";

/** The kinds of lists, with the type of the values that they are compared with. */
export const listKinds = { ip: "IP", hostname: "String", asn: "Int" } as const satisfies Record<
  string,
  ScalarType
>;

/** The kind of a list. */
export type ListKind = keyof typeof listKinds;

/** A list, ready to be searched. */
export interface CompiledList {
  readonly kind: ListKind;
  /** The items as they are written. */
  readonly written: readonly (string | number)[];
  readonly type: ScalarType;
  /** The items: ranges of addresses or integers, or host names in bytes. */
  readonly items: readonly ValueRange[] | readonly string[];
  /** Whether the list has a value. */
  has(value: never): boolean;
}

/** The problem of an item, by its position from 0. */
export interface InvalidItem {
  readonly index: number;
  /** One sentence. */
  readonly message: string;
}

/** Compiles a list; a failure has a problem for each wrong item. */
export function compileList(kind: ListKind, items: readonly unknown[]): Result<CompiledList, InvalidItem> {
  const compiled = listCompilers[kind](items);
  if (!compiled.ok) return compiled;
  return success({ kind, written: items as readonly (string | number)[], ...compiled.value });
}

/** A list without what it was compiled from. */
type ListItems = Omit<CompiledList, "kind" | "written">;

const listCompilers: {
  readonly [K in ListKind]: (items: readonly unknown[]) => Result<ListItems, InvalidItem>;
} = {
  ip: (items) =>
    compileItems(items, readAddressItem, (ranges) => ({
      type: "IP",
      items: ranges,
      has: compileAddressRanges(ranges),
    })),
  hostname: (items) =>
    compileItems(items, readHostItem, (names) => {
      const items = names.map(toBytes);
      return { type: "String", items, has: compileHosts(items) };
    }),
  asn: (items) =>
    compileItems(items, readAsnItem, (numbers) => {
      const set = new Set(numbers);
      const items = numbers.map((number) => ({ first: number, last: number }));
      return { type: "Int", items, has: (value: number) => set.has(value) };
    }),
};

function compileItems<T extends object | string | number>(
  items: readonly unknown[],
  read: (item: unknown) => T | { readonly problem: string },
  compile: (items: readonly T[]) => ListItems,
): Result<ListItems, InvalidItem> {
  const values: T[] = [];
  const problems: InvalidItem[] = [];
  for (const [index, item] of items.entries()) {
    const value = read(item);
    if (typeof value === "object" && "problem" in value)
      problems.push({ index, message: sentence(value.problem) });
    else values.push(value);
  }
  const [first, ...rest] = problems;
  return first === undefined ? success(compile(values)) : failure(first, ...rest);
}

function readAddressItem(item: unknown): AddressRange | { readonly problem: string } {
  if (typeof item !== "string" || item.includes(".."))
    return { problem: mustBe("an item", "an IP address or a network", item) };
  const range = parseAddressRange(item);
  return typeof range === "string" ? { problem: range } : range;
}

const hostItem = /^(?:\*\.)?[^*\s/]+$/;

function readHostItem(item: unknown): string | { readonly problem: string } {
  if (typeof item === "string" && hostItem.test(item))
    return item.startsWith("*.") ? `*.${normalizeHost(item.slice(2))}` : normalizeHost(item);
  return { problem: mustBe("an item", "a host name, with or without `*.` at its start", item) };
}

const maxAsn = 2 ** 32 - 1;

function readAsnItem(item: unknown): number | { readonly problem: string } {
  if (Number.isInteger(item) && (item as number) >= 0 && (item as number) <= maxAsn) return item as number;
  return { problem: `${quote(item)} must be the number of an autonomous system, 0 to ${maxAsn}` };
}

/** Host names in bytes; `*.` matches any subdomain, and not the host itself. */
function compileHosts(names: readonly string[]): (value: string) => boolean {
  const all = new Set(names);
  return (value) => {
    if (all.has(value)) return true;
    for (let dot = value.indexOf("."); dot !== -1; dot = value.indexOf(".", dot + 1))
      if (all.has(`*${value.slice(dot)}`)) return true;
    return false;
  };
}
