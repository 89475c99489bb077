/** Entry `edgeproof/brand`: finds names that resemble a brand and pictures that contain its logo. */

// Match names

export { compileQueries, type Matcher } from "../engine/brand/matching/matcher.ts";
export type { DomainMatch, DomainQuery, MatchOptions, StringMatch } from "../engine/brand/model.ts";
export { checkQueries } from "../engine/brand/query.ts";
export { tuneQuery } from "../engine/brand/tune.ts";

// Find logos

export type { LogoHit } from "../engine/logo/box.ts";
export type { BrandHit } from "../engine/logo/brand-score.ts";
export { type DescribeOptions, describeLogo } from "../engine/logo/describe.ts";
export type { LogoDescriptor } from "../engine/logo/descriptor.ts";
export {
  type CompiledLogo,
  type CompileLogoOptions,
  compileLogo,
  type FindLogosOptions,
  findLogos,
  type LogoHits,
} from "../engine/logo/find-logos.ts";

// Rules, hosts and results

export { recommendedRules } from "../engine/brand/matching/match-rules.ts";
export type { Scanned, ScanOptions } from "../engine/brand/matching/scan.ts";
export type { MatchMode, MatchRule } from "../engine/brand/model.ts";
export { type Host, type HostResult, normalizeHost } from "../engine/brand/names/host.ts";
export { checkStringMatches } from "../engine/brand/query.ts";
export type { TuneCounts, TunedSetting } from "../engine/brand/tune.ts";
export type { Raster } from "../engine/logo/decode/picture.ts";
export { describeRaster } from "../engine/logo/describe.ts";
export { type LogoRole, readLogoDescriptor } from "../engine/logo/descriptor.ts";
export type { InputCheck } from "../errors.ts";
