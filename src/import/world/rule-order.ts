/** The order of the rules of a zone, from the wishes and times that Terraform stores instead of it. */
import type { ResourceOf, RulePosition } from "../reading.ts";

type Rule = ResourceOf<"token_rule">;

/** The rules in order of evaluation. */
export interface OrderedRules {
  readonly rules: readonly Rule[];
  /** Whether the order was derived from positions and times; else it is that of the files. */
  readonly isDerived: boolean;
  /** Whether what the files say fixes the order of two rules. */
  readonly isFixed: (one: Rule, other: Rule) => boolean;
}

/** New rules go last, as at the service; then each rule is moved to the position that it asks for. */
export function orderRules(given: readonly Rule[]): OrderedRules {
  if (!given.some(({ isUnordered }) => isUnordered))
    return { rules: given, isDerived: false, isFixed: () => true };
  const order = given.toSorted(byCreation);
  for (const rule of given.toSorted(byCreation)) if (rule.position) move(order, rule, rule.position);
  return { rules: order, isDerived: given.length > 1, isFixed: fixedBy(given) };
}

/** Rules without a time do not exist yet. */
function byCreation({ createdAt: one = "z" }: Rule, { createdAt: other = "z" }: Rule): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function move(order: Rule[], rule: Rule, position: RulePosition): void {
  const rest = order.filter((other) => other !== rule);
  const target = targetOf(rest, position);
  if (target === undefined) return;
  rest.splice(target, 0, rule);
  order.splice(0, order.length, ...rest);
}

function targetOf(rest: readonly Rule[], { index, before, after }: RulePosition): number | undefined {
  if (index !== undefined) return Math.max(0, Math.min(rest.length, Math.trunc(index) - 1));
  const reference = rest.findIndex(({ value }) => value.id === (before ?? after));
  if (reference < 0) return undefined;
  return before === undefined ? reference + 1 : reference;
}

/** Two rules are in a known order by their times, by a chain of positions, or because one of them is the first. */
function fixedBy(rules: readonly Rule[]): (one: Rule, other: Rule) => boolean {
  const followers = followersOf(rules);
  const isFirst = (rule: Rule) => rule.position?.index === 1;
  return (one, other) => {
    if (one.createdAt !== other.createdAt) return true;
    if (isFirst(one) !== isFirst(other)) return true;
    return reaches(followers, one, other) || reaches(followers, other, one);
  };
}

/** The rules that come after each rule, by id. */
function followersOf(rules: readonly Rule[]): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>();
  for (const { value, position = {} } of rules) {
    const id = value.id ?? "";
    if (position.after !== undefined)
      followers.set(position.after, [...(followers.get(position.after) ?? []), id]);
    if (position.before !== undefined) followers.set(id, [...(followers.get(id) ?? []), position.before]);
  }
  return followers;
}

function reaches(followers: ReadonlyMap<string, readonly string[]>, from: Rule, to: Rule): boolean {
  const queue = [from.value.id ?? ""];
  const seen = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === to.value.id) return true;
    for (const next of followers.get(id) ?? []) if (!seen.has(next)) queue.push(next);
    for (const next of followers.get(id) ?? []) seen.add(next);
  }
  return false;
}
