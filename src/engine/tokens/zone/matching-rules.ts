/**
 * The rules that match an operation, bound once when a zone is compiled.
 *
 * The operations of a host share one list of the host's rules. An operation that some of them exclude has either the
 * positions to skip or a list of the remaining rules, whichever is shorter: memory stays proportional to the input,
 * and the cost of a request to the number of rules that match its operation.
 */

/** The rules that match an operation, in order of evaluation: `list` without the positions in `skipped`. */
export interface MatchingRules<Rule> {
  readonly list: readonly Rule[];
  readonly skipped: ReadonlySet<number> | undefined;
  /** Position in `list` of the first enabled rule; -1 when all are disabled or skipped. */
  readonly first: number;
}

interface Switchable {
  readonly enabled: boolean;
}

/** For an operation that no rule matches. */
export const noMatchingRules: MatchingRules<never> = { list: [], skipped: undefined, first: -1 };

/**
 * Binds the rules of a host to one of its operations.
 *
 * @param excluded ascending positions in `list` of the rules that exclude the operation
 */
export function bindMatchingRules<Rule extends Switchable>(
  list: readonly Rule[],
  excluded: readonly number[],
): MatchingRules<Rule> {
  if (excluded.length === 0) return createMatchingRules(list, undefined);
  const skipped = new Set(excluded);
  if (excluded.length <= list.length / 2) return createMatchingRules(list, skipped);
  const remaining = list.filter((_, position) => !skipped.has(position));
  return createMatchingRules(remaining, undefined);
}

function createMatchingRules<Rule extends Switchable>(
  list: readonly Rule[],
  skipped: ReadonlySet<number> | undefined,
): MatchingRules<Rule> {
  const first = list.findIndex((rule, position) => rule.enabled && !skipped?.has(position));
  return { list, skipped, first };
}
