/** Searches pictures for logos: every place of a picture, and the picture as a whole. */

import {
  anyValue,
  arrayOf,
  either,
  madeBy,
  objectWith,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../core/arguments.ts";
import { type Result, success } from "../../core/result.ts";
import { runStepsAsync } from "../../core/work/steps.ts";
import { quote } from "../../errors.ts";
import { type LogoHit, pixelBox } from "./box.ts";
import { type BrandHit, bestOfBrand, maxBrandLogos } from "./brand-score.ts";
import { type DecodeLimits, decodeLogo, decodeMembers } from "./decode/decode.ts";
import type { Raster } from "./decode/picture.ts";
import { denseScore } from "./dense/dense-score.ts";
import { compileSteps, type DenseCalibration, type Detector } from "./dense/detector.ts";
import { type DenseMatch, searchSteps } from "./dense/search-picture.ts";
import { describeSteps, wholeSteps } from "./describe.ts";
import { aDescriptor, type LogoDescriptor } from "./descriptor.ts";
import { compareWhole } from "./features/compare.ts";
import { compiledLogoNotes } from "./plain-logo.ts";

/** A logo that `findLogos` searches for. */
export interface CompiledLogo {
  /** The logo as a query. */
  readonly descriptor: LogoDescriptor;
  /** Its templates, for the dense search. */
  readonly detector: Detector;
}

/** Options of `compileLogo`. */
export interface CompileLogoOptions extends DecodeLimits {
  /** Also search the logo rotated by about 16 degrees, in three times the time. False by default. */
  readonly rotations?: boolean;
  /** `detector.calibration` of an earlier call for the same picture; saves most of the time. */
  readonly calibration?: DenseCalibration;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

const compileOptions = optionsOf<CompileLogoOptions>("compileLogo", {
  ...decodeMembers,
  rotations: anyValue,
  calibration: anyValue,
  signal: anyValue,
});

/** Options of `findLogos`. */
export interface FindLogosOptions extends DecodeLimits {
  /** Maximum of pixels that are prepared at once, from 65,536; 4,000,000 by default. A pixel takes up to 60 bytes. */
  readonly workingPixels?: number;
  /** Ends the search early. */
  readonly signal?: AbortSignal;
}

const findOptions = optionsOf<FindLogosOptions>("findLogos", {
  ...decodeMembers,
  workingPixels: anyValue,
  signal: anyValue,
});

/** The result of `findLogos`. */
export interface LogoHits {
  /** Width of the decoded picture in pixels, from 1. */
  readonly width: number;
  /** Height of the decoded picture in pixels, from 1. */
  readonly height: number;
  /** Pixels of the search a pixel of the picture along each side: 1, or less for a picture that was reduced for it. */
  readonly scale: number;
  /** The best place of each logo or brand, in their order. */
  readonly findings: readonly BrandHit[];
}

/** Minimum of `workingPixels`. */
const minWorkingPixels = 65_536;

/**
 * Compiles an image file of a logo, PNG or JPEG. Takes about 0.1 seconds, and returns to the event loop between.
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
  requireArgument("options", options, compileOptions);
  if (!(image instanceof Uint8Array)) throw new TypeError("compileLogo takes the bytes of an image file.");
  const decoded = await decodeLogo(image, "query", options);
  if (!decoded.ok) return decoded;
  const { rotations = false, calibration, signal } = options;
  const descriptor = await runStepsAsync(describeSteps(decoded.value, "query"), signal);
  const detector = await runStepsAsync(compileSteps(decoded.value, { rotations, calibration }), signal);
  const notes = [...descriptor.notes, ...compiledLogoNotes(detector.calibration)];
  made.add(detector);
  return success({ descriptor: { ...descriptor, notes }, detector });
}

/** The detectors that `compileLogo` made, whose parts are not checked again. */
const made = new WeakSet<object>();

const aLogo = objectWith({ descriptor: aDescriptor, detector: madeBy("`compileLogo`", made) });

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
  requireArguments({
    logos: [logos, arrayOf(either(aLogo, arrayOf(aLogo)))],
    options: [options, findOptions],
  });
  if (!(image instanceof Uint8Array)) throw new TypeError("findLogos takes the bytes of an image file.");
  const { workingPixels, signal } = options;
  if (
    workingPixels !== undefined &&
    !(Number.isSafeInteger(workingPixels) && workingPixels >= minWorkingPixels)
  ) {
    throw new RangeError(
      `\`workingPixels\` must be an integer from ${minWorkingPixels}; found ${quote(workingPixels)}.`,
    );
  }
  const brands = logos.map((each) => ("detector" in each ? [each] : each));
  for (const { length } of brands) assertBrandSize(length);
  const all = brands.flat();
  const decoded = await decodeLogo(image, "scan", options);
  if (!decoded.ok) return decoded;
  const raster = decoded.value;
  const scan = await runStepsAsync(wholeSteps(raster), signal);
  const detectors = all.map(({ detector }) => detector);
  const steps = searchSteps(raster, detectors, workingPixels === undefined ? {} : { workingPixels });
  const { scale, matches } = await runStepsAsync(steps, signal);
  const hits = all.map(({ descriptor }, i) => bestHit(compareWhole(descriptor, scan), matches[i], raster));
  const findings = brands.map(({ length }) => bestOfBrand(hits.splice(0, length)));
  return success({ width: raster.width, height: raster.height, scale, findings });
}

/** @throws {RangeError} when a brand has no logo or too many */
function assertBrandSize(logos: number): void {
  if (logos >= 1 && logos <= maxBrandLogos) return;
  throw new RangeError(`A brand must have 1 to ${maxBrandLogos} logos; found ${logos}.`);
}

/** The finding of a picture: the copy of the logo, or the best place, whichever has the larger score. */
export function bestHit(
  whole: number,
  match: DenseMatch | undefined,
  picture: Pick<Raster, "width" | "height">,
): LogoHit {
  const score = match ? denseScore(match.value) : 0;
  if (match && score > whole)
    return { score, kind: "dense", box: pixelBox(sharesOf(match.box, picture), picture) };
  const { width, height } = picture;
  return { score: whole, kind: "copy", ...(whole > 0 && { box: { x: 0, y: 0, width, height } }) };
}

function sharesOf(
  [left, top, right, bottom]: DenseMatch["box"],
  { width, height }: Pick<Raster, "width" | "height">,
) {
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}
