/**
 * The shapes of domain matching: queries in, matches out. Member names of queries are the interface's own (`spec`);
 * what a match carries beyond them is `chosen`.
 */

/** One pattern and how many edits away from it a name may be. */
export interface StringMatch {
  /** 1 to 200 code points, any script. */
  readonly pattern: string;
  /** Integer, 0 to 3. */
  readonly max_edit_distance: number;
}

/** A saved domain query, as far as matching goes: any of its patterns will do. */
export interface DomainQuery {
  readonly query_id: number;
  readonly parameters: { readonly string_matches: readonly StringMatch[] };
}

/** `contains`: somewhere in the name left of its public suffix. `label`: the registrable label as a whole. */
export type MatchMode = "contains" | "label";

/** How names are compared. Everything but the mode is off by default, because the interface does not know it. */
export interface MatchOptions {
  /** Default `contains`. */
  readonly mode?: MatchMode;
  /** A swap of two neighbours counts as one edit (optimal string alignment) instead of two. */
  readonly transpositions?: boolean;
  /** Also compares the UTS #39 skeletons of both sides. */
  readonly confusables?: boolean;
  /** Also compares both sides without `-` and `.`. */
  readonly separators?: boolean;
}

/** Which form of name and pattern was compared; `plain` is the normalised text itself. */
export type Channel = "plain" | "confusables" | "separators" | "confusables+separators";

/** Half-open range. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a look-alike was made of the pattern it resembles. */
export type Technique =
  | "exact"
  | "omission"
  | "insertion"
  | "replacement"
  | "transposition"
  | "repetition"
  | "vowel-swap"
  | "keyboard-neighbour"
  | "bitsquat"
  | "homoglyph"
  | "hyphenation"
  | "combosquat"
  | "subdomain"
  | "tld-swap"
  | "other";

/** One pattern found in one name: its best occurrence. */
export interface DomainMatch {
  readonly query_id: number;
  /** Position of the pattern in the query's `string_matches`. */
  readonly pattern_index: number;
  /** The pattern as it was given. */
  readonly pattern: string;
  /** Edits between the pattern and what stands at the span, in the compared channel. */
  readonly distance: number;
  /** Where, in UTF-16 units of the host as it was given: `given.slice(start, end)`. A label that decoding changed is taken whole. */
  readonly span: Span;
  /** The normalised host. */
  readonly host: string;
  /** Where, in code points of the normalised host. */
  readonly host_span: Span;
  readonly mode: MatchMode;
  readonly channel: Channel;
  readonly technique: Technique;
  /** 0 to 1; higher is closer and longer. Ranks matches, is no probability. */
  readonly score: number;
}
