/** Computes the pixels of a transformation: those of variants, three more fits, gravity and the density of the device. */
import { type Plan, planGeometry, type Size, sizeBeforeCrop } from "../render/geometry.ts";
import { maxBoxSide, type VariantOptions } from "../render/variant.ts";
import type { Length, TrimBox } from "./edges.ts";
import type { Point } from "./gravity.ts";
import type { TransformOptions } from "./options.ts";

/** A rectangle in pixels. */
export interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** The box of a transformation, in pixels of the device. */
export interface Box {
  readonly fit: NonNullable<TransformOptions["fit"]>;
  readonly width?: number;
  readonly height?: number;
}

/** Factor of the sizes: the density, at most 3 (`observed`). */
export const maxDensity = 3;

/** Fits that need both sides (`observed` for `cover`). */
const needBothSides = ["cover", "crop", "aspect-crop", "pad", "squeeze"] as const;

/** The box that options ask for; undefined without a side. */
export function boxOf({ width, height, fit = "scale-down", dpr = 1 }: TransformOptions): Box | undefined {
  const density = Math.min(dpr, maxDensity);
  const scaled = (side: number) => Math.min(maxBoxSide, Math.max(1, Math.round(side * density)));
  const sides = {
    ...(typeof width === "number" && { width: scaled(width) }),
    ...(height !== undefined && { height: scaled(height) }),
  };
  return "width" in sides || "height" in sides ? { fit, ...sides } : undefined;
}

/** Whether a fit has no effect, since it needs both sides and one is missing. */
export function lacksSide({ fit, width, height }: Box): boolean {
  return (width === undefined || height === undefined) && needBothSides.some((one) => one === fit);
}

/** Plans the resize of an image into a box. */
export function planBox(source: Size, box: Box): Plan {
  const { width, height } = box;
  if (width === undefined || height === undefined) return planGeometry(source, oneSide(box));
  const full = { width, height };
  switch (box.fit) {
    case "squeeze":
      return { kind: "scale", inner: full, output: full, left: 0, top: 0 };
    case "scale-up":
      return source.width > width || source.height > height
        ? planGeometry(source, { fit: "scale-down", ...source })
        : planGeometry(source, { fit: "contain", ...full });
    case "aspect-crop": {
      const inner = largestOfRatio(source, full);
      return { kind: "crop", inner, output: inner, left: 0, top: 0 };
    }
    default:
      return planGeometry(source, { fit: box.fit, ...full });
  }
}

/** A plain scale: only enlarging may be ruled out. */
function oneSide({ fit, width, height }: Box): VariantOptions {
  const enlarges =
    fit === "contain" || fit === "scale-up" || fit === "cover" || fit === "pad" || fit === "squeeze";
  return {
    fit: enlarges ? "contain" : "scale-down",
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
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

/** The part of a scaled image that a crop keeps around a point. */
export function cropAround(
  source: Size,
  plan: Plan,
  point: Point,
): { readonly scaled: Size; readonly part: Rectangle } {
  const scaled = sizeBeforeCrop(source, plan);
  const { width, height } = plan.inner;
  const left = place(point.x, scaled.width, width, point.mode);
  const top = place(point.y, scaled.height, height, point.mode);
  return { scaled, part: { left, top, width, height } };
}

/** `remainder`: a share of what is left over. `box-center`: the middle of the part, as far as it fits (`observed`). */
function place(share: number, whole: number, part: number, mode: Point["mode"]): number {
  const start = mode === "remainder" ? share * (whole - part) : share * whole - part / 2;
  return Math.min(Math.max(0, Math.round(start)), Math.max(0, whole - part));
}

/** The rectangle that stays; undefined when nothing does. */
export function trimRectangle(source: Size, box: TrimBox, dpr = 1): Rectangle | undefined {
  const density = Math.min(dpr, maxDensity);
  const along = (length: Length, side: number) => Math.round(length < 1 ? length * side : length * density);
  const left = along(box.left, source.width);
  const top = along(box.top, source.height);
  const right =
    "width" in box ? left + along(box.width, source.width) : source.width - along(box.right, source.width);
  const bottom =
    "height" in box
      ? top + along(box.height, source.height)
      : source.height - along(box.bottom, source.height);
  const width = Math.min(right, source.width) - left;
  const height = Math.min(bottom, source.height) - top;
  return width >= 1 && height >= 1 ? { left, top, width, height } : undefined;
}
