/** Sorts the patterns of queries into sets: the distinct patterns of one channel that are searched in the same part. */

import { addTo } from "../../../core/groups.ts";
import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import type { Channel, DomainQuery, MatchRule } from "../model.ts";
import { codePoints, patternWork } from "../names/alphabet.ts";
import { channelsOf, channelTextOf, separators } from "../names/channel-text.ts";
import { type DerivedForms, derivedFormsOf, once } from "../names/derived-forms.ts";
import { type PatternForm, searchedPattern } from "../query.ts";
import type { MatchSettings } from "./match-rules.ts";

/** The position of a rule in the list, and its maximum edits: its own, or those of the pattern. */
interface RankedLimit {
  readonly rank: number;
  readonly limit: number;
}

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
  /** The rules that search the pattern, in their order; the highest of their limits is `limit`. */
  readonly rules: readonly RankedLimit[];
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

/** The common members of rules that are searched at once; such rules differ in edits and lengths only. */
export type RuleKind = Required<Pick<MatchRule, "mode" | "onlyWithEmbeddedSuffix" | "separators">>;

/** The distinct patterns of one kind of rules, one channel and one part of a name. */
export interface PatternSet {
  readonly rule: RuleKind;
  readonly channel: Channel;
  /** Patterns with a dot are searched in the whole host, the others left of the public suffix. */
  readonly dotted: boolean;
  /** In mode `token`: the number of neighboring parts that are compared; else 1. */
  readonly runLength: number;
  readonly patterns: readonly DistinctPattern[];
}

const dot = 0x2e;

/**
 * Sorts the patterns of validated queries into sets; empty sets are left out. Sets of a channel are neighbors, and
 * channels are in the order in which matches of the same distance and rule win.
 */
export function* patternSetSteps(
  queries: readonly DomainQuery[],
  settings: MatchSettings,
  form?: PatternForm,
): Steps<readonly PatternSet[]> {
  const uses = yield* usesOf(queries, form);
  const kinds: { readonly kind: RuleKind; readonly uses: readonly PatternUse[] }[] = [];
  for (const { kind, rules } of kindsOf(settings.rules))
    kinds.push({ kind, uses: yield* usesUnder(rules, uses) });
  const sets: PatternSet[] = [];
  for (const channel of allChannels) {
    for (const { kind, uses } of kinds) {
      const channels = channelsOf({ confusables: settings.confusables, separators: kind.separators });
      if (channels.includes(channel)) sets.push(...(yield* setsOfKind(kind, channel, uses)));
    }
  }
  return sets;
}

const allChannels = channelsOf({ confusables: true, separators: true });

interface RankedRule {
  readonly rank: number;
  readonly rule: MatchRule;
}

/** Rules that differ in edits and lengths only are searched at once: whichever finds a pattern finds it at the same place. */
function kindsOf(rules: readonly MatchRule[]) {
  const kinds = new Map<string, { readonly kind: RuleKind; readonly rules: RankedRule[] }>();
  for (const [rank, rule] of rules.entries()) {
    const { mode, onlyWithEmbeddedSuffix = false, separators = false } = rule;
    const kind = { mode, onlyWithEmbeddedSuffix, separators };
    const key = JSON.stringify(kind);
    const known = kinds.get(key) ?? { kind, rules: [] };
    kinds.set(key, known);
    known.rules.push({ rank, rule });
  }
  return [...kinds.values()];
}

function* setsOfKind(
  rule: RuleKind,
  channel: Channel,
  uses: readonly PatternUse[],
): Steps<readonly PatternSet[]> {
  const runLengthOf = rule.mode === "token" ? partsOf : () => 1;
  const groups = new Map<string, PatternUse[]>();
  yield* mapInRows(uses, patternWork, (use) => {
    const key = `${use.points.includes(dot)} ${runLengthOf(use)}`;
    addTo(groups, key, use);
  });
  const sets: PatternSet[] = [];
  for (const group of groups.values()) {
    const patterns = yield* distinctPatterns(channel, group);
    const dotted = group[0]?.points.includes(dot) === true;
    const runLength = group[0] ? runLengthOf(group[0]) : 1;
    if (patterns.length > 0) sets.push({ rule, channel, dotted, runLength, patterns });
  }
  return sets;
}

/** The first rule that finds a use at a distance. */
export function rankOf({ rules }: PatternUse, distance: number): number {
  return rules.find(({ limit }) => distance <= limit)?.rank ?? Number.POSITIVE_INFINITY;
}

/** The parts between separators. */
function partsOf({ points }: PatternUse): number {
  return 1 + points.filter((c) => separators.has(c)).length;
}

/** The patterns that any of the rules searches, with the limits. */
function* usesUnder(rules: readonly RankedRule[], uses: readonly PatternUse[]): Steps<readonly PatternUse[]> {
  const searched: PatternUse[] = [];
  yield* mapInRows(uses, patternWork, (use) => {
    const limits = rules
      .filter(({ rule: { minLength = 0 } }) => use.points.length >= minLength)
      .map(({ rank, rule: { maxEdits = use.limit } }) => ({ rank, limit: maxEdits }));
    if (limits.length === 0) return;
    searched.push({ ...use, rules: limits, limit: Math.max(...limits.map(({ limit }) => limit)) });
  });
  return searched;
}

function* usesOf(queries: readonly DomainQuery[], form?: PatternForm): Steps<PatternUse[]> {
  const uses: PatternUse[] = [];
  for (const { query_id, parameters } of queries) {
    parameters.string_matches.forEach(({ pattern, max_edit_distance: limit }, pattern_index) => {
      const text = searchedPattern(pattern, form);
      uses.push({
        order: uses.length,
        query_id,
        pattern_index,
        pattern,
        points: codePoints(text),
        rules: [],
        limit,
        forms: once(() => derivedFormsOf(text)),
      });
    });
    yield parameters.string_matches.length * patternWork;
  }
  return uses;
}

function* distinctPatterns(channel: Channel, uses: readonly PatternUse[]): Steps<readonly DistinctPattern[]> {
  const usesByText = new Map<string, PatternUse[]>();
  yield* mapInRows(uses, patternWork, (use) => {
    const text = String.fromCodePoint(...channelTextOf(channel, use.points).points);
    addTo(usesByText, text, use);
  });
  // A pattern of separators only has no letters in a channel without them.
  usesByText.delete("");
  return yield* mapInRows([...usesByText], patternWork, ([text, same]) => ({
    points: codePoints(text),
    limit: Math.max(...same.map(({ limit }) => limit)),
    uses: same,
  }));
}
