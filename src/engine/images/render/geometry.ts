/** From a picture's size and a variant's box to the pixels of the output (fits observed; rounding half up, checked). */

import { defaultFit, type VariantOptions } from "./variant.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What to do with the pixels. */
export interface Plan {
  /** `scale`: scale to exactly `inner`. `crop`: scale until `inner` is covered, cut the overhang off evenly. */
  readonly kind: "scale" | "crop";
  /** Size of the picture in the output. */
  readonly inner: Size;
  /** Size of the output; larger than `inner` only for `pad`. */
  readonly output: Size;
  /** Where the picture's top left corner lies in the output. */
  readonly left: number;
  readonly top: number;
}

type Box = Size;

/**
 * Plans a variant. `source` is the size as displayed, that is after the EXIF orientation.
 *
 * @example
 * ```ts
 * planGeometry({ width: 100, height: 50 }, { width: 33 }).output; // => { width: 33, height: 17 }
 * ```
 */
export function planGeometry(source: Size, options: VariantOptions): Plan {
  const { fit = defaultFit, width, height } = options;
  if (width === undefined || height === undefined) return planOneSide(source, options);
  const box = { width, height };
  switch (fit) {
    case "scale-down":
      return whole("scale", isInside(source, box) ? source : inside(source, box));
    case "contain":
      return whole("scale", inside(source, box));
    case "cover":
      return whole("crop", box);
    case "crop":
      return whole("crop", smaller(source, box));
    case "pad":
      return centred(inside(source, box), box);
  }
}

/** With one side missing nothing is cut or padded: the other side follows, and only the limit to enlarging remains. */
function planOneSide(source: Size, { fit = defaultFit, width, height }: VariantOptions): Plan {
  const keepsSize = fit === "scale-down" || fit === "crop";
  const box = { width: width ?? Infinity, height: height ?? Infinity };
  if (keepsSize && isInside(source, box)) return whole("scale", source);
  const followed =
    width === undefined
      ? { width: scaled(source.width, height!, source.height), height: height! }
      : { width, height: scaled(source.height, width, source.width) };
  return whole("scale", followed);
}

/** The largest size of the source's shape that fits into the box; one side is exactly the box's. */
function inside(source: Size, box: Box): Size {
  if (box.width * source.height <= box.height * source.width) {
    return { width: box.width, height: scaled(source.height, box.width, source.width) };
  }
  return { width: scaled(source.width, box.height, source.height), height: box.height };
}

/** `value * numerator / denominator`, rounded half up in whole numbers, at least 1. */
function scaled(value: number, numerator: number, denominator: number): number {
  return Math.max(1, Math.floor((2 * value * numerator + denominator) / (2 * denominator)));
}

function isInside(source: Size, box: Box): boolean {
  return source.width <= box.width && source.height <= box.height;
}

function smaller(source: Size, box: Box): Size {
  return { width: Math.min(source.width, box.width), height: Math.min(source.height, box.height) };
}

function whole(kind: Plan["kind"], size: Size): Plan {
  return { kind, inner: size, output: size, left: 0, top: 0 };
}

function centred(inner: Size, output: Size): Plan {
  const left = Math.floor((output.width - inner.width) / 2);
  const top = Math.floor((output.height - inner.height) / 2);
  return { kind: "scale", inner, output, left, top };
}
