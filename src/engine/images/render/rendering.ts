/** The result of a rendering, and the explanation of a failed one. */

import { type Failure, failure, type Success, success } from "../../../core/result.ts";
import { problem } from "../../../errors.ts";
import type { RasterType } from "../../picture/header.ts";
import { readHeader } from "../../picture/read-header.ts";
import { decoderMessage } from "../../picture/sharp.ts";
import { codeFor, type FilePlace } from "../codes.ts";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "./geometry.ts";
import type { RasterImage } from "./raster-image.ts";
import { findDecodeError } from "./sharp.ts";

/** A rendered image. */
export interface Rendering {
  /** The file. */
  readonly bytes: Uint8Array;
  /** Media type of the file. */
  readonly contentType: string;
  /** Width of a frame, in pixels. */
  readonly width: number;
  /** Height of a frame, in pixels. */
  readonly height: number;
  /** Number of frames; 1 for a still image. */
  readonly frames: number;
  /** False for an SVG, which is only cleaned, and for bytes that are delivered as they are. */
  readonly transformed: boolean;
  /** The differences from what was asked for, in the words of the provider where it has some. */
  readonly warnings: readonly string[];
}

/** Decodes again, to find out whether the image or the transformation is at fault. */
export async function explainRenderError(
  error: unknown,
  bytes: Uint8Array,
  image: RasterImage,
  place: FilePlace,
  limits: ImageLimits,
): Promise<Failure> {
  const message = decoderMessage(error);
  const decodeError = await findDecodeError(bytes, image, limits);
  return decodeError === undefined
    ? failure(problem(9516, `The image could not be transformed into this variant: ${message}.`))
    : failure(problem(codeFor(place, "broken"), `The image cannot be decoded: ${decodeError}.`));
}

/** The number of frames in an encoded animation: the WebP encoder merges equal ones. */
export function writtenFrames(bytes: Uint8Array, type: RasterType): number {
  return readHeader(bytes, type)?.frames ?? 1;
}

/** A successful rendering. */
export function deliver(
  bytes: Uint8Array,
  contentType: string,
  { width, height }: Size,
  frames: number,
  transformed: boolean,
  warnings: readonly string[] = [],
): Success<Rendering> {
  return success({ bytes, contentType, width, height, frames, transformed, warnings });
}
