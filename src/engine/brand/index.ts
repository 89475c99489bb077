/** Area B: which names resemble a brand, and which pictures resemble its logo. */
export {
  type Host,
  type HostFault,
  type HostResult,
  maxHostLength,
  maxLabelLength,
  normalizeHost,
} from "./host.ts";
export * from "./logo/index.ts";
export { compileQueries, type Matcher } from "./matcher.ts";
export type {
  Channel,
  DomainMatch,
  DomainQuery,
  MatchMode,
  MatchOptions,
  Span,
  StringMatch,
  Technique,
} from "./model.ts";
export {
  checkQueries,
  checkStringMatches,
  maxEditDistance,
  maxPatternLength,
  maxPatternsPerQuery,
  type QueryCheck,
  type QueryCheckOptions,
  shortPatternLength,
} from "./query.ts";
export type { BadName, NamedRecord, NameSource, Scanned, ScanOptions, ScanProgress } from "./scan.ts";
