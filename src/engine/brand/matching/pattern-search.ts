/** Searches names for one pattern set: a filter proposes patterns, the exact distance confirms them. */

import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import { type CandidateFilter, filterSteps } from "../filters/filter.ts";
import { namesMemory, textAt } from "../filters/filter-memory.ts";
import type { FilterMode, FilterPattern } from "../filters/filter-pattern.ts";
import type { Span } from "../model.ts";
import { type Alphabet, classCount, classOf, patternWork } from "../names/alphabet.ts";
import { type ChannelText, channelTextOf, originSpan, separators } from "../names/channel-text.ts";
import type { Name } from "../names/name.ts";
import { type NameParts, searchedParts } from "../names/name-parts.ts";
import type { TextWriter } from "../names/text-writer.ts";
import { createDistanceEngine, type DistanceEngine, type LetterIds } from "./distance.ts";
import type { FoundMatches } from "./found-matches.ts";
import type { DistinctPattern, PatternSet, RuleKind } from "./pattern-sets.ts";

export interface NameSearch {
  readonly filter: CandidateFilter;
  /** Adds the patterns found in a name to `matches`. */
  search(name: Name, matches: FoundMatches): void;
}

/** The search for one pattern set. */
export interface PatternSearch extends NameSearch {
  /** Adds those of the patterns at these positions of the set that are in a name; the filter is not used. */
  searchFor(patterns: readonly number[], name: Name, matches: FoundMatches): void;
}

/** A part of a name in a channel, and the ids of its letters. */
interface SearchedText {
  readonly text: ChannelText;
  readonly ids: readonly number[];
}

/** Letters in a word of the filter. Its rows are those of the label, or those of the pattern. */
const wordLength = 64;

/**
 * Above this many labels the public suffix is looked up before labels are compared: a look-up costs about as much as
 * comparing a dozen labels.
 */
const maxComparedLabels = 8;

/** The alphabet and the text that all searches of one channel share. */
export interface ChannelSearch {
  readonly alphabet: Alphabet;
  readonly writer: TextWriter;
}

/** Makes the search for a pattern set. */
export function* patternSearchSteps(
  set: PatternSet,
  transpositions: boolean,
  { alphabet, writer }: ChannelSearch,
): Steps<PatternSearch> {
  const { rule, channel, dotted, runLength } = set;
  const { mode, onlyWithEmbeddedSuffix } = rule;
  const patterns = yield* mapInRows(set.patterns, patternWork, ({ points, limit }) => ({
    ids: points.map(alphabet.idOf),
    limit,
  }));
  const memory = namesMemory();
  const filter = yield* filterSteps(patterns, {
    mode: filterModeOf(rule),
    transpositions,
    classes: Math.min(alphabet.size, classCount),
  });
  const verifier = createVerifier(set, patterns, transpositions, alphabet, filter);
  const base = channel === "plain" ? textAt.name : textAt.channel;
  const [shortest, longest] = lengthsOf(set.patterns);
  const needsSeparator = hasOnlyPlainPatterns(set);
  const unchanged = Uint8Array.from(set.patterns, (pattern) =>
    channel === "confusables" && isUnchanged(pattern) ? 1 : 0,
  );

  /** The parts are known. */
  function searchPart(parts: NameParts, part: Span, matches: FoundMatches): void {
    if (channel === "plain") {
      verifier.verify(filter.find(base + part.start, base + part.end), parts, part, matches);
      return;
    }
    const { ids } = verifier.read(parts, part);
    ids.forEach((id, i) => {
      memory.channel[i] = classOf(id);
    });
    writer.forget();
    verifier.verify(filter.find(base, base + ids.length), parts, part, matches);
  }

  /** The parts of a name in which a pattern was found; undefined when the rule leaves the name out. */
  function partsOf(name: Name): NameParts | undefined {
    const parts = name.parts();
    return onlyWithEmbeddedSuffix && parts.embeddedSuffixes().length === 0 ? undefined : parts;
  }

  /**
   * The public suffix contains at least the last label, so the rest of the name is searched first; the suffix is
   * looked up only when a pattern is found there.
   */
  function searchText(name: Name, end: number, matches: FoundMatches): void {
    const count = filter.find(base, base + end);
    const parts = count === 0 ? undefined : partsOf(name);
    if (!parts) return;
    for (const part of searchedParts(parts, { mode, dotted, runLength }))
      verifier.verify(count, parts, part, matches);
  }

  /** Returns false for a name that must be split first. */
  function searchUnsplit(name: Name, matches: FoundMatches): boolean {
    if (mode === "label" && (dotted || name.labels > maxComparedLabels)) return false;
    const at = writer.write(name, mode === "label" ? name.length : boundOf(name));
    if (at === undefined) return false;
    if (mode === "contains") searchText(name, at[boundOf(name)] ?? 0, matches);
    else if (mode === "label") searchLabels(name, at, matches);
    else searchTokens(name, at, matches);
    return true;
  }

  /** Each label but the last may be the registrable one; the suffix is looked up only when a pattern is found. */
  function searchLabels(name: Name, at: Uint16Array, matches: FoundMatches): void {
    const compared = name.labels > 1 ? name.labels - 1 : 1;
    for (let i = 0, start = 0; i < compared; i++) {
      const end = name.labelEnds[i] ?? name.length;
      const count = filter.find(base + (at[start] ?? 0), base + (at[end] ?? 0));
      if (count > 0) {
        const parts = partsOf(name);
        if (parts?.label?.start === start) verifier.verify(count, parts, parts.label, matches);
      }
      start = end + 1;
    }
  }

  /** Every run of neighboring parts; the suffix is looked up only when a pattern is found. */
  function searchTokens(name: Name, at: Uint16Array, matches: FoundMatches): void {
    const bound = boundOf(name);
    for (let i = runLength - 1; i < name.tokens; i++) {
      const start = i < runLength ? 0 : (name.tokenEnds[i - runLength] ?? 0) + 1;
      const end = name.tokenEnds[i] ?? 0;
      if (end > bound) return;
      const from = at[start] ?? 0;
      const to = at[end] ?? 0;
      if (start === end || to - from < shortest || to - from > longest) continue;
      const count = filter.find(base + from, base + to);
      if (count === 0) continue;
      const parts = partsOf(name);
      if (!parts || (!dotted && end > parts.text.end)) return;
      verifier.verify(count, parts, { start, end }, matches);
    }
  }

  /** The searched part ends here or before. */
  function boundOf(name: Name): number {
    return dotted ? name.length : name.textBound;
  }

  /** A pattern that is its own skeleton is found in a name that is its own skeleton as it is found without confusables. */
  function isOpen(index: number, name: Name, matches: FoundMatches): boolean {
    if (unchanged[index] === 1 && !name.isReplaced()) return false;
    const pattern = set.patterns[index];
    return pattern !== undefined && !matches.isSettled(pattern);
  }

  function isLeftOut(name: Name): boolean {
    if (onlyWithEmbeddedSuffix && !name.mayHaveEmbeddedSuffix()) return true;
    return needsSeparator && (name.tokenEnds[0] ?? 0) >= boundOf(name);
  }

  return {
    filter,
    search(name, matches) {
      if (isLeftOut(name) || searchUnsplit(name, matches)) return;
      const parts = partsOf(name);
      if (!parts) return;
      for (const part of searchedParts(parts, { mode, dotted, runLength })) searchPart(parts, part, matches);
    },
    searchFor(indexes, name, matches) {
      const open = isLeftOut(name) ? [] : indexes.filter((index) => isOpen(index, name, matches));
      const parts = open.length === 0 ? undefined : partsOf(name);
      if (!parts) return;
      for (const part of searchedParts(parts, { mode, dotted, runLength }))
        verifier.compare(open, parts, part, matches);
    },
  };
}

/**
 * Whether a channel without separators has the letters of another channel for all patterns of a set, so that a name
 * without separators is the same in both, and needs no search in this one.
 */
function hasOnlyPlainPatterns({ channel, patterns }: PatternSet): boolean {
  if (channel !== "separators" && channel !== "confusables+separators") return false;
  return patterns.every(({ uses }) => uses.every(({ points }) => !points.some((c) => separators.has(c))));
}

function filterModeOf({ mode }: RuleKind): FilterMode {
  return mode === "contains" ? "contains" : "label";
}

/** Whether all uses of a pattern have its letters without a channel, too. */
function isUnchanged({ points, uses }: DistinctPattern): boolean {
  return uses.every(
    (use) => use.points.length === points.length && use.points.every((c, i) => c === points[i]),
  );
}

/** The lengths of texts that can be within the limit of a pattern as a whole. */
function lengthsOf(patterns: readonly DistinctPattern[]): readonly [number, number] {
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (const { points, limit } of patterns) {
    shortest = Math.min(shortest, points.length - limit);
    longest = Math.max(longest, points.length + limit);
  }
  return [shortest, longest];
}

/** Confirms the patterns that a filter proposes. */
interface Verifier {
  read(parts: NameParts, part: Span): SearchedText;
  /** Adds those of the filter's first `count` patterns that are in this part of a name. */
  verify(count: number, parts: NameParts, part: Span, matches: FoundMatches): void;
  /** The same of the patterns at these positions of the set. */
  compare(patterns: Iterable<number>, parts: NameParts, part: Span, matches: FoundMatches): void;
}

function createVerifier(
  { rule, channel, patterns }: PatternSet,
  inIds: readonly FilterPattern[],
  transpositions: boolean,
  alphabet: Alphabet,
  filter: CandidateFilter,
): Verifier {
  const longest = inIds.reduce((n, { ids }) => Math.max(n, ids.length), 0);
  const engine = createDistanceEngine(alphabet.size, longest, transpositions);
  const mode = filterModeOf(rule);
  // The filter compares letters exactly when no two share a class, and locates them in the host when none is replaced.
  const canLocate = channel === "plain" && alphabet.size <= classCount;

  function read(parts: NameParts, { start, end }: Span): SearchedText {
    const text = channelTextOf(channel, parts.points(), start, end);
    return { text, ids: text.points.map(alphabet.idOf) };
  }

  function compare(indexes: Iterable<number>, parts: NameParts, part: Span, matches: FoundMatches): void {
    let searched: SearchedText | undefined;
    for (const index of indexes) {
      const pattern = patterns[index];
      const ids = inIds[index]?.ids;
      if (!pattern || !ids || matches.isSettled(pattern)) continue;
      if (canLocate && mode === "contains" && ids.length <= wordLength) {
        const found = filter.locate(index, textAt.name + part.start, textAt.name + part.end);
        if (!found) continue;
        const span = { start: found.span.start - textAt.name, end: found.span.end - textAt.name };
        matches.add({ rule, channel, pattern, distance: found.distance, span });
        continue;
      }
      searched ??= read(parts, part);
      const found = compareLetters(engine, mode, ids, searched.ids, pattern.limit);
      if (found === undefined) continue;
      const span = originSpan(searched.text, found.span, part.end);
      matches.add({ rule, channel, pattern, distance: found.distance, span });
    }
  }

  /** The distances of whole texts are known from the filter. */
  function verify(count: number, parts: NameParts, part: Span, matches: FoundMatches): void {
    const others: number[] = [];
    for (let i = 0; i < count; i++) {
      const index = filter.found(i);
      const pattern = patterns[index];
      const distance = canLocate && mode === "label" ? filter.distance(i) : undefined;
      if (!pattern || distance === undefined) others.push(index);
      else if (!matches.isSettled(pattern))
        matches.add({ rule, channel, pattern, distance, span: { start: part.start, end: part.end } });
    }
    compare(others, parts, part, matches);
  }

  return { read, verify, compare };
}

function compareLetters(
  engine: DistanceEngine,
  mode: FilterMode,
  pattern: LetterIds,
  text: LetterIds,
  limit: number,
) {
  if (mode === "contains") return engine.within(pattern, text, 0, text.length, limit);
  const distance = engine.whole(pattern, text, 0, text.length, limit);
  return distance > limit ? undefined : { distance, span: { start: 0, end: text.length } };
}
