/** The matches of the name that is searched, and which patterns need no further search in it. */
import type { Channel, Span } from "../model.ts";
import type { DistinctPattern, PatternUse, RuleKind } from "./pattern-sets.ts";

/** A pattern found in a name. */
export interface PatternMatch {
  readonly rule: RuleKind;
  readonly channel: Channel;
  readonly pattern: DistinctPattern;
  readonly distance: number;
  /** In code points of the host. */
  readonly span: Span;
}

export interface FoundMatches {
  readonly all: readonly PatternMatch[];
  add(match: PatternMatch): void;
  /**
   * Whether no further match of a pattern can be reported: each of its uses was found without edits, by a rule that is
   * not after the rules that search the pattern. Of equal matches the first one is reported.
   */
  isSettled(pattern: DistinctPattern): boolean;
  clear(): void;
}

/** Starts without matches. */
export function createFoundMatches(): FoundMatches {
  const all: PatternMatch[] = [];
  /** The first rule that found each use without edits. */
  const firstRanks = new Map<number, number>();
  const isUseSettled = (use: PatternUse) =>
    (firstRanks.get(use.order) ?? Number.POSITIVE_INFINITY) <= firstRankOf(use);
  return {
    all,
    add(match) {
      all.push(match);
      if (match.distance > 0) return;
      for (const use of match.pattern.uses)
        if (!isUseSettled(use)) firstRanks.set(use.order, firstRankOf(use));
    },
    isSettled: ({ uses }) => firstRanks.size > 0 && uses.every(isUseSettled),
    clear() {
      all.length = 0;
      firstRanks.clear();
    },
  };
}

/** Every rule allows a match without edits. */
function firstRankOf({ rules }: PatternUse): number {
  return rules[0]?.rank ?? 0;
}
