/** Messages between the screen Names and logos and its server part. Plain types without imports, as in `messages.ts`. */

/** The queries of an account. */
export interface BrandView {
  readonly names: readonly NameQueryView[];
  readonly logos: readonly LogoQueryView[];
}

/** A domain query. */
export interface NameQueryView {
  readonly id: string;
  readonly tag: string;
  readonly patterns: readonly { readonly pattern: string; readonly maxEdits: number }[];
  /** The lowest score that a match of the patterns can have, 0 to 1. */
  readonly threshold: number;
}

/** A logo query. */
export interface LogoQueryView {
  readonly id: string;
  readonly tag: string;
  /** The minimum score of its matches, 0 to 1. */
  readonly threshold: number;
}

/** A page of a list. */
export interface Page<T> {
  readonly matches: readonly T[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** Whether there are matches after this page. */
  readonly hasMore: boolean;
}

/** A name with the part that a pattern was found in. */
export interface MarkedName {
  readonly text: string;
  /** Offset of the first code unit; equal to `end` when the part is not known. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
}

/** How a pattern was found in a name. */
export interface FoundPattern {
  readonly pattern: string;
  readonly technique: string;
  readonly edits: number;
  /** 0 to 1. */
  readonly score: number;
}

/** A match of a name. */
export interface NameMatchView {
  /** Id of the domain. */
  readonly id: string;
  /** With A-labels. */
  readonly ascii: MarkedName;
  /** With U-labels; absent when it is the same. */
  readonly unicode?: MarkedName;
  /** How the query found the name; absent when it does not find it now and was stored by an earlier version. */
  readonly found?: FoundPattern;
  /** Whether `found` was computed for this list, and not stored. */
  readonly isRecomputed: boolean;
  /** Empty when it is unknown. */
  readonly registrar: string;
  /** Milliseconds since 1970. */
  readonly firstSeenMs: number;
  readonly isDismissed: boolean;
}

/** A match of a logo in a scanned picture. */
export interface LogoMatchView {
  readonly id: string;
  /** 0 to 1. */
  readonly score: number;
  /** `copy` or `dense`; `region` or absent in records of earlier versions. */
  readonly kind?: string;
  /** In pixels of the scanned picture. */
  readonly box?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Empty when it is unknown, like the two members below. */
  readonly domain: string;
  readonly registrar: string;
  /** Id of the scan. */
  readonly scan: string;
  /** Milliseconds since 1970. */
  readonly matchedAtMs: number;
  readonly isDismissed: boolean;
}
