/** Computes the pixels of an output from an image's size and a variant's box (fits observed; rounding half up, checked). */

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
import type { Point } from "../transform/gravity.ts";
import { defaultFit, fits, type VariantOptions, variantOptions } from "./variant.ts";

/** A size in pixels. */
export interface Size {
  /** Pixels, at least 1. */
  readonly width: number;
  /** Pixels, at least 1. */
  readonly height: number;
}

/** A rectangle in pixels. */
export interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
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
  requireArguments({
    source: [source, objectWith({ width: aNumber, height: aNumber })],
    options: [
      options,
      optionsOf<VariantOptions>("planGeometry", {
        ...eachMember(variantOptions, anyValue),
        fit: optional(aString),
        width: optional(aNumber),
        height: optional(aNumber),
      }),
    ],
  });
  const { fit = defaultFit, width, height } = options;
  return planBox(source, { fit, width, height });
}

/** The fits: those of variants, and three more of transformations (`observed`). */
export const allFits = [...fits, "squeeze", "scale-up", "aspect-crop"] as const;

/** A box in pixels; without one side, that side follows the other, and without both the image keeps its size. */
export interface Box {
  readonly fit: (typeof allFits)[number];
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** Plans the resize of an image into a box. */
export function planBox(source: Size, { fit, width, height }: Box): Plan {
  if (width === undefined || height === undefined) {
    const size =
      width === undefined ? scaleToHeight(source, height ?? source.height) : scaleToWidth(source, width);
    const stays = fit === "scale-up" ? !isInside(source, size) : !enlarges.has(fit) && isInside(source, size);
    return fill("scale", stays ? source : size);
  }
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
    case "squeeze":
      return fill("scale", box);
    case "scale-up":
      return fill("scale", isInside(source, box) ? scaleInto(source, box) : source);
    case "aspect-crop":
      return fill("crop", largestOfRatio(source, box));
  }
}

/** Fits that enlarge an image to a single side; nothing is cut or padded then. */
const enlarges: ReadonlySet<Box["fit"]> = new Set(["contain", "cover", "pad", "squeeze"]);

/** The size that an image is scaled to before a crop cuts it: the box is covered, and one side is exactly the box's. */
export function sizeBeforeCrop(source: Size, { kind, inner }: Plan): Size {
  if (kind === "scale") return inner;
  const isWider = source.width * inner.height >= source.height * inner.width;
  return isWider ? scaleToHeight(source, inner.height) : scaleToWidth(source, inner.width);
}

/** The part of a scaled image that a crop keeps around a point. */
export function cropAround(
  source: Size,
  plan: Plan,
  { x, y, mode }: Point,
): { readonly scaled: Size; readonly part: Rectangle } {
  const scaled = sizeBeforeCrop(source, plan);
  const { width, height } = plan.inner;
  const left = place(x, scaled.width, width, mode);
  const top = place(y, scaled.height, height, mode);
  return { scaled, part: { left, top, width, height } };
}

/** `remainder`: a share of what is left over. `box-center`: the middle of the part, as far as it fits (`observed`). */
function place(share: number, whole: number, part: number, mode: Point["mode"]): number {
  const start = mode === "remainder" ? share * (whole - part) : share * whole - part / 2;
  return Math.min(Math.max(0, Math.round(start)), Math.max(0, whole - part));
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

/** The largest size of a box's ratio inside the source, at most the box. */
function largestOfRatio(source: Size, box: Size): Size {
  const ratio = box.width / box.height;
  const width = Math.min(box.width, source.width, source.height * ratio);
  return {
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.min(source.height, Math.round(width / ratio))),
  };
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
