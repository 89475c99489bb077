/** Changes of the literals of an expression: operands of comparisons, elements of sets, and arguments of functions. */

import type { Address, Int } from "../../expression/language/types.ts";
import type { Literal, SetItem } from "../../expression/tree.ts";
import { toInt } from "../../expression/typed-literals.ts";
import { networkOf, parseAddressRange, printAddress } from "../../expression/values/address.ts";
import { toBytes, toText } from "../../expression/values/bytes.ts";
import { type Changeable, literalsOf } from "./literals.ts";
import type { KnownStrings, PartChanges } from "./part-changes.ts";
import { type PatternPart, patternChanges } from "./pattern-mutants.ts";

/** The kinds of mutants that change a literal. */
export type OperandMutant = "bound" | "value" | "string" | "set" | "prefix" | "wildcard" | PatternPart;

/** A literal, a pattern or a set in place of another one, by the kind of the mutant. */
type Changes<Operand> = Partial<Record<OperandMutant, readonly Operand[]>>;

type Pattern = Extract<Changeable, { kind: "wildcard" | "regex" }>;

/** The changeable literals by kind. */
interface Operands {
  readonly literal: Literal;
  readonly set: Extract<Changeable, { kind: "set" }>;
  readonly wildcard: Pattern;
  readonly regex: Pattern;
}

/** The changes by the kind of the operand; a kind without an entry does not compile. */
export const operandChanges: {
  readonly [K in Changeable["kind"]]: (operand: Operands[K], known: KnownStrings) => Changes<Operands[K]>;
} = {
  literal: (operand, known) => {
    const { value, type } = operand;
    const withValue = (other: Literal["value"]): Literal => ({ ...operand, value: other });
    if (typeof value !== "string") return { bound: near(value, type).map(withValue) };
    return {
      value: [withValue(otherString(value, known))],
      string: otherLengths(value).map(withValue),
    };
  },
  wildcard: (operand) => ({ wildcard: onText(operand, otherWildcards) }),
  regex: (operand) => {
    const changes = patternChanges(toText(operand.value) ?? operand.value);
    return Object.fromEntries(
      Object.entries(changes).map(([part, list]) => [
        part,
        list.map((text) => ({ ...operand, value: toBytes(text) })),
      ]),
    );
  },
  set: (operand, known) => {
    const { items } = operand;
    const withItems = (list: readonly SetItem[]) => ({ ...operand, items: list });
    const withEach = (change: (item: SetItem) => readonly SetItem[]) =>
      items.flatMap((item, i) => change(item).map((other) => withItems(items.with(i, other))));
    const texts = items.flatMap((item) => (item.type === "String" ? item.value : []));
    const isOfTexts = items[0]?.type === "String";
    const added = isOfTexts ? known.inZone.filter((value) => !texts.includes(value)) : [];
    const textOf = (value: string): SetItem => ({ type: "String", value });
    return {
      set: [
        ...(items.length > 1 ? items.map((_, i) => withItems(items.toSpliced(i, 1))) : []),
        ...added.map((value) => withItems([...items, textOf(value)])),
        ...withEach((item) =>
          item.type === "String" ? [textOf(otherString(item.value, known, texts))] : [],
        ),
      ],
      string: withEach((item) => (item.type === "String" ? otherLengths(item.value).map(textOf) : [])),
      bound: withEach(otherBounds),
      prefix: withEach(otherPrefixes),
    };
  },
};

/** The changes of the literals of a node that belong to a kind of mutants. */
export function otherOperands(kind: OperandMutant): PartChanges {
  return (node, context) =>
    literalsOf(node).flatMap(({ literal, of, replace }) => {
      const change = operandChanges[literal.kind] as (
        operand: Changeable,
        known: KnownStrings,
      ) => Changes<Changeable>;
      const changed =
        change(literal, of === undefined ? nothingKnown : context.known.strings(of))[kind] ?? [];
      return changed.map((other) => ({ changed: replace(other) }));
    });
}

const nothingKnown: KnownStrings = { inZone: [], usual: [] };

/** One less and one more; counts are not negative. */
function near(value: Int | Address, type: Literal["type"]): readonly (Int | Address)[] {
  const others = value === 0 ? [1n] : [BigInt(value) - 1n, BigInt(value) + 1n];
  if (type === "IP")
    return others
      .map((other) => (typeof value === "bigint" ? other : Number(other)))
      .filter((other) => other >= 0 && (typeof other === "bigint" || other < 2 ** 32));
  return others.map(toInt).filter((other) => other !== undefined);
}

/** A range with each end one less and one more; a single value as a whole. */
export function otherBounds(item: SetItem): readonly SetItem[] {
  if (item.type === "String" || ("prefix" in item && item.prefix !== undefined)) return [];
  const others = (value: Int | Address) => near(value, item.type);
  const changed =
    item.first === item.last
      ? others(item.first).map((value) => ({ ...item, first: value, last: value }))
      : [
          ...others(item.first).map((first) => ({ ...item, first })),
          ...others(item.last).map((last) => ({ ...item, last })),
        ];
  return changed.filter(({ first, last }) => first <= last);
}

/** The network with a prefix one bit shorter, and one longer. */
export function otherPrefixes(item: SetItem): readonly Extract<SetItem, { type: "IP" }>[] {
  if (item.type !== "IP" || item.prefix === undefined) return [];
  const { first, prefix } = item;
  return [prefix - 1, prefix + 1].flatMap((length) => {
    if (length < 0) return [];
    const range = parseAddressRange(`${printAddress(networkOf(first, length))}/${length}`);
    return typeof range === "string" ? [] : [{ ...item, ...range }];
  });
}

function onText<T extends { readonly value: string }>(
  operand: T,
  change: (text: string) => readonly string[],
): readonly T[] {
  const text = toText(operand.value);
  const changed = change(text ?? operand.value);
  return changed.map((other) => ({ ...operand, value: text === undefined ? other : toBytes(other) }));
}

/** A letter that makes strings longer. */
const extra = "x";

function otherString(
  value: string,
  { inZone, usual }: KnownStrings,
  used: readonly string[] = [value],
): string {
  return [...usual, ...inZone].find((other) => !used.includes(other)) ?? value + extra;
}

/** The string without its first and its last character, and with one more at both ends. */
export function otherLengths(bytes: string): readonly string[] {
  const text = toText(bytes);
  const characters = [...(text ?? bytes)];
  const shorter =
    characters.length === 0 ? [] : [characters.slice(0, -1).join(""), characters.slice(1).join("")];
  return [
    ...shorter.map((part) => (text === undefined ? part : toBytes(part))),
    bytes + extra,
    extra + bytes,
  ];
}

/**
 * The pattern without each of its characters at the end of a piece and without each star; with a star and with one more
 * letter at the ends; and with a star between each two characters and in place of each, which are parts of every wider
 * pattern.
 */
function otherWildcards(pattern: string): readonly string[] {
  const units: readonly string[] = pattern.match(/\\[*\\]|./gsu) ?? [];
  const without = units.flatMap((unit, i) => {
    const isAtEnd = units[i - 1] === "*" || units[i + 1] === "*" || i === 0 || i === units.length - 1;
    return unit === "*" || isAtEnd ? [units.toSpliced(i, 1)] : [];
  });
  const starred = [...units, ""].flatMap((_, i) =>
    units[i - 1] === "*" || units[i] === "*" ? [] : [units.toSpliced(i, 0, "*")],
  );
  const replaced = units.flatMap((unit, i) =>
    unit === "*" || units[i - 1] === "*" || units[i + 1] === "*" ? [] : [units.with(i, "*")],
  );
  const longer = [...units, ""].flatMap((unit, i) => {
    const isAtEnd = unit === "*" || units[i - 1] === "*" || i === 0 || i === units.length;
    return isAtEnd ? [units.toSpliced(i, 0, extra)] : [];
  });
  return [...without, ...starred, ...replaced, ...longer].map((list) => list.join(""));
}
