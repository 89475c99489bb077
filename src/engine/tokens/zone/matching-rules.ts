/**
 * Which rules cover which operation, bound once when a zone is compiled.
 *
 * The rules of a host are one list that its operations share. An operation that some of them exclude has either the
 * positions left out or the list of what remains, whichever is shorter: memory stays in proportion to the input, and
 * a request pays in proportion to the rules that cover its operation.
 */

/** What a covering needs to know of a rule. */
export interface CoveringRule {
  readonly enabled: boolean;
}

/** The rules that cover an operation, in order: `list` without the positions in `skipped`. */
export interface Covering<Rule> {
  readonly list: readonly Rule[];
  readonly skipped: ReadonlySet<number> | undefined;
  /** The position in `list` of the first enabled one; -1 when there is none. */
  readonly first: number;
}

/** What covers an operation that no rule covers. */
export const uncovered: Covering<never> = { list: [], skipped: undefined, first: -1 };

/** Binds a host's rules to an operation that those at the positions `excluded` (ascending) leave out. */
export function bindCovering<Rule extends CoveringRule>(
  list: readonly Rule[],
  excluded: readonly number[],
): Covering<Rule> {
  if (excluded.length === 0) return covering(list, undefined);
  const skipped = new Set(excluded);
  if (excluded.length <= list.length / 2) return covering(list, skipped);
  const left = list.filter((_, position) => !skipped.has(position));
  return covering(left, undefined);
}

function covering<Rule extends CoveringRule>(
  list: readonly Rule[],
  skipped: ReadonlySet<number> | undefined,
): Covering<Rule> {
  const first = list.findIndex((rule, position) => rule.enabled && !skipped?.has(position));
  return { list, skipped, first };
}
