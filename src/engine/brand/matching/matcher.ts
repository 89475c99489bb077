/** Matches many patterns with one name at a time: compile once, match often. `docs/interface/brand.md` defines a match (`chosen`). */
import { runSteps, type Steps } from "../../../core/work/steps.ts";
import { InvalidInputError } from "../../../errors.ts";
import { namesMemory } from "../filters/filter-memory.ts";
import { type Prefilter, type PrefilteredSet, prefilterSteps } from "../filters/prefilter.ts";
import type { Channel, DomainMatch, DomainQuery, MatchOptions } from "../model.ts";
import { type Alphabet, alphabetSteps } from "../names/alphabet.ts";
import { createNameReader } from "../names/name.ts";
import type { IsOwnName } from "../names/own-names.ts";
import { createTextWriter } from "../names/text-writer.ts";
import { checkQuerySteps, type PatternForm } from "../query.ts";
import { alternativeSearchSteps } from "./alternative-search.ts";
import { createFoundMatches, type PatternMatch } from "./found-matches.ts";
import { type MatchSettings, readMatchOptions } from "./match-rules.ts";
import {
  type ChannelSearch,
  type NameSearch,
  type PatternSearch,
  patternSearchSteps,
} from "./pattern-search.ts";
import { type PatternSet, patternSetSteps, rankOf } from "./pattern-sets.ts";
import { type BestMatch, describeMatches } from "./report-match.ts";
import {
  type MatchHost,
  type NamedRecord,
  type NameSource,
  type Scanned,
  type ScanOptions,
  scanNames,
} from "./scan.ts";

/** Compiled queries. */
export interface Matcher {
  /** Number of patterns, over all queries. */
  readonly patternCount: number;
  /** Bytes of the search tables, without the patterns themselves. */
  readonly tableBytes: number;
  /**
   * Returns the patterns found in a host, each with its best occurrence: the smallest distance wins, then the leftmost,
   * then the shortest span. They are in the order of the queries and their patterns. A string that is not a host name
   * has no matches; `normalizeHost` returns the reason.
   */
  match(host: string): readonly DomainMatch[];
  /**
   * Matches a stream of names lazily and yields one result for each name that matches.
   * Names that are not host names are counted and reported; they do not end the scan.
   *
   * @throws the abort reason once `signal` is aborted
   */
  scan<T extends string | NamedRecord>(
    names: NameSource<T>,
    options?: ScanOptions,
  ): AsyncGenerator<Scanned<T>, void, undefined>;
}

const none: readonly DomainMatch[] = Object.freeze([]);

/**
 * Compiles queries into a matcher. Of a pattern such as `https://paypal.com`, `www.paypal.com`, `*.paypal.com` or `PayPal®` the name
 * is searched; `checkQueries` has a note about it.
 *
 * @example
 * ```ts
 * const matcher = compileQueries([
 *   { query_id: 1, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] } },
 * ]);
 * matcher.match("secure-paypa1.example.com").map((m) => [m.distance, m.span, m.technique]);
 * // => [[1, { start: 7, end: 12 }, "homoglyph"]]
 * ```
 * @throws {InvalidInputError} with all problems that `checkQueries` returns
 * @throws {TypeError} for an option that does not exist or has a wrong value
 */
export function compileQueries(queries: readonly DomainQuery[], options: MatchOptions = {}): Matcher {
  return runSteps(compile(queries, options, "names"));
}

/** Compiles queries of which the patterns are searched as they were sent. */
export function compileStoredQueries(
  queries: readonly DomainQuery[],
  options: MatchOptions = {},
): Steps<Matcher> {
  return compile(queries, options, "as-sent");
}

/** Queries, and how names are compared with them. */
export interface MatcherPart {
  readonly queries: readonly DomainQuery[];
  readonly options: MatchOptions;
}

/** Compiles queries that are compared in several ways; the matches of a host are in the order of the parts. */
export function compileTogether(parts: readonly MatcherPart[]): Matcher {
  const all = parts.map(({ queries, options }) => runSteps(compileHost(queries, options, "names")));
  return matcherOf((host) => {
    const matches = all.map(({ match }) => match(host));
    // Whether a string is a host name is the same for all parts.
    return matches.includes(undefined) ? undefined : matches.flatMap((found) => found ?? none);
  }, all);
}

/** How the matches of a host are found, and the sizes of it. */
interface CompiledPart extends Pick<Matcher, "patternCount" | "tableBytes"> {
  readonly match: MatchHost;
}

function matcherOf(match: MatchHost, parts: readonly CompiledPart[]): Matcher {
  return {
    patternCount: parts.reduce((sum, { patternCount }) => sum + patternCount, 0),
    tableBytes: parts.reduce((sum, { tableBytes }) => sum + tableBytes, 0),
    match: (host) => match(host) ?? none,
    scan: (names, scanOptions) => scanNames(match, names, scanOptions),
  };
}

function* compile(
  queries: readonly DomainQuery[],
  options: MatchOptions,
  patterns: PatternForm,
): Steps<Matcher> {
  const part = yield* compileHost(queries, options, patterns);
  return matcherOf(part.match, [part]);
}

function* compileHost(
  queries: readonly DomainQuery[],
  options: MatchOptions,
  patterns: PatternForm,
): Steps<CompiledPart> {
  const { problems } = yield* checkQuerySteps(queries, { patterns });
  if (problems.length > 0) throw new InvalidInputError("These queries cannot be compiled", problems);
  const settings = readMatchOptions(options);
  const compiled = yield* searchesOf(yield* patternSetSteps(queries, settings, patterns), settings);
  return {
    patternCount: queries.reduce((n, query) => n + query.parameters.string_matches.length, 0),
    tableBytes: bytesOf(compiled),
    match: createMatch(compiled),
  };
}

function bytesOf({ searches, alternatives, prefilter }: CompiledSearches): number {
  const bytes = searches.reduce((n, { filter }) => n + filter.bytes, prefilter?.bytes ?? 0);
  return bytes + (alternatives?.filter.bytes ?? 0);
}

/** The steps of a match: a name is read, the prefilter selects patterns of it, and these are compared; without a prefilter every set is searched. */
interface CompiledSearches {
  /** The one that names are read in. */
  readonly alphabet: Alphabet;
  readonly prefilter: Prefilter | undefined;
  readonly searches: readonly PatternSearch[];
  /** The searches of sets that the prefilter does not have. */
  readonly unfiltered: readonly PatternSearch[];
  /** The search of names with letters outside of ASCII; its matches come after those of the same rule. */
  readonly alternatives: NameSearch | undefined;
  readonly isOwn: IsOwnName;
}

/** A search for each pattern set. The sets of a channel share alphabet and text. */
function* searchesOf(
  sets: readonly PatternSet[],
  { transpositions, isOwn }: MatchSettings,
): Steps<CompiledSearches> {
  const channels = new Map<Channel, ChannelSearch>();
  function* channelOf(channel: Channel): Steps<ChannelSearch> {
    const known = channels.get(channel) ?? (yield* createChannelSearch(channel, sets));
    channels.set(channel, known);
    return known;
  }
  const searches: PatternSearch[] = [];
  for (const set of sets)
    searches.push(yield* patternSearchSteps(set, transpositions, yield* channelOf(set.channel)));
  const prefiltered = sets.map(prefilteredSetOf);
  const usesPrefilter = prefiltered.filter((set) => set !== undefined).length >= minPrefiltered;
  return {
    alphabet: (yield* channelOf("plain")).alphabet,
    prefilter: usesPrefilter ? yield* prefilterSteps(prefiltered, transpositions) : undefined,
    searches,
    unfiltered: searches.filter((_, i) => prefiltered[i] === undefined),
    alternatives: yield* alternativeSearchSteps(sets),
    isOwn,
  };
}

/** Fewer searches take no longer than the prefilter. */
const minPrefiltered = 3;

/** The set as the prefilter reads it. Undefined for whole hosts and for names with an embedded suffix, where it does not help. */
function prefilteredSetOf({
  rule,
  channel,
  dotted,
  runLength,
  patterns,
}: PatternSet): PrefilteredSet | undefined {
  if (dotted || rule.onlyWithEmbeddedSuffix) return undefined;
  const joined = channel === "separators" || channel === "confusables+separators";
  // Parts that are joined are not compared as one.
  const isPart = rule.mode === "token" && (runLength === 1 || !joined);
  return {
    where: isPart ? "part" : "anywhere",
    runLength: isPart ? runLength : 1,
    skeleton: channel === "confusables" || channel === "confusables+separators",
    joined,
    patterns,
  };
}

function* createChannelSearch(channel: Channel, sets: readonly PatternSet[]): Steps<ChannelSearch> {
  const patterns = sets.filter((set) => set.channel === channel).flatMap((set) => set.patterns);
  const alphabet = yield* alphabetSteps(patterns);
  return { alphabet, writer: createTextWriter(channel, alphabet, namesMemory()) };
}

function createMatch({
  alphabet,
  prefilter,
  searches,
  unfiltered,
  alternatives,
  isOwn,
}: CompiledSearches): MatchHost {
  const reader = createNameReader(alphabet, namesMemory(), prefilter !== undefined);
  const { name } = reader;
  const matches = createFoundMatches();
  const selected: readonly number[][] = searches.map(() => []);

  function select(set: number, pattern: number): void {
    selected[set]?.push(pattern);
  }

  function searchSelected({ find, eachFound }: Prefilter): void {
    const count = find(name.textBound);
    if (count > 0) eachFound(count, select);
    for (let i = 0; count > 0 && i < searches.length; i++) {
      const patterns = selected[i];
      if (!patterns?.length) continue;
      searches[i]?.searchFor(patterns, name, matches);
      patterns.length = 0;
    }
    for (const each of unfiltered) each.search(name, matches);
  }

  return (host) => {
    if (!reader.read(host)) return undefined;
    // Here and not at the end, which a search that fails does not reach.
    if (matches.all.length > 0) matches.clear();
    if (prefilter !== undefined && name.ascii !== undefined) searchSelected(prefilter);
    else for (const each of searches) each.search(name, matches);
    if (name.ascii === undefined) alternatives?.search(name, matches);
    if (matches.all.length === 0) return none;
    const best = bestOfEach(matches.all);
    if (isOwn(name.parts().host)) return none;
    return describeMatches(best, host, name.parts());
  };
}

/** The best match of each pattern of each query, in the order of the queries; at equal distance the first rule and channel win. */
function bestOfEach(matches: readonly PatternMatch[]): readonly BestMatch[] {
  const all: BestMatch[] = [];
  for (const match of matches) {
    for (const use of match.pattern.uses) if (match.distance <= use.limit) all.push({ use, match });
  }
  sortUses(all);
  let kept = 0;
  for (const match of all) {
    if (kept === 0 || match.use.order !== all[kept - 1]?.use.order) all[kept++] = match;
  }
  all.length = kept;
  return all;
}

/** More uses than these are sorted by the built-in sort, which takes longer to start. */
const maxInserted = 12;

/** Sorts by pattern, distance and rule; equal matches keep the order of their channels and their positions. */
function sortUses(all: BestMatch[]): void {
  if (all.length > maxInserted) {
    all.sort(compareUses);
    return;
  }
  for (let i = 1; i < all.length; i++) insertUse(all, i);
}

/** Moves the i-th before those that come after it. */
function insertUse(all: BestMatch[], i: number): void {
  const inserted = all[i];
  let at = i;
  while (inserted && at > 0) {
    const before = all[at - 1];
    if (!before || compareUses(before, inserted) <= 0) break;
    all[at--] = before;
  }
  if (inserted) all[at] = inserted;
}

function compareUses(a: BestMatch, b: BestMatch): number {
  return (
    a.use.order - b.use.order ||
    a.match.distance - b.match.distance ||
    rankOf(a.use, a.match.distance) - rankOf(b.use, b.match.distance)
  );
}
