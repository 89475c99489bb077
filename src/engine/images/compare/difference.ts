/**
 * The perceptual difference of two pictures of one size, with alpha: the colors of each pixel in YIQ, blended over black
 * and over white, averaged over blocks. One wrong block counts, the noise of an encoder in single pixels does not.
 */

/** Side of the blocks, in pixels (chosen). */
export const blockSide = 8;
/** Maximum mean difference of a block, 0 to 1, of pictures that look the same (chosen). */
export const maxBlockDifference = 0.05;

/** Largest squared distance of two colors in YIQ with these weights: black and white. */
const maxSquared = 0.5053 * 255 ** 2;
const channels = 4;

/** Pixels as red, green, blue, alpha, 0 to 255 each; the frames of an animation are below each other. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The difference of two pictures. */
export interface PictureDifference {
  /** Largest mean difference of a block, 0 to 1. */
  readonly largest: number;
  /** Marks of the pixels: opaque red where a block differs too much, else the golden picture, pale. */
  readonly marked: Uint8Array;
}

/** Compares pictures of the same size. */
export function differenceOf(actual: Pixels, golden: Pixels): PictureDifference {
  const { width, height } = golden;
  const marked = Uint8Array.from(golden.data, (value, at) => (at % channels === 3 ? value >> 2 : value));
  let largest = 0;
  for (let top = 0; top < height; top += blockSide) {
    for (let left = 0; left < width; left += blockSide) {
      const block = {
        left,
        top,
        right: Math.min(left + blockSide, width),
        bottom: Math.min(top + blockSide, height),
      };
      const mean = meanOf(block, actual, golden);
      largest = Math.max(largest, mean);
      if (mean > maxBlockDifference) mark(block, marked, width);
    }
  }
  return { largest, marked };
}

interface Block {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function meanOf(block: Block, actual: Pixels, golden: Pixels): number {
  let sum = 0;
  for (const at of offsetsOf(block, golden.width)) sum += pixelDifference(actual.data, golden.data, at);
  // A block at the edge counts as a whole one, so that a narrow remainder is not more sensitive.
  return sum / blockSide ** 2;
}

function mark(block: Block, marked: Uint8Array, width: number): void {
  for (const at of offsetsOf(block, width)) marked.set([255, 0, 0, 255], at);
}

function* offsetsOf({ left, top, right, bottom }: Block, width: number): Generator<number> {
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) yield (y * width + x) * channels;
  }
}

/** The larger of the differences over black and over white, 0 to 1. */
function pixelDifference(a: Uint8Array, b: Uint8Array, at: number): number {
  if (isSame(a, b, at)) return 0;
  return Math.sqrt(Math.max(distanceOver(0, a, b, at), distanceOver(255, a, b, at)) / maxSquared);
}

function isSame(a: Uint8Array, b: Uint8Array, at: number): boolean {
  for (let channel = 0; channel < channels; channel++) if (a[at + channel] !== b[at + channel]) return false;
  return true;
}

/** Squared distance in YIQ (weights: Kotsarenko and Ramos, 2010) of two pixels over a background. */
function distanceOver(background: number, a: Uint8Array, b: Uint8Array, at: number): number {
  const delta = (channel: number) => over(background, a, at, channel) - over(background, b, at, channel);
  const [r, g, blue] = [delta(0), delta(1), delta(2)];
  const y = 0.29889531 * r + 0.58662247 * g + 0.11448223 * blue;
  const i = 0.59597799 * r - 0.2741761 * g - 0.32180189 * blue;
  const q = 0.21147017 * r - 0.52261711 * g + 0.31114694 * blue;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

function over(background: number, pixels: Uint8Array, at: number, channel: number): number {
  const alpha = (pixels[at + 3] ?? 0) / 255;
  return background + ((pixels[at + channel] ?? 0) - background) * alpha;
}
