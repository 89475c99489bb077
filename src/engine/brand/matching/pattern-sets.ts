/** Sorts the patterns of queries into sets: the distinct patterns of one channel that are searched in the same part. */

import type { Channel, DomainQuery, MatchRule } from "../model.ts";
import { codePoints } from "../names/alphabet.ts";
import { channelsOf, channelTextOf, separators } from "../names/channel-text.ts";
import { type DerivedForms, derivedFormsOf, once } from "../names/derived-forms.ts";
import { normalizePattern } from "../query.ts";
import type { MatchSettings } from "./match-rules.ts";

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
  /** Maximum edits: the rule's, or the pattern's own. */
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

/** The distinct patterns of one rule, one channel and one part of a name. */
export interface PatternSet {
  readonly rule: MatchRule;
  readonly channel: Channel;
  /** Patterns with a dot are searched in the whole host, the others left of the public suffix. */
  readonly dotted: boolean;
  /** In mode `token`: the number of neighboring parts that are compared; else 1. */
  readonly runLength: number;
  readonly patterns: readonly DistinctPattern[];
}

const dot = 0x2e;

/**
 * Sorts the patterns of validated queries into sets; empty sets are left out. Sets are in the order in which matches of
 * the same distance win: by rule, then by channel.
 */
export function patternSetsOf(
  queries: readonly DomainQuery[],
  settings: MatchSettings,
): readonly PatternSet[] {
  const uses = usesOf(queries);
  return settings.rules.flatMap((rule) => setsOfRule(rule, usesUnder(rule, uses), channelsOf(settings)));
}

function setsOfRule(
  rule: MatchRule,
  uses: readonly PatternUse[],
  channels: readonly Channel[],
): readonly PatternSet[] {
  const runLengthOf = rule.mode === "token" ? partsOf : () => 1;
  const groups = new Map<string, PatternUse[]>();
  for (const use of uses) {
    const key = `${use.points.includes(dot)} ${runLengthOf(use)}`;
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  return channels
    .flatMap((channel) =>
      [...groups.values()].map((group) => ({
        rule,
        channel,
        dotted: group[0]?.points.includes(dot) === true,
        runLength: group[0] ? runLengthOf(group[0]) : 1,
        patterns: distinctPatterns(channel, group),
      })),
    )
    .filter(({ patterns }) => patterns.length > 0);
}

/** The parts between separators. */
function partsOf({ points }: PatternUse): number {
  return 1 + points.filter((c) => separators.has(c)).length;
}

/** The patterns that a rule searches, with its limit. */
function usesUnder(
  { maxEdits, minLength = 0 }: MatchRule,
  uses: readonly PatternUse[],
): readonly PatternUse[] {
  const searched = minLength === 0 ? uses : uses.filter(({ points }) => points.length >= minLength);
  return maxEdits === undefined ? searched : searched.map((use) => ({ ...use, limit: maxEdits }));
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

function distinctPatterns(channel: Channel, uses: readonly PatternUse[]): readonly DistinctPattern[] {
  const usesByText = new Map<string, PatternUse[]>();
  for (const use of uses) {
    const text = String.fromCodePoint(...channelTextOf(channel, use.points).points);
    const same = usesByText.get(text);
    if (same) same.push(use);
    else usesByText.set(text, [use]);
  }
  // A pattern of separators only has no letters in a channel without them.
  usesByText.delete("");
  return [...usesByText].map(([text, same]) => ({
    points: codePoints(text),
    limit: Math.max(...same.map(({ limit }) => limit)),
    uses: same,
  }));
}
