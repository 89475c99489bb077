/** The maximum sizes and counts of one request, zone or account. All of them are options: `createEdge({ limits })`. */

import { anyValue, eachMember, optionGroup, requireArgument } from "../core/arguments.ts";
import type { Profile } from "../core/profiles.ts";
import { imageLimits } from "../engine/images/limits.ts";
import { defaultMaxBytes, defaultMaxPixels, maxMaxPixels } from "../engine/logo/decode/limits.ts";
import { defaultMaxKeys } from "../engine/tokens/jwt/keys/key-set.ts";
import { verifierDefaults } from "../engine/tokens/jwt/verifier.ts";
import { quote } from "../errors.ts";

/** Maximum sizes and counts; integers from 0, where the docstring names no other range. */
export interface Limits {
  /** JSON request body, in bytes. */
  readonly bodyBytes: number;
  /** Nesting levels of a JSON request body. */
  readonly jsonDepth: number;
  /** Token, in bytes, at least 1; a longer one is malformed. */
  readonly tokenBytes: number;
  /** Cached verdicts of repeated tokens, for each configuration. */
  readonly cachedTokens: number;
  /** Keys of one configuration; 16 by default in profile `provider` (`observed`). */
  readonly keysPerConfig: number;
  /** Rules of one zone. */
  readonly rulesPerZone: number;
  /** Rulesets of one zone or account that requests create (`chosen`). */
  readonly rulesetsPerOwner: number;
  /** Rules of one ruleset that requests write (`chosen`). */
  readonly rulesPerRuleset: number;
  /** Lists of one account that requests create (`chosen`). */
  readonly listsPerAccount: number;
  /** Items of one list that requests change (`chosen`). */
  readonly itemsPerList: number;
  /** Rules in one bulk request. */
  readonly bulkRules: number;
  /** Zones with cached compiled rules. */
  readonly compiledZones: number;
  /** Accounts with cached compiled domain queries and logo descriptors. */
  readonly compiledAccounts: number;
  /** Domain queries of one account. */
  readonly domainQueriesPerAccount: number;
  /** Logo queries of one account. */
  readonly logoQueriesPerAccount: number;
  /** Logos whose compiled templates are kept for the dense search, over all accounts; about 0.2 MB each. */
  readonly compiledLogos: number;
  /** Stored pictures that a new logo query searches densely before it is answered; with more, in the background. */
  readonly lookbackAtOnce: number;
  /** Stored pictures of which a new logo query searches a tenth densely; of fewer it searches each (`chosen`). */
  readonly lookbackPiece: number;
  /** Observed names that a domain query searches before it is answered; more are searched in the background (`chosen`). */
  readonly lookbackNamesAtOnce: number;
  /** Picture of brand protection, in bytes. */
  readonly logoBytes: number;
  /** Picture of brand protection, in pixels, from 1 to 100,000,000. */
  readonly logoPixels: number;
  /** Body of one request with observed names, in bytes (`chosen`). */
  readonly observationBytes: number;
  /** Lines of one request with observed names (`chosen`). */
  readonly observationLines: number;
  /** Pictures of one request with observed pictures; together they have at most `imageUploadBytes` (`chosen`). */
  readonly observationPictures: number;
  /** File of one image upload, in bytes (10 MB, `spec`). */
  readonly imageUploadBytes: number;
  /** Source of a transformation by address, in bytes (100 MB, `observed`). */
  readonly imageSourceBytes: number;
  /** Original that is served unchanged as the base image, in bytes; a larger one is re-encoded. */
  readonly imageBaseBytes: number;
  /** Uploaded image, in pixels of one frame; and all frames of an animation together, of an upload and of a delivered one. */
  readonly imageInputPixels: number;
  /** Side of an uploaded image, in pixels, except for WebP and AVIF. */
  readonly imageInputSide: number;
  /** Frames of an uploaded animation. */
  readonly imageInputFrames: number;
  /** Animation that is transformed, in pixels over all frames; a larger one is delivered unchanged. */
  readonly imageTransformedAnimationPixels: number;
  /** Longer side of an AVIF, in pixels: of a delivered one, for a larger image gets the next format; and of the source of a transformation. */
  readonly imageAvifSide: number;
  /** Delivered image, in pixels; of an animation one frame counts. */
  readonly imageOutputPixels: number;
  /** Stored images of one account, unless the world sets another number. */
  readonly imagesPerAccount: number;
  /** Images that one listing of v2 returns over all of its pages (`spec`). */
  readonly imagesPerListing: number;
  /** Variants of one account. */
  readonly variantsPerAccount: number;
  /** Signing keys of one account. */
  readonly signingKeysPerAccount: number;
  /** Images rendered at the same time, and uploads decoded at the same time; 0 counts as 1. */
  readonly concurrentRenders: number;
  /** Images that are decoded at the same time, in pixels over all of them and their frames; a larger image is decoded alone. */
  readonly decodingPixels: number;
  /** Renderings that wait; further deliveries are rejected. */
  readonly queuedRenders: number;
  /** Cache of rendered images, in bytes. */
  readonly renderedCacheBytes: number;
}

/** The defaults (`chosen`, unless a docstring of `Limits` states another source). */
export const defaultLimits: Limits = {
  bodyBytes: 1_048_576,
  jsonDepth: 64,
  tokenBytes: verifierDefaults.maxTokenBytes,
  cachedTokens: 10_000,
  keysPerConfig: defaultMaxKeys,
  rulesPerZone: 10_000,
  rulesetsPerOwner: 1_000,
  rulesPerRuleset: 10_000,
  listsPerAccount: 1_000,
  itemsPerList: 10_000,
  bulkRules: 1_000,
  compiledZones: 100,
  compiledAccounts: 100,
  domainQueriesPerAccount: 1_000,
  logoQueriesPerAccount: 1_000,
  compiledLogos: 1_000,
  lookbackAtOnce: 100,
  lookbackPiece: 100,
  lookbackNamesAtOnce: 100_000,
  logoBytes: defaultMaxBytes,
  logoPixels: defaultMaxPixels,
  observationBytes: 10_485_760,
  observationLines: 100_000,
  observationPictures: 1_000,
  imageUploadBytes: imageLimits.uploadBytes,
  imageSourceBytes: 100_000_000,
  imageBaseBytes: imageLimits.baseBytes,
  imageInputPixels: imageLimits.inputPixels,
  imageInputSide: imageLimits.inputSide,
  imageInputFrames: imageLimits.inputFrames,
  imageTransformedAnimationPixels: imageLimits.transformedAnimationPixels,
  imageAvifSide: imageLimits.avifSide,
  imageOutputPixels: imageLimits.outputPixels,
  imagesPerAccount: 100_000,
  imagesPerListing: 10_000,
  variantsPerAccount: 100,
  signingKeysPerAccount: 20,
  concurrentRenders: 4,
  decodingPixels: 100_000_000,
  queuedRenders: 256,
  renderedCacheBytes: 67_108_864,
};

const limitGroup = optionGroup<Limits>("limits", eachMember(defaultLimits, anyValue));

/** The defaults of a profile that differ (`observed`). */
const profileLimits: Readonly<Record<Profile, Partial<Limits>>> = {
  spec: {},
  provider: { keysPerConfig: 16 },
};

/** The values that a limit may have: integers from `min` to `max`. */
export interface LimitRange {
  readonly min: number;
  readonly max: number;
}

/** Ranges of the limits that are passed on to an engine that accepts nothing else. */
const ranges: Readonly<Partial<Record<string, Partial<LimitRange>>>> = {
  tokenBytes: { min: 1 },
  logoPixels: { min: 1, max: maxMaxPixels },
};

/** The range of a limit. */
export function limitRange(name: string): LimitRange {
  return { min: 0, max: Number.MAX_SAFE_INTEGER, ...ranges[name] };
}

/** Whether a limit may have a value. */
export function isLimit(name: string, value: number): boolean {
  const { min, max } = limitRange(name);
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

/** The range of a limit in a message: `from 0`, or `from 1 to 100000000`. */
export function limitRangeText(name: string): string {
  const { min, max } = limitRange(name);
  return max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
}

/**
 * The defaults of a profile with the caller's own limits over them.
 *
 * @throws {TypeError} for an unknown limit
 * @throws {RangeError} for a value that is not an integer of its range
 */
export function resolveLimits(own: Partial<Limits> = {}, profile: Profile = "spec"): Limits {
  requireArgument("limits", own, limitGroup);
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !isLimit(name, value)) {
      throw new RangeError(
        `limits.${name} must be an integer ${limitRangeText(name)}; found ${quote(value)}`,
      );
    }
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...profileLimits[profile], ...Object.fromEntries(given) };
}
