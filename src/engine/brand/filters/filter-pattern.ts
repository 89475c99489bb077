/** Patterns as the filters see them, and how they are divided among the algorithms. */

/** A pattern as filters see it: letter ids. */
export interface FilterPattern {
  readonly ids: readonly number[];
  readonly limit: number;
}

/** A pattern in the filter's own order. */
export interface PlacedPattern extends FilterPattern {
  readonly classes: Uint8Array;
  /** Its place in the list that was given. */
  readonly index: number;
}

/** Patterns by algorithm, each sorted by length. Their order is the filter's. */
export interface Placed {
  readonly linear: readonly PlacedPattern[];
  readonly grouped: readonly PlacedPattern[];
  readonly indexed: readonly PlacedPattern[];
}
