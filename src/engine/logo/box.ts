/** The place of a logo in a scanned picture: a box in its pixels, and how it was found. */

/** The values of `LogoMatchKind`. */
export const logoMatchKinds = ["copy", "dense"] as const;

/** `copy`: the whole picture is the logo. `dense`: a search of all places found it. */
export type LogoMatchKind = (typeof logoMatchKinds)[number];

/** A rectangle inside of a picture, in whole pixels of the decoded picture. */
export interface PixelBox {
  /** From the left side, from 0. */
  readonly x: number;
  /** From the top, from 0. */
  readonly y: number;
  /** From 1. */
  readonly width: number;
  /** From 1. */
  readonly height: number;
}

/** The place of a logo in a picture. */
export interface LogoHit {
  /** 0 to 1. */
  readonly score: number;
  /** Whether the whole picture is the logo, or a place of it shows the logo. */
  readonly kind: LogoMatchKind;
  /** The place that has this score; absent when the score is 0. */
  readonly box?: PixelBox;
}

/** A rectangle of a picture, in shares of its width and height. */
export interface Region {
  /** Left edge, 0 to 1 from the left. */
  readonly left: number;
  /** Top edge, 0 to 1 from the top. */
  readonly top: number;
  /** Width, 0 to 1. */
  readonly width: number;
  /** Height, 0 to 1. */
  readonly height: number;
}

/** A region in pixels of its picture, cut at the sides of the picture; at least one pixel. */
export function pixelBox(
  region: Region,
  picture: { readonly width: number; readonly height: number },
): PixelBox {
  const [x, right] = pixelRange(region.left, region.width, picture.width);
  const [y, bottom] = pixelRange(region.top, region.height, picture.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** From the first pixel to the one after the last. */
function pixelRange(start: number, share: number, size: number): readonly [first: number, end: number] {
  const first = Math.min(size - 1, Math.max(0, Math.round(start * size)));
  return [first, Math.min(size, Math.max(first + 1, Math.round((start + share) * size)))];
}
