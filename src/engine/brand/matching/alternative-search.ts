/**
 * Searches names with letters outside of ASCII for patterns of which other letters are replaced, too (`alternative-letters.ts`). Such a
 * match has no edits, and the channel of confusables. A filter of coarse forms proposes patterns.
 */
import { mapInRows, type Steps } from "../../../core/work/steps.ts";
import { filterSteps } from "../filters/filter.ts";
import { namesMemory, textAt } from "../filters/filter-memory.ts";
import {
  type Alphabet,
  alphabetSteps,
  classCount,
  classOf,
  codePoints,
  patternWork,
} from "../names/alphabet.ts";
import { channelTextOf, originSpan } from "../names/channel-text.ts";
import { letterSkeleton } from "../names/confusables.ts";
import { type NameParts, searchedParts } from "../names/name-parts.ts";
import { shortPatternLength } from "../query.ts";
import {
  alternativesOf,
  coarseForm,
  findAlternatives,
  type LetterAlternatives,
} from "./alternative-letters.ts";
import type { FoundMatches } from "./found-matches.ts";
import type { NameSearch } from "./pattern-search.ts";
import type { DistinctPattern, PatternSet } from "./pattern-sets.ts";

/** A pattern, and the sets in which it is searched. */
interface AlternativePattern {
  readonly letters: readonly LetterAlternatives[];
  readonly coarse: readonly number[];
  readonly places: { readonly set: PatternSet; readonly pattern: DistinctPattern }[];
}

/** Makes the search for the patterns of all sets; undefined when none can be found by it. */
export function* alternativeSearchSteps(sets: readonly PatternSet[]): Steps<NameSearch | undefined> {
  const patterns = yield* alternativePatterns(sets);
  if (patterns.length === 0) return undefined;
  const alphabet = yield* alphabetSteps(patterns.map(({ coarse }) => ({ points: coarse })));
  const inIds = yield* mapInRows(patterns, patternWork, ({ coarse }) => ({
    ids: coarse.map(alphabet.idOf),
    limit: 0,
  }));
  const filter = yield* filterSteps(inIds, {
    mode: "contains",
    transpositions: false,
    classes: Math.min(alphabet.size, classCount),
  });
  const write = createCoarseWriter(alphabet);
  return {
    filter,
    search(name, matches) {
      const parts = name.parts();
      const count = filter.find(textAt.channel, textAt.channel + write(parts.points()));
      for (let i = 0; i < count; i++) {
        const found = patterns[filter.found(i)];
        if (found) addMatches(found, parts, matches);
      }
    },
  };
}

/** The patterns of at least `shortPatternLength` letters, some of which every alternative has. */
function* alternativePatterns(sets: readonly PatternSet[]): Steps<readonly AlternativePattern[]> {
  const known = new Map<string, AlternativePattern>();
  for (const set of sets) {
    if (set.channel !== "confusables" || set.rule.onlyWithEmbeddedSuffix) continue;
    yield* mapInRows(set.patterns, patternWork, ({ points, limit, uses: all }) => {
      const uses = all.filter((use) => use.points.length >= shortPatternLength);
      const text = String.fromCodePoint(...points);
      const coarse = codePoints(coarseForm(text));
      if (uses.length === 0 || coarse.length === 0) return;
      const pattern = known.get(text) ?? { letters: alternativesOf(text), coarse, places: [] };
      known.set(text, pattern);
      pattern.places.push({ set, pattern: { points, limit, uses } });
    });
  }
  return [...known.values()];
}

/** Writes the coarse form of a name as the text that the filter searches, and returns its length. */
function createCoarseWriter(alphabet: Alphabet): (points: readonly number[]) => number {
  const memory = namesMemory();
  const known = new Map<number, readonly number[]>();
  function classesOf(codePoint: number): readonly number[] {
    const classes = codePoints(coarseForm(letterSkeleton(codePoint))).map((c) => classOf(alphabet.idOf(c)));
    known.set(codePoint, classes);
    return classes;
  }
  return (points) => {
    let length = 0;
    for (const c of points)
      for (const letter of known.get(c) ?? classesOf(c)) memory.channel[length++] = letter;
    return length;
  };
}

function addMatches({ letters, places }: AlternativePattern, parts: NameParts, matches: FoundMatches): void {
  for (const { set, pattern } of places) {
    const { rule, dotted, runLength } = set;
    const { mode } = rule;
    for (const part of searchedParts(parts, { mode, dotted, runLength })) {
      const text = channelTextOf("confusables", parts.points(), part.start, part.end);
      const replaced = text.origin.map((at) => (parts.points()[at] ?? 0) > 0x7f);
      const found = findAlternatives(letters, { points: text.points, replaced }, mode !== "contains");
      if (!found) continue;
      const [start, end] = found;
      const span = originSpan(text, { start, end }, part.end);
      matches.add({ rule, channel: "confusables", pattern, distance: 0, span });
    }
  }
}
