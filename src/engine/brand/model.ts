/**
 * Types of domain matching: queries and matches. Members of queries have the interface's names (`spec`); further members
 * of a match are `chosen`.
 */

/** One pattern, and the maximum edit distance of a name from it. */
export interface StringMatch {
  /** 1 to 200 code points of any script. */
  readonly pattern: string;
  /** Integer, 0 to 3. */
  readonly max_edit_distance: number;
}

/** The members of a domain query that decide its matches: a name matches if it contains any of the patterns. */
export interface DomainQuery {
  /** Copied to each match; an integer. */
  readonly query_id: number;
  /** The patterns: 1 to 100. */
  readonly parameters: {
    /** 1 to 100 patterns. */
    readonly string_matches: readonly StringMatch[];
  };
}

/** The values of `MatchMode`. */
export const matchModes = ["contains", "label", "token"] as const;

/**
 * `contains`: the pattern is anywhere left of the public suffix. `label`: it is the whole registrable label. `token`: it
 * is a whole part between `.` and `-` left of the public suffix; a pattern with n separators is compared with every n + 1
 * neighboring parts.
 */
export type MatchMode = (typeof matchModes)[number];

/** One way to find a pattern (`chosen`). A pattern that any rule of a list finds is a match. */
export interface MatchRule {
  /** The part of a name that is compared. */
  readonly mode: MatchMode;
  /** Maximum number of edits, 0 to 3, for all patterns; by default each pattern's own `max_edit_distance`. */
  readonly maxEdits?: number | undefined;
  /** Shorter patterns are not searched by this rule. In code points, from 0; default 0. */
  readonly minLength?: number | undefined;
  /**
   * Only names in which a public suffix of two or more labels, or a country's, is followed by something else, as in
   * `paypal.co.jp.example.com` and `paypal-co-jp.com`. Default false.
   */
  readonly onlyWithEmbeddedSuffix?: boolean | undefined;
  /** Also compares without `-` and `.`; by default as the option `separators` of all rules. */
  readonly separators?: boolean | undefined;
}

/** How names are compared. All switches are off by default, because the interface does not have them. */
export interface MatchOptions {
  /**
   * One mode, or rules of which any may find a pattern: the smallest distance wins, then the order of the rules. Default
   * `contains`. `"recommended"` is `recommendedRules` with `transpositions` and `confusables`; it does not use `max_edit_distance`.
   */
  readonly mode?: MatchMode | "recommended" | readonly MatchRule[];
  /** Counts a swap of two neighbors as one edit (optimal string alignment) instead of two. Default false, with mode `recommended` true. */
  readonly transpositions?: boolean;
  /** Also compares the UTS #39 skeletons of name and pattern. Default false, with mode `recommended` true. */
  readonly confusables?: boolean;
  /** Also compares name and pattern without `-` and `.`. Default false. */
  readonly separators?: boolean;
  /**
   * Domains of one's own, such as `paypal.com`: they and their subdomains are never matches. A-labels, letter case and a final dot make
   * no difference. Not a public suffix. Default: none.
   */
  readonly own?: readonly string[];
}

/** The form of name and pattern that was compared; `plain` is the normalized string itself. */
export type Channel = "plain" | "confusables" | "separators" | "confusables+separators";

/** Half-open range. */
export interface Span {
  /** First position, from 0. */
  readonly start: number;
  /** Position after the last one. */
  readonly end: number;
}

/** How a look-alike was derived from a pattern. */
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
  | "embedded-suffix"
  | "other";

/** One pattern found in one name: its best occurrence. */
export interface DomainMatch {
  /** Id of the query. */
  readonly query_id: number;
  /** Position of the pattern in the query's `string_matches`. */
  readonly pattern_index: number;
  /** The pattern as given. */
  readonly pattern: string;
  /** Edits between the pattern and the text at the span, in the compared channel: 0 to 3. */
  readonly distance: number;
  /** In UTF-16 units of the host as given: `given.slice(start, end)`. Contains the whole of a label that was decoded. */
  readonly span: Span;
  /** The normalized host. */
  readonly host: string;
  /** In code points of the normalized host. */
  readonly host_span: Span;
  /** The mode of the matcher, or of the rule that found the pattern. */
  readonly mode: MatchMode;
  /** The form in which the pattern was found. */
  readonly channel: Channel;
  /** How the look-alike was derived. */
  readonly technique: Technique;
  /** 0 to 1; higher for smaller distances and longer patterns. Ranks matches; it is not a probability. */
  readonly score: number;
}
