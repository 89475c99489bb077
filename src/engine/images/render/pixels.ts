/** Pixels in memory, between the pipelines of a rendering. */
import type { Sharp } from "sharp";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "./geometry.ts";
import { openSharp } from "./sharp.ts";

/** Pixels of 3 or 4 channels of a byte. */
export interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 3 | 4;
}

/** Computes the pixels of a pipeline. */
export async function readPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** A pipeline of pixels. */
export function openPixels({ data, width, height, channels }: Pixels, limits: ImageLimits): Promise<Sharp> {
  return openSharp(data, { raw: { width, height, channels }, limitInputPixels: false }, limits);
}
