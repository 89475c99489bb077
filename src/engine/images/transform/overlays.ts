/** Draws pictures on an image (`observed`: only the box of the overlay changes, in every mode of composition). */
import type { Blend } from "sharp";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "../render/geometry.ts";
import { type Canvas, openPixels, type Pixels, readPixels } from "./steps.ts";
import type { Rectangle } from "./transform-geometry.ts";

/** Modes of composition (`observed`), with the library's name for each. */
export const compositions = {
  over: "over",
  atop: "atop",
  in: "in",
  out: "out",
  xor: "xor",
  lighter: "add",
} as const satisfies Readonly<Record<string, Blend>>;

/** Where an overlay is, and how it is combined. */
export interface OverlayPlacement {
  /** Opacity of 0 to 1; 1 by default. */
  readonly opacity?: number;
  /** Whether it fills the image, along one axis or both. */
  readonly repeat?: true | "x" | "y";
  /** Distances from the sides of the image, in pixels; one of each axis. Without any, it is centered. */
  readonly top?: number;
  readonly left?: number;
  readonly bottom?: number;
  readonly right?: number;
  /** `over` by default. */
  readonly composite?: keyof typeof compositions;
}

/** Draws an overlay, four channels of a byte. */
export async function drawOverlay(
  base: Canvas,
  given: Pixels,
  placement: OverlayPlacement,
  limits: ImageLimits,
): Promise<Canvas> {
  const overlay = withOpacity(given, placement.opacity ?? 1);
  const below = await readPixels(base.picture.ensureAlpha());
  const at = positionOf(below, overlay, placement);
  const { pixels, left, top } = repeated(overlay, at, below, placement.repeat);
  const box = intersect({ left, top, width: pixels.width, height: pixels.height }, below);
  if (box) {
    const part = { ...box, left: box.left - left, top: box.top - top };
    const { data, width, height, channels } = cut(pixels, part);
    const blend = compositions[placement.composite ?? "over"];
    const region = await openPixels(cut(below, box), limits);
    const combined = region.composite([{ input: data, raw: { width, height, channels }, blend }]);
    paste(below, await readPixels(combined), box);
  }
  return { picture: await openPixels(below, limits), width: below.width, height: below.height };
}

function withOpacity(pixels: Pixels, opacity: number): Pixels {
  if (opacity >= 1) return pixels;
  const data = Buffer.from(pixels.data);
  for (let at = 3; at < data.length; at += 4) data[at] = Math.round((data[at] as number) * opacity);
  return { ...pixels, data };
}

/** A place in the image that the overlay is drawn on; it may be outside. */
interface Position {
  readonly left: number;
  readonly top: number;
}

function positionOf(base: Size, overlay: Size, { left, top, right, bottom }: OverlayPlacement): Position {
  return {
    left: along(base.width, overlay.width, left, right),
    top: along(base.height, overlay.height, top, bottom),
  };
}

function along(whole: number, part: number, start: number | undefined, end: number | undefined): number {
  if (start !== undefined) return start;
  return end === undefined ? Math.floor((whole - part) / 2) : whole - part - end;
}

/** The overlay side by side with itself, so that it covers the image along an axis or both. */
function repeated(
  overlay: Pixels,
  { left, top }: Position,
  base: Size,
  repeat: OverlayPlacement["repeat"],
): Position & { readonly pixels: Pixels } {
  if (repeat === undefined) return { pixels: overlay, left, top };
  const [overX, overY] = [repeat !== "y", repeat !== "x"];
  const width = overX ? base.width : overlay.width;
  const height = overY ? base.height : overlay.height;
  const data = Buffer.alloc(width * height * 4);
  const source = (at: number, start: number, length: number) => (((at - start) % length) + length) % length;
  for (let y = 0; y < height; y++) {
    const row = (overY ? source(y, top, overlay.height) : y) * overlay.width;
    for (let x = 0; x < width; x++) {
      const from = (row + (overX ? source(x, left, overlay.width) : x)) * 4;
      data.writeUInt32LE(overlay.data.readUInt32LE(from), (y * width + x) * 4);
    }
  }
  return { pixels: { data, width, height, channels: 4 }, left: overX ? 0 : left, top: overY ? 0 : top };
}

/** The part of a rectangle inside an image; undefined when there is none. */
function intersect({ left, top, width, height }: Rectangle, image: Size): Rectangle | undefined {
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const right = Math.min(image.width, left + width);
  const bottom = Math.min(image.height, top + height);
  return right > x && bottom > y ? { left: x, top: y, width: right - x, height: bottom - y } : undefined;
}

/** A copy of a part. */
function cut({ data, width, channels }: Pixels, box: Rectangle): Pixels {
  const rows = Array.from({ length: box.height }, (_, row) => {
    const at = ((box.top + row) * width + box.left) * channels;
    return data.subarray(at, at + box.width * channels);
  });
  return { data: Buffer.concat(rows), width: box.width, height: box.height, channels };
}

/** Replaces a part, transparent pixels included. */
function paste({ data, width, channels }: Pixels, part: Pixels, box: Rectangle): void {
  const bytes = box.width * channels;
  for (let row = 0; row < box.height; row++)
    part.data.copy(data, ((box.top + row) * width + box.left) * channels, row * bytes, (row + 1) * bytes);
}
