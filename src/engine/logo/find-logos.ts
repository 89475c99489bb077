/** Searches pictures for logos in both ways: by candidate regions, and densely at every place. */

import { type Result, success } from "../../core/result.ts";
import { runStepsAsync, type Steps } from "../../core/work/steps.ts";
import { type LogoHit, pixelBox, regionHit } from "./box.ts";
import { type BrandHit, bestOfBrand, maxBrandLogos } from "./brand-score.ts";
import { type DecodeLimits, decodeLogo } from "./decode/decode.ts";
import type { Raster } from "./decode/picture.ts";
import { denseScore } from "./dense/dense-score.ts";
import {
  compileSteps,
  type DenseCalibration,
  type Detector,
  noDetector,
  textValue,
} from "./dense/detector.ts";
import { type DenseMatch, type DensePlace, searchSteps } from "./dense/search-picture.ts";
import { describeSteps } from "./describe.ts";
import type { LogoDescriptor } from "./descriptor.ts";
import { compareLogos } from "./features/compare.ts";
import { letterLogoNotes } from "./plain-logo.ts";
import { scoreOnScale } from "./score-scale.ts";
import {
  freeScore,
  maxSupportedAspect,
  maxSupportedShare,
  minSharedPart,
  pageSide,
  supportedScores,
} from "./tuning.ts";

/** A logo that `findLogos` searches for. */
export interface CompiledLogo {
  /** The logo as a query, for `compareLogos` and indexes. */
  readonly descriptor: LogoDescriptor;
  /** Its templates, for the dense search. */
  readonly detector: Detector;
}

/** Options of `compileLogo`. */
export interface CompileLogoOptions extends DecodeLimits {
  /** Also search the logo rotated by about 16 degrees, in three times the time. False by default. */
  readonly rotations?: boolean;
  /** Compare the logo with regions of pictures only, in less time; false by default. */
  readonly regionsOnly?: boolean;
  /** `detector.calibration` of an earlier call for the same picture; saves most of the time. */
  readonly calibration?: DenseCalibration;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

/** Options of `findLogos`. */
export interface FindLogosOptions extends DecodeLimits {
  /** Maximum of pixels that are prepared at once, from 65,536; 4,000,000 by default. A pixel takes up to 60 bytes. */
  readonly workingPixels?: number;
  /** Ends the search early. */
  readonly signal?: AbortSignal;
}

/** The result of `findLogos`. */
export interface LogoHits {
  /** Width of the decoded picture in pixels, from 1. */
  readonly width: number;
  /** Height of the decoded picture in pixels, from 1. */
  readonly height: number;
  /** Side of a pixel of the dense search: 1, or 0.5, 0.25 and so on for a picture that was reduced for it. */
  readonly scale: number;
  /** The best place of each logo or brand, in their order. */
  readonly findings: readonly BrandHit[];
}

/** Minimum of `workingPixels`. */
const minWorkingPixels = 65_536;

/**
 * Compiles an image file of a logo, PNG or JPEG. Takes about 0.15 seconds, and returns to the event loop between.
 *
 * A bad, oversized, truncated or animated file is a failure with one problem of code 7001.
 *
 * @throws {TypeError} when the image is not a Uint8Array
 * @throws {RangeError} when `maxPixels` is not an integer from 1 to 100,000,000
 * @throws the abort reason of `signal`
 * @example
 * ```ts
 * const result = await compileLogo(Buffer.from("no image"));
 * result.ok || result.problems[0].message;
 * // => "The image must be PNG or JPEG; found an unknown format."
 * ```
 */
export async function compileLogo(
  image: Uint8Array,
  options: CompileLogoOptions = {},
): Promise<Result<CompiledLogo>> {
  if (!(image instanceof Uint8Array)) throw new TypeError("compileLogo takes the bytes of an image file.");
  const decoded = await decodeLogo(image, "query", options);
  if (!decoded.ok) return decoded;
  const { rotations = false, regionsOnly = false, calibration, signal } = options;
  const descriptor = await runStepsAsync(describeSteps(decoded.value, "query"), signal);
  if (regionsOnly) return success({ descriptor, detector: noDetector });
  const detector = await runStepsAsync(compileSteps(decoded.value, { rotations, calibration }), signal);
  const notes = [...descriptor.notes, ...letterLogoNotes(textValue(detector.calibration))];
  return success({ descriptor: { ...descriptor, notes }, detector });
}

/**
 * Searches an image file for logos: PNG, JPEG, WebP, GIF or AVIF. Returns to the event loop every few milliseconds.
 *
 * Each item is a logo, or a brand: the list of its logos, such as versions, a tile and the word mark. The best logo of a
 * brand counts, with a score that has the alarms of one logo: the more logos, the lower.
 *
 * A bad, oversized, truncated or animated file is a failure with one problem of code 7001.
 *
 * @throws {TypeError} when the image is not a Uint8Array
 * @throws {RangeError} when `workingPixels` is not an integer from 65,536, or `maxPixels` not one from 1 to 100,000,000, or
 * a brand does not have 1 to 20 logos
 * @throws the abort reason of `signal`
 * @example
 * ```ts
 * const result = await findLogos(new Uint8Array(), []);
 * result.ok || result.problems[0].message;
 * // => "The image must be an image file; found no bytes."
 * ```
 */
export async function findLogos(
  image: Uint8Array,
  logos: readonly (CompiledLogo | readonly CompiledLogo[])[],
  options: FindLogosOptions = {},
): Promise<Result<LogoHits>> {
  if (!(image instanceof Uint8Array)) throw new TypeError("findLogos takes the bytes of an image file.");
  const { workingPixels, signal } = options;
  if (
    workingPixels !== undefined &&
    !(Number.isSafeInteger(workingPixels) && workingPixels >= minWorkingPixels)
  ) {
    throw new RangeError(
      `\`workingPixels\` must be an integer from ${minWorkingPixels}; found \`${workingPixels}\`.`,
    );
  }
  const brands = logos.map((each) => ("detector" in each ? [each] : each));
  for (const { length } of brands) assertBrandSize(length);
  const all = brands.flat();
  const decoded = await decodeLogo(image, "scan", options);
  if (!decoded.ok) return decoded;
  const raster = decoded.value;
  const scan = await runStepsAsync(describeSteps(raster, "scan"), signal);
  const detectors = all.map(({ detector }) => detector);
  const steps = searchSteps(raster, detectors, workingPixels === undefined ? {} : { workingPixels });
  const { scale, matches } = await runStepsAsync(steps, signal);
  const hits = await runStepsAsync(compareSteps(all, scan, matches), signal);
  const findings = brands.map(({ length }) => bestOfBrand(hits.splice(0, length)));
  return success({ width: raster.width, height: raster.height, scale, findings });
}

/** @throws {RangeError} when a brand has no logo or too many */
function assertBrandSize(logos: number): void {
  if (logos >= 1 && logos <= maxBrandLogos) return;
  throw new RangeError(`A brand must have 1 to ${maxBrandLogos} logos; found ${logos}.`);
}

/** Pixels that cost as much as comparing two descriptors. */
const comparisonPixels = 1 << 15;

/** The better finding of each logo, in steps. */
function* compareSteps(
  logos: readonly CompiledLogo[],
  scan: LogoDescriptor,
  matches: readonly (DenseMatch | undefined)[],
): Steps<LogoHit[]> {
  const findings: LogoHit[] = [];
  for (const [i, { descriptor, detector }] of logos.entries()) {
    const { score, region } = compareLogos(descriptor, scan);
    const hit = regionHit(score, region, scan);
    findings.push(detector.templates.length === 0 ? hit : betterHit(hit, matches[i], scan));
    yield comparisonPixels;
  }
  return findings;
}

/**
 * The finding of the larger score; of equal scores that of the regions.
 *
 * @param match the places of the dense search; undefined when it found none
 */
export function betterHit(
  hit: LogoHit,
  match: DenseMatch | undefined,
  picture: Pick<Raster, "width" | "height">,
): LogoHit {
  const region = { ...hit, score: Math.min(hit.score, supportedScore(hit, match, picture)) };
  if (!match) return region;
  const score = denseScore(match.value);
  if (score <= region.score) return region;
  return { score, kind: "dense", box: pixelBox(sharesOf(match.box, picture), picture) };
}

/**
 * The maximum score of a region of a page, by what the dense search reaches there: letters of text, and other small
 * things, are similar to plain logos as regions, but not edge by edge. Large parts of a picture need no support, nor
 * do wide marks, which the dense search misses more often than it confirms letters.
 */
function supportedScore(
  { score, box }: LogoHit,
  match: DenseMatch | undefined,
  picture: Pick<Raster, "width" | "height">,
): number {
  if (!box || score >= denseScore(1) || Math.max(picture.width, picture.height) < pageSide) return 1;
  const { x, y, width, height } = box;
  if (width * height > maxSupportedShare * picture.width * picture.height) return 1;
  if (width > maxSupportedAspect * height) return 1;
  const values = (match?.places ?? [])
    .filter((place) => !place.isPart && sharedPart([x, y, x + width, y + height], place.box) > minSharedPart)
    .map(({ value }) => denseScore(value));
  return scoreOnScale(Math.max(0, ...values), supportedScores) + Math.max(0, score - freeScore);
}

type Corners = DensePlace["box"];

/** The common area of two boxes as a share of the smaller one. */
function sharedPart(a: Corners, b: Corners): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(areaOf(a), areaOf(b));
}

function areaOf([left, top, right, bottom]: Corners): number {
  return (right - left) * (bottom - top);
}

function sharesOf([left, top, right, bottom]: Corners, { width, height }: Pick<Raster, "width" | "height">) {
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}
