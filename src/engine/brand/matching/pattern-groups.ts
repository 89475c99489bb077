/** From queries to lanes: the distinct patterns of one channel that are sought in the same part of a name. */

import type { Channel, DomainQuery, MatchOptions } from "../model.ts";
import { codePoints } from "../names/alphabet.ts";
import { type Forms, formsOf, once } from "../names/derived-forms.ts";
import { channelsOf, viewOf } from "../names/view.ts";
import { normalizePattern } from "../query.ts";

/** One pattern of one query. */
export interface PatternUse {
  /** Position among all patterns of all queries. */
  readonly order: number;
  readonly query_id: number;
  readonly pattern_index: number;
  /** As given. */
  readonly pattern: string;
  /** Normalised. */
  readonly points: readonly number[];
  readonly limit: number;
  /** The normalised pattern in the forms that naming a technique asks for; made when it is first found. */
  forms(): Forms;
}

/** Patterns of the same letters are sought once, with the widest limit among their uses. */
export interface LanePattern {
  readonly points: readonly number[];
  readonly limit: number;
  readonly uses: readonly PatternUse[];
}

export interface Lane {
  readonly channel: Channel;
  /** Patterns with a dot are sought in the whole host, the others left of the public suffix. */
  readonly dotted: boolean;
  readonly patterns: readonly LanePattern[];
}

const dot = 0x2e;

/** Sorts the patterns of checked queries into lanes; empty lanes are left out. */
export function lanesOf(queries: readonly DomainQuery[], options: MatchOptions): readonly Lane[] {
  const uses = usesOf(queries);
  return channelsOf(options)
    .flatMap((channel) => [false, true].map((dotted) => laneOf(channel, dotted, uses)))
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
        forms: once(() => formsOf(text)),
      });
    });
  }
  return uses;
}

function laneOf(channel: Channel, dotted: boolean, uses: readonly PatternUse[]): Lane {
  const groups = new Map<string, PatternUse[]>();
  for (const use of uses) {
    if (use.points.includes(dot) !== dotted) continue;
    const key = String.fromCodePoint(...viewOf(channel, use.points).points);
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  // A pattern of nothing but separators has no letters left in a channel without them.
  groups.delete("");
  const patterns = [...groups].map(([key, group]) => ({
    points: codePoints(key),
    limit: Math.max(...group.map(({ limit }) => limit)),
    uses: group,
  }));
  return { channel, dotted, patterns };
}
