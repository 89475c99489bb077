/** Messages about names between the page of the playground and its engines. Plain types, as in `messages.ts`. */
import type { FoundPattern, MarkedName } from "./brand-messages.ts";

/** How names are compared, as `MatchOptions` has it; with `recommended` the rules decide the rest. */
export interface NamesQuestion {
  /** One a line, as `paypal` or `paypal:2`. */
  readonly patterns: string;
  /** One a line. */
  readonly names: string;
  readonly mode: string;
  readonly confusables: boolean;
  readonly transpositions: boolean;
  readonly separators: boolean;
}

/** The names that patterns find. */
export interface NamesFound {
  /** Notes about the patterns: the searched word where it differs, and what is unusual about a pattern. */
  readonly notes: readonly LineMessage[];
  /** The rules that patterns were searched by, a sentence each. */
  readonly rules: readonly string[];
  /** Number of names that were compared. */
  readonly names: number;
  /** Number of names in which a pattern was found. */
  readonly named: number;
  /** Number of matches; `matches` has the first. */
  readonly total: number;
  readonly matches: readonly FoundName[];
  /** Number of lines that are not names; `invalid` has the first. */
  readonly invalidTotal: number;
  readonly invalid: readonly LineMessage[];
}

/** A sentence about a line, from 1. */
export interface LineMessage {
  readonly line: number;
  readonly message: string;
}

/** A match of a pattern with a name. */
export interface FoundName {
  readonly line: number;
  /** The host name as given. */
  readonly name: MarkedName;
  /** The form that was compared; absent when it is the same. */
  readonly normalized?: MarkedName;
  readonly found: FoundPattern;
  /** The part of the name that the rule compares, in words. */
  readonly where: string;
  /** The form of name and pattern that the rule compares, in words; absent for the normalized form itself. */
  readonly compared?: string;
}

/** Look-alikes of a domain. */
export interface LookAlikesView {
  /** With A-labels, those of fewer changes first. */
  readonly names: readonly LookAlikeView[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
}

/** A look-alike. */
export interface LookAlikeView {
  readonly domain: string;
  /** With U-labels; absent when it is the same. */
  readonly unicode?: string;
  readonly technique: string;
}
