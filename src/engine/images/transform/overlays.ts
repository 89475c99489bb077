/** Draws pictures on an image (`observed`: only the box of the overlay changes, in every mode of composition). */
import type { Blend, Sharp } from "sharp";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "../render/geometry.ts";
import { openPixels, type Pixels, readPixels } from "../render/pixels.ts";

/** Modes of composition (`observed`), with the library's names of those of Porter and Duff (1984). */
export const compositions = {
  over: "over",
  // The library's own `atop` is right for opaque pictures only.
  atop: "over",
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

/** Draws an overlay of four channels. */
export async function drawOverlay(
  base: Sharp,
  overlay: Pixels,
  placement: OverlayPlacement,
  limits: ImageLimits,
): Promise<Sharp> {
  const { opacity = 1, repeat, composite = "over" } = placement;
  const below = await readPixels(base.ensureAlpha());
  const place = positionOf(below, overlay, placement);
  const across = partOf(place.left, overlay.width, below.width, repeat === true || repeat === "x");
  const down = partOf(place.top, overlay.height, below.height, repeat === true || repeat === "y");
  const box = { left: across.start, top: down.start, width: across.length, height: down.length };
  if (box.width <= 0 || box.height <= 0) return openPixels(below, limits);
  const tiled = await openPixels(overlay, limits);
  if (repeat) tiled.extend({ ...extensionOf(across, down), extendWith: "repeat" });
  const tile = repeat ? await readPixels(tiled) : overlay;
  const cut = (await openPixels(tile, limits)).extract({ ...box, left: across.from, top: down.from });
  const above = await readPixels(opacity === 1 ? cut : cut.linear([1, 1, 1, opacity], [0, 0, 0, 0.5]));
  const part = await readPixels((await openPixels(below, limits)).extract(box));
  const mixed = await blend(part, above, composite, limits);
  if (mixed.data.length === below.data.length) return openPixels(mixed, limits);
  for (let y = 0; y < box.height; y++) {
    const row = mixed.data.subarray(y * box.width * 4, (y + 1) * box.width * 4);
    below.data.set(row, ((box.top + y) * below.width + box.left) * 4);
  }
  return openPixels(below, limits);
}

/** Composes two pictures of one size. */
async function blend(
  below: Pixels,
  above: Pixels,
  mode: keyof typeof compositions,
  limits: ImageLimits,
): Promise<Pixels> {
  const layer = [{ input: above.data, raw: above, blend: compositions[mode] }];
  if (mode !== "atop") return readPixels((await openPixels(below, limits)).composite(layer));
  const opaque = await readPixels((await openPixels(below, limits)).removeAlpha());
  const colors = await readPixels((await openPixels(opaque, limits)).composite(layer).removeAlpha());
  const alpha = await (await openPixels(below, limits)).extractChannel(3).raw().toBuffer();
  return readPixels(
    (await openPixels(colors, limits)).joinChannel(alpha, { raw: { ...below, channels: 1 } }),
  );
}

/** The part of an axis that an overlay covers: all of it when it is repeated. */
interface CoveredPart {
  readonly start: number;
  readonly length: number;
  /** Where it begins in the overlay, or in its repetition. */
  readonly from: number;
  /** Pixels of repetition before and after the overlay. */
  readonly before: number;
  readonly after: number;
}

function partOf(start: number, length: number, whole: number, isRepeated: boolean): CoveredPart {
  if (!isRepeated) {
    const first = Math.max(0, start);
    const end = Math.min(whole, start + length);
    return { start: first, length: end - first, from: first - start, before: 0, after: 0 };
  }
  const before = ((start % length) + length) % length;
  return { start: 0, length: whole, from: 0, before, after: Math.max(0, whole - before - length) };
}

function extensionOf(across: CoveredPart, down: CoveredPart) {
  return { left: across.before, right: across.after, top: down.before, bottom: down.after };
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
