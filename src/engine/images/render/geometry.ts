/** Computes the pixels of an output from an image's size and a variant's box (fits observed; rounding half up, checked). */

import { defaultFit, type VariantOptions } from "./variant.ts";

/** A size in pixels. */
export interface Size {
  /** Pixels, at least 1. */
  readonly width: number;
  /** Pixels, at least 1. */
  readonly height: number;
}

/** The steps from an image to its output. */
export interface Plan {
  /** `scale`: scale to exactly `inner`. `crop`: scale until `inner` is covered, cut the excess off evenly. */
  readonly kind: "scale" | "crop";
  /** Size of the image in the output. */
  readonly inner: Size;
  /** Size of the output; larger than `inner` only for `pad`. */
  readonly output: Size;
  /** Distance of the image from the left side of the output, in pixels. */
  readonly left: number;
  /** Distance of the image from the top of the output, in pixels. */
  readonly top: number;
}

/**
 * Plans a variant.
 *
 * @param source size as displayed, after the EXIF orientation
 * @example
 * ```ts
 * planGeometry({ width: 100, height: 50 }, { width: 33 }).output; // => { width: 33, height: 17 }
 * ```
 */
export function planGeometry(source: Size, options: VariantOptions): Plan {
  const { fit = defaultFit, width, height } = options;
  if (width === undefined) return planOneSide(source, fit, scaleToHeight(source, height ?? source.height));
  if (height === undefined) return planOneSide(source, fit, scaleToWidth(source, width));
  const box = { width, height };
  switch (fit) {
    case "scale-down":
      return fill("scale", isInside(source, box) ? source : scaleInto(source, box));
    case "contain":
      return fill("scale", scaleInto(source, box));
    case "cover":
      return fill("crop", box);
    case "crop":
      return fill("crop", smallerSides(source, box));
    case "pad":
      return center(scaleInto(source, box), box);
  }
}

/** The size that an image is scaled to before a crop cuts it: the box is covered, and one side is exactly the box's. */
export function sizeBeforeCrop(source: Size, { kind, inner }: Plan): Size {
  if (kind === "scale") return inner;
  const isWider = source.width * inner.height >= source.height * inner.width;
  return isWider ? scaleToHeight(source, inner.height) : scaleToWidth(source, inner.width);
}

/** With one side missing nothing is cut or padded: the other side follows, and only enlarging may be ruled out. */
function planOneSide(source: Size, fit: VariantOptions["fit"], scaled: Size): Plan {
  const neverEnlarges = fit === "scale-down" || fit === "crop";
  return fill("scale", neverEnlarges && isInside(source, scaled) ? source : scaled);
}

/** The largest size of the source's aspect ratio that fits into the box; one side is exactly the box's. */
function scaleInto(source: Size, box: Size): Size {
  const isWider = box.width * source.height <= box.height * source.width;
  return isWider ? scaleToWidth(source, box.width) : scaleToHeight(source, box.height);
}

function scaleToWidth(source: Size, width: number): Size {
  return { width, height: scale(source.height, width, source.width) };
}

function scaleToHeight(source: Size, height: number): Size {
  return { width: scale(source.width, height, source.height), height };
}

/** `value * numerator / denominator`, rounded half up in whole numbers, at least 1. */
function scale(value: number, numerator: number, denominator: number): number {
  return Math.max(1, Math.floor((2 * value * numerator + denominator) / (2 * denominator)));
}

function isInside(source: Size, box: Size): boolean {
  return source.width <= box.width && source.height <= box.height;
}

function smallerSides(source: Size, box: Size): Size {
  return { width: Math.min(source.width, box.width), height: Math.min(source.height, box.height) };
}

/** The image fills the output. */
function fill(kind: Plan["kind"], size: Size): Plan {
  return { kind, inner: size, output: size, left: 0, top: 0 };
}

/** The image in the middle of the output; an odd pixel goes right and below. */
function center(inner: Size, output: Size): Plan {
  const left = Math.floor((output.width - inner.width) / 2);
  const top = Math.floor((output.height - inner.height) / 2);
  return { kind: "scale", inner, output, left, top };
}
