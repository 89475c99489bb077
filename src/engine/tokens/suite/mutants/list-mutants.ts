/** Changes of the lists of an account, with which custom rules compare values. */

import { quote } from "../../../../errors.ts";
import { printItem } from "../../expression/printer.ts";
import { parseAddressRange } from "../../expression/values/address.ts";
import { type CompiledList, compileList, type ListKind } from "../../expression/values/lists.ts";
import { otherBounds, otherLengths, otherPrefixes } from "./operand-mutants.ts";

/** Another list under the same name. */
export interface ListEdit {
  readonly name: string;
  /** The items that one of both lists has. */
  readonly differing: CompiledList;
  /** Compiles the list. */
  changed(): CompiledList;
}

/** A change before it belongs to a mutant. */
export interface DescribedListChange {
  readonly edit: Omit<ListEdit, "name">;
  /** In one clause. */
  readonly description: string;
}

/** The number of items of a list that are changed, from its start (`chosen`). */
export const maxChangedItems = 100;

/** Changes of a list; `others` are the other lists of its kind. */
export type ListChanges = (
  list: CompiledList,
  others: readonly CompiledList[],
) => readonly DescribedListChange[];

type Item = CompiledList["written"][number];

/** Each item removed, and each item of another list of the same kind added. */
export const listItems: ListChanges = ({ kind, written }, others) => {
  const own = new Set(written);
  const added = new Set(others.flatMap((other) => other.written).filter((item) => !own.has(item)));
  return [
    ...written
      .slice(0, maxChangedItems)
      .flatMap((item, i) =>
        described(kind, written.toSpliced(i, 1), [item], `the item ${quote(item)} is removed`),
      ),
    ...[...added]
      .slice(0, maxChangedItems)
      .flatMap((item) => described(kind, [...written, item], [item], `the item ${quote(item)} is added`)),
  ];
};

/** Each item another one that is close to it. */
export const listValues: ListChanges = ({ kind, written }) =>
  written
    .slice(0, maxChangedItems)
    .flatMap((item, i) =>
      closeItems[kind](item).flatMap((other) =>
        described(
          kind,
          written.with(i, other),
          [item, other],
          `the item ${quote(item)} becomes ${quote(other)}`,
        ),
      ),
    );

/** The items in place of another one; a kind without an entry does not compile. */
const closeItems: { readonly [K in ListKind]: (item: Item) => readonly Item[] } = {
  ip: (item) => {
    const range = parseAddressRange(String(item));
    if (typeof range === "string") return [];
    const read = { type: "IP", ...range } as const;
    return [...otherPrefixes(read), ...otherBounds(read)].map(printItem);
  },
  asn: (item) => [Number(item) - 1, Number(item) + 1],
  hostname: (item) => {
    const name = String(item);
    return [name.startsWith("*.") ? name.slice(2) : `*.${name}`, ...otherLengths(name)];
  },
};

/** The change, unless an item is invalid. */
function described(
  kind: ListKind,
  items: readonly Item[],
  changed: readonly Item[],
  description: string,
): readonly DescribedListChange[] {
  const differing = compileList(kind, changed);
  if (!differing.ok) return [];
  return [{ edit: { differing: differing.value, changed: () => compiled(kind, items) }, description }];
}

function compiled(kind: ListKind, items: readonly Item[]): CompiledList {
  const list = compileList(kind, items);
  if (!list.ok) throw new RangeError(list.problems[0].message);
  return list.value;
}
