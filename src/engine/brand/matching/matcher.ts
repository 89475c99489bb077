/** Many patterns against one name at a time: compile once, match often. What a match is stands in `model.ts` and the guide (`chosen`). */
import { InvalidInputError } from "../../../errors.ts";
import type { DomainMatch, DomainQuery, MatchMode, MatchOptions } from "../model.ts";
import { type Alphabet, createAlphabet } from "../names/alphabet.ts";
import { createNameReader, nameCapacity } from "../names/name.ts";
import { checkQueries } from "../query.ts";
import { createLaneSearch, type LaneHit, type LaneSearch } from "./channel-search.ts";
import { lanesOf } from "./pattern-groups.ts";
import { describeFindings, type Finding } from "./report-match.ts";
import {
  type MatchOrFault,
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
  /** Bytes of the tables that are searched; the patterns themselves come on top. */
  readonly tableBytes: number;
  /**
   * The patterns found in a host, each with its best occurrence: the smallest distance wins, then the leftmost, then the
   * shortest span. In the order of the queries and their patterns. What is no host name matches nothing; `normalizeHost` says why.
   */
  match(host: string): readonly DomainMatch[];
  /**
   * Matches names as they come, one result for each name that matches. Lazy: nothing is read before it is asked for.
   * Names that are no host names are counted and reported, and never end the scan.
   *
   * @throws the abort reason once `signal` is aborted
   */
  scan<T extends string | NamedRecord>(
    names: NameSource<T>,
    options?: ScanOptions,
  ): AsyncGenerator<Scanned<T>, void, undefined>;
}

const none: readonly DomainMatch[] = Object.freeze([]);
const modes: readonly unknown[] = ["contains", "label"] satisfies MatchMode[];
const flags = ["transpositions", "confusables", "separators"] as const;

/**
 * Compiles queries into a matcher.
 *
 * @example
 * ```ts
 * const matcher = compileQueries([
 *   { query_id: 1, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] } },
 * ]);
 * matcher.match("secure-paypa1.example.com").map((m) => [m.distance, m.span, m.technique]);
 * // => [[1, { start: 7, end: 12 }, "homoglyph"]]
 * ```
 * @throws {InvalidInputError} with everything that `checkQueries` finds
 * @throws {TypeError} for an option that does not exist or has a wrong value
 */
export function compileQueries(queries: readonly DomainQuery[], options: MatchOptions = {}): Matcher {
  const { problems } = checkQueries(queries);
  if (problems.length > 0) throw new InvalidInputError("These queries cannot be compiled", problems);
  checkOptions(options);
  const { alphabet, searches } = searchesOf(queries, options);
  const match = createMatch(alphabet, searches, options.mode ?? "contains");
  return {
    patternCount: queries.reduce((n, query) => n + query.parameters.string_matches.length, 0),
    tableBytes: searches.reduce((bytes, { filter }) => bytes + filter.bytes, 0),
    match: (host) => match(host) ?? none,
    scan: (names, scanOptions) => scanNames(match, names, scanOptions),
  };
}

function checkOptions(options: MatchOptions): void {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const known = key === "mode" ? modes.includes(value) : isFlag(key) && typeof value === "boolean";
    if (!known) {
      throw new TypeError(
        `The option ${key} cannot be ${String(value)}: use mode "contains" or "label", and true or false for ${flags.join(", ")}.`,
      );
    }
  }
}

function isFlag(key: string): boolean {
  return flags.some((flag) => flag === key);
}

/** A search for each lane, and the alphabet in which the plain lanes, which come first, read names. */
function searchesOf(queries: readonly DomainQuery[], options: MatchOptions) {
  const { mode = "contains", transpositions = false } = options;
  const lanes = lanesOf(queries, options);
  const plain = lanes.filter(({ channel }) => channel === "plain");
  const alphabet = createAlphabet(plain.flatMap(({ patterns }) => patterns.map(({ points }) => points)));
  return {
    alphabet,
    searches: lanes.map((lane) => createLaneSearch(lane, { mode, transpositions }, alphabet)),
  };
}

function createMatch(alphabet: Alphabet, searches: readonly LaneSearch[], mode: MatchMode): MatchOrFault {
  const reader = createNameReader(alphabet, searches[0]?.filter.text ?? new Uint8Array(nameCapacity));
  let hits: LaneHit[] = [];

  return (host) => {
    if (!reader.read(host)) return undefined;
    for (let i = 0; i < searches.length; i++) searches[i]!.search(reader.name, hits);
    if (hits.length === 0) return none;
    const findings = bestOfEach(hits);
    hits = [];
    return describeFindings(findings, host, reader.name.subject(), mode);
  };
}

/** The best hit for each use of a pattern; at equal distance the channel searched first. In the order of the queries. */
function bestOfEach(hits: readonly LaneHit[]): readonly Finding[] {
  const all: Finding[] = [];
  for (const hit of hits) {
    for (const use of hit.pattern.uses) if (hit.distance <= use.limit) all.push({ use, hit });
  }
  // Sorting keeps the order of lanes, and so of channels, where all else is equal.
  all.sort((a, b) => a.use.order - b.use.order || a.hit.distance - b.hit.distance);
  return all.filter(({ use }, i) => use !== all[i - 1]?.use);
}
