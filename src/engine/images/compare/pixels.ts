/** Decoded pixels, and their colors over a background. */

/** Pixels as red, green, blue, alpha, 0 to 255 each; the frames of an animation are below each other. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Bytes of a pixel. */
export const channels = 4;

/** The Y of YIQ, 0 to 255 (weights: Kotsarenko and Ramos, 2010). */
export function brightness(red: number, green: number, blue: number): number {
  return 0.29889531 * red + 0.58662247 * green + 0.11448223 * blue;
}

/** A channel of the pixel at an index, over a gray background. */
export function over(background: number, pixels: Uint8Array, at: number, channel: number): number {
  const alpha = pixels[at + 3] ?? 0;
  const value = pixels[at + channel] ?? 0;
  return alpha === 255 ? value : background + ((value - background) * alpha) / 255;
}

/** Whether no pixel is translucent. */
export function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += channels) if (data[at] !== 255) return false;
  return true;
}
