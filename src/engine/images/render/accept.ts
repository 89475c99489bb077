/** The output format: by the `Accept` header, the kind of image and its size (observed). */

import {
  aNumber,
  anyValue,
  aString,
  eachMember,
  objectWith,
  optional,
  optionsOf,
  requireArguments,
} from "../../../core/arguments.ts";
import type { RasterType } from "../../picture/header.ts";
import { type ImageLimits, imageLimits } from "../limits.ts";

/** The properties of an output that decide on its format. */
export interface OutputFacts {
  /** The original's format. */
  readonly type: RasterType;
  /** Number of frames, at least 1. */
  readonly frames: number;
  /** Longer side of one frame, in pixels, at least 1. */
  readonly side: number;
}

const chosenLimits = optionsOf<ImageLimits>("chooseFormat", {
  ...eachMember(imageLimits, anyValue),
  avifSide: aNumber,
});

/**
 * Chooses the format of a rendering: AVIF, else WebP, else the original's.
 *
 * Only a media range that names `image/avif` or `image/webp` itself, with a weight above 0, counts. An animation is
 * never AVIF, nor is an output with a side over `limits.avifSide` unless the original is AVIF.
 *
 * @example
 * ```ts
 * chooseFormat("image/avif;q=0, image/webp, *\/*", { type: "jpeg", frames: 1, side: 100 }); // => "webp"
 * ```
 */
export function chooseFormat(
  accept: string | undefined,
  output: OutputFacts,
  limits: Pick<ImageLimits, "avifSide"> = imageLimits,
): RasterType {
  requireArguments({
    accept: [accept, optional(aString)],
    output: [output, objectWith({ type: aString, frames: aNumber, side: aNumber })],
    limits: [limits, chosenLimits],
  });
  return bestFormat(accept, output, limits);
}

/** The same, for arguments that are right. */
export function bestFormat(
  accept = "",
  { type, frames, side }: OutputFacts,
  { avifSide }: Pick<ImageLimits, "avifSide"> = imageLimits,
): RasterType {
  const named = acceptedTypes(accept);
  if (frames === 1 && side <= avifSide && named.has("image/avif")) return "avif";
  return named.has("image/webp") ? "webp" : type;
}

/** The media types that an `Accept` header names with a weight above 0, in lower case. */
function acceptedTypes(accept: string): Set<string> {
  const named = new Set<string>();
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (weight(parameters) > 0) named.add(type);
  }
  return named;
}

/** The `q` of a media range: 1 when absent, 0 when it is not a weight of RFC 9110, 12.4.2. */
function weight(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (q === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0;
}
