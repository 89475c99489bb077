/** The renditions of a picture, and their descriptions. */
import { fits, maxBoxSide } from "../../../src/engine/images/render/variant.ts";
import type { PictureFacts, VariantView } from "../../../src/workbench/image-messages.ts";

/** One cell of the sheet. */
export interface Rendition {
  /** In the address. */
  readonly key: string;
  readonly title: string;
  /** The options in words. */
  readonly detail: string;
  /** Parameters of the request. */
  readonly query: Readonly<Record<string, string>>;
}

/** A box in pixels. */
export interface PixelBox {
  readonly width: number;
  readonly height: number;
}

const defaultBox: PixelBox = { width: 320, height: 240 };
/** Maximum side of a box, in pixels. */
export const maxSide = maxBoxSide;

/** Stored variants by id. */
export function renditionsOf(variants: readonly VariantView[]): readonly Rendition[] {
  return variants.map(({ id, fit, width, height }) => ({
    key: `variant-${id}`,
    title: id,
    detail: `${fit}, ${width ?? "any"} x ${height ?? "any"}`,
    query: { variant: id },
  }));
}

/** Every fit into a box. */
export function fitsOf({ width, height }: PixelBox): readonly Rendition[] {
  return fits.map((fit) => ({
    key: `fit-${fit}`,
    title: fit,
    detail: `${width} x ${height}`,
    query: { fit, width: String(width), height: String(height) },
  }));
}

/** Reads a box of the address, such as `320x240`; the default for anything else. */
export function readBox(text: string | undefined): PixelBox {
  const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(text ?? "") ?? []).map(Number);
  const isSide = (side: number) => side >= 1 && side <= maxSide;
  return isSide(width) && isSide(height) ? { width, height } : defaultBox;
}

/** A size of a file in words; kilobytes have 1,000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 999_950 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

/** How much smaller or larger a file became. */
export function changeText(before: number, after: number): string {
  if (before === 0 || before === after) return "same size";
  const percent = Math.round((Math.abs(before - after) / before) * 100);
  return `${percent} % ${after < before ? "smaller" : "larger"}`;
}

/** The format of a media type, such as `WebP`. */
export function formatText(type: string): string {
  const name = type.replace(/^image\//, "").replace(/\+xml$/, "");
  return name === "webp" ? "WebP" : name.toUpperCase();
}

/** Pixels and frames. */
export function pixelsText({ width, height, frames = 1 }: PictureFacts): string {
  if (width === undefined || height === undefined) return "";
  return `${width} x ${height}${frames === 1 ? "" : `, ${frames} frames`}`;
}
