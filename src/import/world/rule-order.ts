/** The order of the rules of a zone, from the wishes and times that Terraform stores instead of it. */
import { addTo } from "../../core/groups.ts";
import type { ResourceOf, RulePosition } from "../reading.ts";

type Rule = ResourceOf<"token_rule">;

/** The rules in order of evaluation. */
export interface OrderedRules {
  readonly rules: readonly Rule[];
  /** Whether the order was derived from positions and times; else it is that of the files. */
  readonly isDerived: boolean;
  /** A test for the rules whose order against a rule the files do not fix. */
  readonly unfixedAgainst: (rule: Rule) => (other: Rule) => boolean;
}

/** New rules go last, as at the service; then each rule is moved to the position that it asks for. */
export function orderRules(given: readonly Rule[]): OrderedRules {
  if (!given.some(({ isUnordered }) => isUnordered))
    return { rules: given, isDerived: false, unfixedAgainst: () => () => false };
  const order = given.toSorted(byCreation);
  for (const rule of given.toSorted(byCreation)) if (rule.position) move(order, rule, rule.position);
  return { rules: order, isDerived: given.length > 1, unfixedAgainst: unfixedBy(given) };
}

/** Rules without a time do not exist yet. */
function byCreation({ createdAt = "z" }: Rule, { createdAt: other = "z" }: Rule): number {
  return createdAt < other ? -1 : createdAt > other ? 1 : 0;
}

function move(order: Rule[], rule: Rule, position: RulePosition): void {
  const from = order.indexOf(rule);
  order.splice(from, 1);
  order.splice(targetOf(order, position) ?? from, 0, rule);
}

function targetOf(rest: readonly Rule[], { index, before, after }: RulePosition): number | undefined {
  if (index !== undefined) return Math.max(0, Math.min(rest.length, Math.trunc(index) - 1));
  const reference = rest.findIndex(({ value }) => value.id === (before ?? after));
  if (reference < 0) return undefined;
  return before === undefined ? reference + 1 : reference;
}

/** Two rules are in a known order by their times, by a chain of positions, or because one of them is the first. */
function unfixedBy(rules: readonly Rule[]): OrderedRules["unfixedAgainst"] {
  const links = linksOf(rules);
  const isFirst = ({ position }: Rule) => position?.index === 1;
  return (rule) => {
    const later = lazyReachable(links.later, rule);
    const earlier = lazyReachable(links.earlier, rule);
    return (other) => {
      if (other.createdAt !== rule.createdAt || isFirst(other) !== isFirst(rule)) return false;
      const id = other.value.id ?? "";
      return !later().has(id) && !earlier().has(id);
    };
  };
}

type Links = ReadonlyMap<string, readonly string[]>;

/** The rules directly after and before each rule, by id. */
function linksOf(rules: readonly Rule[]): { readonly later: Links; readonly earlier: Links } {
  const later = new Map<string, string[]>();
  const earlier = new Map<string, string[]>();
  const link = (first: string, second: string) => {
    addTo(later, first, second);
    addTo(earlier, second, first);
  };
  for (const { value, position = {} } of rules) {
    const id = value.id ?? "";
    if (position.after !== undefined) link(position.after, id);
    if (position.before !== undefined) link(id, position.before);
  }
  return { later, earlier };
}

/** Computed when it is first asked for: most pairs of rules have nothing to decide. */
function lazyReachable(links: Links, from: Rule): () => ReadonlySet<string> {
  let found: ReadonlySet<string> | undefined;
  return () => {
    found ??= reachable(links, from);
    return found;
  };
}

/** The ids that a chain of links reaches; positions of hostile files can form a circle. */
function reachable(links: Links, from: Rule): ReadonlySet<string> {
  const start = from.value.id ?? "";
  const seen = new Set([start]);
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of links.get(id) ?? []) {
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
  return seen;
}
