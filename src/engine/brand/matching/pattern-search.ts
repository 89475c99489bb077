/** Searches names for one pattern set: a filter proposes patterns, the exact distance confirms them. */

import { type CandidateFilter, createFilter } from "../filters/filter.ts";
import type { Channel, MatchMode, Span } from "../model.ts";
import { type Alphabet, classCount, classOf, createAlphabet } from "../names/alphabet.ts";
import { type ChannelText, channelTextOf, originSpan } from "../names/channel-text.ts";
import type { Name } from "../names/name.ts";
import { type NameParts, searchedPart } from "../names/name-parts.ts";
import { createDistanceEngine, type DistanceEngine, type LetterIds } from "./distance.ts";
import type { DistinctPattern, PatternSet } from "./pattern-sets.ts";

/** A pattern found in a name. */
export interface PatternMatch {
  readonly channel: Channel;
  readonly pattern: DistinctPattern;
  readonly distance: number;
  /** In code points of the host. */
  readonly span: Span;
}

export interface PatternSearch {
  readonly filter: CandidateFilter;
  /** Adds the patterns found in a name to `matches`. */
  search(name: Name, matches: PatternMatch[]): void;
}

/** A part of a name in a channel, and the ids of its letters. */
interface SearchedText {
  readonly text: ChannelText;
  readonly ids: readonly number[];
}

/** Letters in a word of the filter. Its rows are those of the label, or those of the pattern. */
const wordLength = 64;

/** How all searches of a matcher compare. */
export interface SearchSettings {
  readonly mode: MatchMode;
  readonly transpositions: boolean;
}

/**
 * Above this many labels the public suffix is looked up before labels are compared: a look-up costs about as much as
 * comparing a dozen labels.
 */
const maxComparedLabels = 8;

/**
 * Makes the search for a pattern set.
 *
 * @param plain the alphabet that names are read in; a set of another channel makes its own
 */
export function createPatternSearch(
  set: PatternSet,
  settings: SearchSettings,
  plain: Alphabet,
): PatternSearch {
  const { channel, dotted } = set;
  const alphabet = channel === "plain" ? plain : createAlphabet(set.patterns.map(({ points }) => points));
  const patterns = set.patterns.map(({ points, limit }) => ({ ids: points.map(alphabet.idOf), limit }));
  const filter = createFilter(patterns, settings);
  const verifier = createVerifier(set, settings, alphabet, filter);

  /** The public suffix is known, so that there is exactly one part to search. */
  function searchPart(parts: NameParts, matches: PatternMatch[]): void {
    const part = searchedPart(parts, settings.mode, dotted);
    if (part === undefined) return;
    const { text, ids } = verifier.read(parts, part);
    // Plain letters keep their positions, so that positions in the filter are positions in the host.
    const at = channel === "plain" ? part.start : 0;
    ids.forEach((id, i) => {
      filter.text[at + i] = classOf(id);
    });
    verifier.verify(filter.find(at, at + text.points.length), parts, part, matches);
  }

  /**
   * The public suffix contains at least the last label, so the rest of the name is searched first; the suffix is
   * looked up only when a pattern is found there.
   */
  function searchText(name: Name, matches: PatternMatch[]): void {
    const last = name.labels > 1 && !dotted ? name.labels - 2 : name.labels - 1;
    const count = filter.find(0, name.labelEnds[last] ?? name.length);
    if (count === 0) return;
    const parts = name.parts();
    const part = searchedPart(parts, "contains", dotted);
    if (part) verifier.verify(count, parts, part, matches);
  }

  /** Each label but the last may be the registrable one; the suffix is looked up only when a pattern is found. */
  function searchLabels(name: Name, matches: PatternMatch[]): void {
    const compared = name.labels > 1 ? name.labels - 1 : 1;
    for (let i = 0, start = 0; i < compared; i++) {
      const end = name.labelEnds[i] ?? name.length;
      const count = filter.find(start, end);
      if (count > 0) {
        const parts = name.parts();
        if (parts.label?.start === start) verifier.verify(count, parts, parts.label, matches);
      }
      start = end + 1;
    }
  }

  const isLabel = settings.mode === "label";
  const needsParts = channel !== "plain" || (isLabel && dotted);

  return {
    filter,
    search(name, matches) {
      if (needsParts || (isLabel && name.labels > maxComparedLabels))
        return searchPart(name.parts(), matches);
      // Names are read into the first set's filter, which needs no copy.
      if (name.classes !== filter.text) filter.text.set(name.classes.subarray(0, name.length));
      if (isLabel) searchLabels(name, matches);
      else searchText(name, matches);
    },
  };
}

/** Confirms the patterns that a filter proposes. */
interface Verifier {
  read(parts: NameParts, part: Span): SearchedText;
  /** Adds those of the filter's first `count` patterns that are in this part of a name. */
  verify(count: number, parts: NameParts, part: Span, matches: PatternMatch[]): void;
}

function createVerifier(
  { channel, patterns }: PatternSet,
  { mode, transpositions }: SearchSettings,
  alphabet: Alphabet,
  filter: CandidateFilter,
): Verifier {
  const patternIds = patterns.map(({ points }) => points.map(alphabet.idOf));
  const longest = patternIds.reduce((n, ids) => Math.max(n, ids.length), 0);
  const engine = createDistanceEngine(alphabet.size, longest, transpositions);
  // The filter compares letters exactly when no two share a class, and locates them in the host when none is replaced.
  const canLocate = channel === "plain" && alphabet.size <= classCount;

  function read(parts: NameParts, { start, end }: Span): SearchedText {
    const text = channelTextOf(channel, parts.points, start, end);
    return { text, ids: text.points.map(alphabet.idOf) };
  }

  function verify(count: number, parts: NameParts, part: Span, matches: PatternMatch[]): void {
    let searched: SearchedText | undefined;
    for (let i = 0; i < count; i++) {
      const index = filter.found(i);
      const pattern = patterns[index];
      const ids = patternIds[index];
      if (!pattern || !ids) continue;
      const rows = mode === "label" ? part.end - part.start : ids.length;
      if (canLocate && rows <= wordLength) {
        const found = filter.locate(i, part.start, part.end);
        if (found) matches.push({ channel, pattern, distance: found.distance, span: found.span });
        continue;
      }
      searched ??= read(parts, part);
      const found = compare(engine, mode, ids, searched.ids, pattern.limit);
      if (found === undefined) continue;
      const span = originSpan(searched.text, found.span, part.end);
      matches.push({ channel, pattern, distance: found.distance, span });
    }
  }

  return { read, verify };
}

function compare(
  engine: DistanceEngine,
  mode: MatchMode,
  pattern: LetterIds,
  text: LetterIds,
  limit: number,
) {
  if (mode === "contains") return engine.within(pattern, text, 0, text.length, limit);
  const distance = engine.whole(pattern, text, 0, text.length, limit);
  return distance > limit ? undefined : { distance, span: { start: 0, end: text.length } };
}
