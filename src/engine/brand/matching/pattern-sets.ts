/** Sorts the patterns of queries into sets: the distinct patterns of one channel that are searched in the same part. */

import type { Channel, DomainQuery, MatchOptions } from "../model.ts";
import { codePoints } from "../names/alphabet.ts";
import { channelsOf, channelTextOf } from "../names/channel-text.ts";
import { type DerivedForms, derivedFormsOf, once } from "../names/derived-forms.ts";
import { normalizePattern } from "../query.ts";

/** One pattern of one query. */
export interface PatternUse {
  /** Position among all patterns of all queries. */
  readonly order: number;
  readonly query_id: number;
  readonly pattern_index: number;
  /** As given. */
  readonly pattern: string;
  /** Normalized. */
  readonly points: readonly number[];
  readonly limit: number;
  /** The normalized pattern in the forms that decide the technique; computed at the first call. */
  forms(): DerivedForms;
}

/** Patterns of the same letters are searched once, with the highest limit of their uses. */
export interface DistinctPattern {
  readonly points: readonly number[];
  readonly limit: number;
  readonly uses: readonly PatternUse[];
}

/** The distinct patterns of one channel and one part of a name. */
export interface PatternSet {
  readonly channel: Channel;
  /** Patterns with a dot are searched in the whole host, the others left of the public suffix. */
  readonly dotted: boolean;
  readonly patterns: readonly DistinctPattern[];
}

const dot = 0x2e;

/** Sorts the patterns of validated queries into sets; empty sets are left out. */
export function patternSetsOf(queries: readonly DomainQuery[], options: MatchOptions): readonly PatternSet[] {
  const uses = usesOf(queries);
  return channelsOf(options)
    .flatMap((channel) => [false, true].map((dotted) => patternSetOf(channel, dotted, uses)))
    .filter(({ patterns }) => patterns.length > 0);
}

function usesOf(queries: readonly DomainQuery[]): PatternUse[] {
  const uses: PatternUse[] = [];
  for (const { query_id, parameters } of queries) {
    parameters.string_matches.forEach(({ pattern, max_edit_distance: limit }, pattern_index) => {
      const text = normalizePattern(pattern);
      uses.push({
        order: uses.length,
        query_id,
        pattern_index,
        pattern,
        points: codePoints(text),
        limit,
        forms: once(() => derivedFormsOf(text)),
      });
    });
  }
  return uses;
}

function patternSetOf(channel: Channel, dotted: boolean, uses: readonly PatternUse[]): PatternSet {
  const usesByText = new Map<string, PatternUse[]>();
  for (const use of uses) {
    if (use.points.includes(dot) !== dotted) continue;
    const text = String.fromCodePoint(...channelTextOf(channel, use.points).points);
    const same = usesByText.get(text);
    if (same) same.push(use);
    else usesByText.set(text, [use]);
  }
  // A pattern of separators only has no letters in a channel without them.
  usesByText.delete("");
  const patterns = [...usesByText].map(([text, same]) => ({
    points: codePoints(text),
    limit: Math.max(...same.map(({ limit }) => limit)),
    uses: same,
  }));
  return { channel, dotted, patterns };
}
