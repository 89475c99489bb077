/**
 * Finds names that resemble a brand: `edgeproof/brand` without pictures, for browsers, workers and edge runtimes, too.
 *
 * @module
 */

// Match names

export { compileQueries, type Matcher } from "../../engine/brand/matching/matcher.ts";
export type { DomainMatch, DomainQuery, MatchOptions, StringMatch } from "../../engine/brand/model.ts";
export { checkQueries } from "../../engine/brand/query.ts";
export { tuneQuery } from "../../engine/brand/tune.ts";

// Rules, hosts and results

export { recommendedRules } from "../../engine/brand/matching/match-rules.ts";
export type { Scanned, ScanOptions } from "../../engine/brand/matching/scan.ts";
export type { MatchMode, MatchRule } from "../../engine/brand/model.ts";
export { type Host, type HostResult, normalizeHost } from "../../engine/brand/names/host.ts";
export { checkStringMatches } from "../../engine/brand/query.ts";
export type { TuneCounts, TunedSetting } from "../../engine/brand/tune.ts";
export type { InputCheck } from "../../errors.ts";
