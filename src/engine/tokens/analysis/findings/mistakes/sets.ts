/** Sets with items that have no effect, and sets of all IPv4 addresses. */

import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printItem, printValue } from "../../../expression/printer.ts";
import type { Comparison, Expression, SetItem } from "../../../expression/tree.ts";
import type { ValueRange } from "../../../expression/values/ranges.ts";
import { comparisonsOf, findSpan } from "./compared-texts.ts";
import type { RuleExpression } from "./rule-expression.ts";

type Ranges = Extract<SetItem, { readonly type: "Int" | "IP" }>;

function setOf({ right }: Comparison): readonly SetItem[] {
  return right.kind === "set" ? right.items : [];
}

/** Items that are in a set already, as themselves or in a range or network, and ranges that overlap. */
export function findRedundantItems({ text, tree }: RuleExpression): NotedSpan[] {
  return comparisonsOf(tree).flatMap((test) => {
    const items = setOf(test);
    const { redundant, overlapping } = compareItems(items);
    const notes = overlapping.map(([item, other]) => {
      const message = `${printItem(other)} and ${printItem(item)} overlap.`;
      return { span: findLast(text, test, printItem(item)), message };
    });
    const [first] = redundant;
    if (first === undefined) return notes;
    const [item, other] = first;
    const isSame = printItem(item) === printItem(other);
    const others = redundant.size > 1 ? `, and ${redundant.size - 1} others have no effect as well` : "";
    const message = isSame
      ? `${printItem(item)} is in the set twice${others}.`
      : `${printItem(item)} is in ${printItem(other)}, which is in the set too${others}.`;
    const start = text.indexOf("{", test.left.span.end);
    const kept = items.filter((candidate) => !redundant.has(candidate)).map(printItem);
    const correction = { span: { start, end: test.span.end }, text: `{${kept.join(" ")}}` };
    return [{ span: findLast(text, test, printItem(item)), message, correction }, ...notes];
  });
}

function findLast(text: string, { left, span }: Comparison, item: string) {
  const first = findSpan(text, { start: left.span.end, end: span.end }, item);
  return (first && findSpan(text, { start: first.end, end: span.end }, item)) ?? first ?? span;
}

interface ComparedItems {
  /** The items without effect, each with another one that has all of its values; of equal ones all but the first. */
  readonly redundant: Map<SetItem, SetItem>;
  /** Ranges that have some values of another one. */
  readonly overlapping: [SetItem, SetItem][];
}

function compareItems(items: readonly SetItem[]): ComparedItems {
  const redundant = new Map<SetItem, SetItem>();
  const overlapping: [SetItem, SetItem][] = [];
  const strings = new Map<string, SetItem>();
  for (const item of items) {
    if (item.type !== "String") continue;
    const known = strings.get(item.value);
    if (known === undefined) strings.set(item.value, item);
    else redundant.set(item, known);
  }
  let before: Ranges | undefined;
  for (const item of items
    .flatMap((candidate) => (candidate.type === "String" ? [] : candidate))
    .sort(byStart)) {
    const other = before !== undefined && familyOf(before) === familyOf(item) ? before : undefined;
    if (other !== undefined && item.last <= other.last) {
      redundant.set(item, other);
      continue;
    }
    if (other !== undefined && item.first <= other.last) overlapping.push([item, other]);
    before = item;
  }
  return { redundant, overlapping };
}

/** Integers of any size are compared with each other, addresses with those of their family. */
function familyOf({ type, first }: Ranges): string {
  return type === "Int" ? type : typeof first;
}

/** Of ranges with the same first value, the longest comes first. */
function byStart(a: Ranges, b: Ranges): number {
  if (familyOf(a) !== familyOf(b)) return familyOf(a) < familyOf(b) ? 1 : -1;
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last === b.last ? 0 : a.last > b.last ? -1 : 1;
}

const lastOfIpv4 = 2 ** 32 - 1;

/** Sets and lists of all IPv4 addresses, in expressions that compare the same value with no IPv6 address. */
export function findAllOfIpv4({ tree, lists }: RuleExpression): NotedSpan[] {
  const addresses = comparisonsOf(tree).filter(({ left }) => left.type === "IP");
  const required = new Set(comparisonsOf(withoutNegations(tree)));
  const rangesOf = ({ right }: Comparison): readonly ValueRange[] | undefined => {
    if (right.kind === "set") return right.items.flatMap((item) => (item.type === "IP" ? item : []));
    return right.kind === "list"
      ? (lists?.get(right.name)?.items as readonly ValueRange[] | undefined)
      : undefined;
  };
  return addresses.flatMap((test) => {
    const ranges = rangesOf(test);
    const same = addresses.filter(({ left }) => printValue(left) === printValue(test.left));
    const hasIpv6 = same.some(
      (comparison) => rangesOf(comparison)?.some(({ first }) => typeof first === "bigint") ?? true,
    );
    if (ranges === undefined || hasIpv6 || !required.has(test) || !coversIpv4(ranges)) return [];
    const { span } = test;
    if (test.right.kind === "list")
      return [
        {
          span,
          message: `The list \`$${test.right.name}\` has all IPv4 addresses and no IPv6 address; add \`::/0\` to it.`,
        },
      ];
    const end = span.end - 1;
    const correction = { span: { start: end, end }, text: " ::/0" };
    return [{ span, message: "The set has all IPv4 addresses and no IPv6 address; add `::/0`.", correction }];
  });
}

function coversIpv4(ranges: readonly ValueRange[]): boolean {
  let next = 0;
  for (const { first, last } of [...ranges].sort((a, b) => Number(a.first) - Number(b.first)))
    if (first <= next) next = Math.max(next, Number(last) + 1);
  return next > lastOfIpv4;
}

/** The operands outside of negations. */
function withoutNegations(tree: Expression): Expression {
  if (tree.kind === "not") return { kind: "constant", value: true, isArray: false, span: tree.span };
  return tree.kind === "combination" ? { ...tree, operands: tree.operands.map(withoutNegations) } : tree;
}
