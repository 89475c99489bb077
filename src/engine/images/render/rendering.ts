/** What comes of a rendering, and how a failed one is explained. */

import type { Problem } from "../../../errors.ts";
import type { RasterType } from "../../picture/header.ts";
import { readHeader } from "../../picture/read-header.ts";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "./geometry.ts";
import { decodeFault, firstLine } from "./sharp.ts";
import type { Source } from "./source.ts";

/** A rendering, or why there is none. */
export type Rendering =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      readonly contentType: string;
      /** Size of a frame in pixels. */
      readonly width: number;
      readonly height: number;
      readonly frames: number;
      /** False for an SVG, which is only cleaned, and for an animation too large to transform. */
      readonly transformed: boolean;
    }
  | { readonly ok: false; readonly problem: Problem };

/** Decoding alone tells whose fault it is: the image's, or the transformation's. */
export async function explainFailure(
  error: unknown,
  bytes: Uint8Array,
  source: Source,
  limits: ImageLimits,
): Promise<Rendering> {
  const fault = await decodeFault(bytes, source, limits);
  return fault === undefined
    ? refuse(9516, `The image could not be transformed into this variant: ${firstLine(error)}.`)
    : refuse(9422, `The image cannot be decoded: ${fault}.`);
}

/** Frames of an animation that was written: the WebP encoder makes one of equal ones. */
export function writtenFrames(bytes: Uint8Array, type: RasterType): number {
  return readHeader(bytes, type)?.frames ?? 1;
}

export function deliver(
  bytes: Uint8Array,
  contentType: string,
  { width, height }: Size,
  frames: number,
  transformed: boolean,
): Rendering {
  return { ok: true, bytes, contentType, width, height, frames, transformed };
}

export function refuse(code: Problem["code"], message: string): Rendering {
  return { ok: false, problem: { code, message } };
}
