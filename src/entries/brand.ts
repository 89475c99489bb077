/** Entry `edgeproof/brand`: finds names that resemble a brand and pictures that contain its logo. */

export { recommendedRules } from "../engine/brand/matching/match-rules.ts";
export { compileQueries, type Matcher } from "../engine/brand/matching/matcher.ts";
export type {
  InvalidName,
  NamedRecord,
  NameSource,
  Scanned,
  ScanOptions,
  ScanProgress,
} from "../engine/brand/matching/scan.ts";
export type {
  Channel,
  DomainMatch,
  DomainQuery,
  MatchMode,
  MatchOptions,
  MatchRule,
  Span,
  StringMatch,
  Technique,
} from "../engine/brand/model.ts";
export {
  type Host,
  type HostProblem,
  type HostProblemReason,
  type HostResult,
  maxHostLength,
  maxLabelLength,
  normalizeHost,
} from "../engine/brand/names/host.ts";
export {
  checkQueries,
  checkStringMatches,
  maxEditDistance,
  maxPatternLength,
  maxPatternsPerQuery,
  type QueryCheckOptions,
  shortPatternLength,
} from "../engine/brand/query.ts";
export { type TuneCounts, type TunedSetting, tuneQuery } from "../engine/brand/tune.ts";
export type { LogoMatchKind, PixelBox } from "../engine/logo/box.ts";
export { type DecodeLimits, defaultMaxBytes, defaultMaxPixels } from "../engine/logo/decode/decode.ts";
export type { Raster } from "../engine/logo/decode/picture.ts";
export type { DenseCalibration, Detector } from "../engine/logo/dense/detector.ts";
export {
  type DescribeOptions,
  describeLogo,
  describeRaster,
} from "../engine/logo/describe.ts";
export { type LogoDescriptor, type LogoRole, readLogoDescriptor } from "../engine/logo/descriptor.ts";
export { compareLogos, type LogoComparison } from "../engine/logo/features/compare.ts";
export {
  type CompiledLogo,
  type CompileLogoOptions,
  compileLogo,
  type FindLogosOptions,
  findLogos,
  type LogoHit,
  type LogoHits,
} from "../engine/logo/find-logos.ts";
export type { LogoId } from "../engine/logo/index/prefilter-table.ts";
export {
  createLogoIndex,
  type LogoIndex,
  type LogoIndexOptions,
  type LogoLoader,
  type LogoMatch,
  type LogoSearchOptions,
} from "../engine/logo/index/search-index.ts";
export type { Region, View } from "../engine/logo/regions/views.ts";
export type { InputCheck } from "../errors.ts";
