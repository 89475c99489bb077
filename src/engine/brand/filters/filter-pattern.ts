/** The patterns of a filter, and their division among the algorithms. */

/** `label`: a pattern is compared with a whole text. `contains`: with its parts. */
export type FilterMode = "contains" | "label";

/** A pattern as letter ids, with its maximum distance. */
export interface FilterPattern {
  readonly ids: readonly number[];
  readonly limit: number;
}

/** A pattern in the order of the filter. */
export interface OrderedPattern extends FilterPattern {
  readonly classes: Uint8Array;
  /** Its position in the caller's list. */
  readonly index: number;
}

/** Patterns by algorithm, each list sorted by length. The concatenated lists are the order of the filter. */
export interface PartitionedPatterns {
  readonly linear: readonly OrderedPattern[];
  readonly grouped: readonly OrderedPattern[];
  readonly indexed: readonly OrderedPattern[];
}
