/** Binds rules to the operations that they match, once when a zone is compiled. */

import { addTo } from "../../../core/groups.ts";
import type { BoundOperation, CompiledRule } from "./evaluate-rules.ts";
import { isHostTemplate } from "./host-template.ts";
import { bindMatchingRules, type MatchingRules, noMatchingRules } from "./matching-rules.ts";
import type { Route } from "./router.ts";
import type { ReadOperation, ReadRule } from "./zone-input.ts";

/** An operation as the router has it. */
export interface RoutedOperation extends BoundOperation {
  /** The operation with the rules that match it for requests to one host; present when its host has variables. */
  readonly forHost?: (host: string) => BoundOperation;
}

/** The rules that include a host, in order, with their positions in the zone's list. */
export interface HostRules {
  readonly rules: CompiledRule[];
  /** Zone position to position in `rules`. */
  readonly positions: Map<number, number>;
}

/** The rules of each host that a selector includes, also of templates of hosts. */
export function listByHost(
  read: readonly ReadRule[],
  rules: readonly CompiledRule[],
): Map<string, HostRules> {
  const lists = new Map<string, HostRules>();
  for (const [i, rule] of rules.entries()) {
    for (const host of read[i]?.hosts ?? []) {
      const list = lists.get(host) ?? { rules: [], positions: new Map<number, number>() };
      lists.set(host, list);
      list.positions.set(i, list.rules.push(rule) - 1);
    }
  }
  return lists;
}

/** The rules that match requests to each host, in a zone without a list of operations. */
export function rulesByHost(lists: ReadonlyMap<string, HostRules>): Map<string, MatchingRules<CompiledRule>> {
  const literal = [...lists].filter(([host]) => !isHostTemplate(host));
  return new Map(literal.map(([host, list]) => [host, bindMatchingRules(list.rules, [])]));
}

/** The routes of operations with the rules that match each. */
export function bindOperations(
  operations: readonly ReadOperation[],
  rules: readonly ReadRule[],
  lists: ReadonlyMap<string, HostRules>,
): Route<RoutedOperation>[] {
  const exclusions = positionsByExcludedId(rules);
  const listFor = createHostLists(lists);
  return operations.map(({ operation, host, method, segments }) => {
    const bind = (list: HostRules | undefined): BoundOperation => {
      const excluding = exclusions.get(operation.operation_id) ?? [];
      return { operation, matching: list ? bindToHost(list, excluding) : noMatchingRules };
    };
    const bound = bind(lists.get(host));
    const forHost = isHostTemplate(host)
      ? bindForHosts(bound, (name) => listFor(host, name), bind)
      : undefined;
    return { host, method, segments, value: forHost ? { ...bound, forHost } : bound };
  });
}

/** Binds an operation whose host has variables to the hosts of requests, each at its first request. */
function bindForHosts(
  bound: BoundOperation,
  listOf: (host: string) => HostRules | undefined,
  bind: (list: HostRules) => BoundOperation,
): (host: string) => BoundOperation {
  const bounds = new Map<string, BoundOperation>();
  return (host) => {
    const known = bounds.get(host);
    if (known !== undefined) return known;
    const list = listOf(host);
    if (list === undefined) return bound;
    const added = bind(list);
    bounds.set(host, added);
    return added;
  };
}

/**
 * The rules for requests to a host that a template matches: those that include the template or the host, in order.
 * Undefined when no rule includes the host; each list is built at most once.
 */
function createHostLists(
  lists: ReadonlyMap<string, HostRules>,
): (template: string, host: string) => HostRules | undefined {
  const merged = new Map<string, Map<string, HostRules>>();
  return (template, host) => {
    const own = isHostTemplate(host) ? undefined : lists.get(host);
    if (own === undefined) return undefined;
    const ofTemplate = merged.get(template) ?? new Map<string, HostRules>();
    merged.set(template, ofTemplate);
    const list = ofTemplate.get(host) ?? mergeHostRules(own, lists.get(template));
    ofTemplate.set(host, list);
    return list;
  };
}

function mergeHostRules(hostRules: HostRules, other: HostRules | undefined): HostRules {
  if (other === undefined) return hostRules;
  const byPosition = new Map<number, CompiledRule>();
  for (const { rules, positions } of [hostRules, other])
    for (const [position, index] of positions) byPosition.set(position, rules[index] as CompiledRule);
  const ordered = [...byPosition].sort(([a], [b]) => a - b);
  return {
    rules: ordered.map(([, rule]) => rule),
    positions: new Map(ordered.map(([position], index) => [position, index])),
  };
}

function bindToHost(
  { rules, positions }: HostRules,
  excluding: readonly number[],
): MatchingRules<CompiledRule> {
  return bindMatchingRules(
    rules,
    excluding.flatMap((rule) => positions.get(rule) ?? []),
  );
}

/** For each operation id, the zone positions of the rules that exclude it, ascending. */
function positionsByExcludedId(rules: readonly ReadRule[]): Map<string, number[]> {
  const exclusions = new Map<string, number[]>();
  for (const [i, { excluded }] of rules.entries()) {
    for (const id of excluded) addTo(exclusions, id, i);
  }
  return exclusions;
}
