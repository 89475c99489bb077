/** Rotates pictures on a background of one color or a gradient. */

import type { RgbPicture } from "../decode/picture.ts";
import { queryPadding } from "../tuning.ts";
import { colorAt, isFlat, type Plane } from "./background.ts";
import { viewKernels } from "./kernels/view-kernels.ts";
import type { ChannelPlane } from "./ring-fit.ts";

/** A rotation of a picture, and where its pixels come from: position x, y has that of `across` and `down` summed. */
interface Rotation {
  readonly picture: RgbPicture;
  readonly width: number;
  readonly height: number;
  readonly cos: number;
  readonly sin: number;
  /** The parts of the position that depend on the column. */
  readonly acrossX: Float64Array;
  readonly acrossY: Float64Array;
  /** The parts that depend on the row. */
  readonly downX: Float64Array;
  readonly downY: Float64Array;
}

/**
 * Rotates a picture about its center, on a background large enough to hold it with padding. Tests compare the paths;
 * by default the faster one that this runtime has.
 */
export function rotate(
  picture: RgbPicture,
  background: Plane,
  degrees: number,
  path: "fast" | "plain" = "fast",
): RgbPicture {
  const rotation = rotationOf(picture, degrees);
  const { width, height } = rotation;
  const inner = Array.from({ length: height }, (_, y) => columnsWithin(rotation, y, 0));
  const even = evenColor(background);
  const rgb = filled(width * height, even ?? [0, 0, 0]);
  if (path === "plain" || !rotateFast(rotation, inner, rgb)) {
    for (const [y, [from, to]] of inner.entries()) blendInside(rotation, y, from, to, rgb);
  }
  const reach = even ? 1 : Number.POSITIVE_INFINITY;
  for (const [y, [from, to]] of inner.entries()) {
    // Positions outside have the background; those up to a pixel outside are blended with it.
    const [first, end] = columnsWithin(rotation, y, reach);
    const split = from < to ? from : end;
    blendEdge(rotation, background, y, first, split, rgb);
    blendEdge(rotation, background, y, Math.max(split, to), end, rgb);
  }
  return { width, height, rgb };
}

/** Writes the pixels inside of a picture in WebAssembly; returns false where the runtime has no SIMD. */
function rotateFast(
  { picture, width, acrossX, acrossY, downX, downY }: Rotation,
  inner: readonly Run[],
  out: Uint8Array,
): boolean {
  const acrossYAt = 8 * width;
  const pictureAt = 16 * width;
  // A pixel is read as four bytes.
  const outAt = pictureAt + picture.rgb.length + 1;
  const fast = viewKernels(outAt + out.length);
  if (!fast) return false;
  const bytes = new Uint8Array(fast.buffer);
  const columns = new Float64Array(fast.buffer, 0, 2 * width);
  columns.set(acrossX);
  columns.set(acrossY, width);
  bytes.set(picture.rgb, pictureAt);
  const offsetX = (picture.width - 1) / 2;
  const offsetY = (picture.height - 1) / 2;
  for (const [y, [from, to]] of inner.entries()) {
    if (from >= to) continue;
    const x = downX[y] ?? 0;
    const rowY = downY[y] ?? 0;
    const at = outAt + (y * width + from) * 3;
    const columnAt = 8 * from;
    const stride = picture.width * 3;
    const count = to - from;
    fast.kernels.rotateRow(
      pictureAt,
      stride,
      columnAt,
      acrossYAt + columnAt,
      x,
      rowY,
      offsetX,
      offsetY,
      count,
      at,
    );
    out.set(bytes.subarray(at, at + 3 * count), (y * width + from) * 3);
  }
  return true;
}

function rotationOf(picture: RgbPicture, degrees: number): Rotation {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const pad = Math.ceil(queryPadding * Math.max(picture.width, picture.height)) + 1;
  const width = Math.ceil(picture.width * Math.abs(cos) + picture.height * Math.abs(sin)) + 2 * pad;
  const height = Math.ceil(picture.width * Math.abs(sin) + picture.height * Math.abs(cos)) + 2 * pad;
  const centered = (count: number, factor: number) =>
    Float64Array.from({ length: count }, (_, i) => factor * (i - (count - 1) / 2));
  return {
    picture,
    width,
    height,
    cos,
    sin,
    acrossX: centered(width, cos),
    acrossY: centered(width, -sin),
    downX: centered(height, sin),
    downY: centered(height, cos),
  };
}

/**
 * The columns of a row whose positions are in the picture, or less than `reach` pixels outside: a line meets a rectangle
 * in one run. The ends are estimated, and then moved to where the positions themselves say.
 */
function columnsWithin(rotation: Rotation, y: number, reach: number): readonly [first: number, end: number] {
  const { picture, width, cos, sin, downX, downY } = rotation;
  if (reach === Number.POSITIVE_INFINITY) return [0, width];
  const right = picture.width - 1 + reach;
  const bottom = picture.height - 1 + reach;
  const fromX = (downX[y] ?? 0) + (picture.width - 1) / 2;
  const fromY = (downY[y] ?? 0) + (picture.height - 1) / 2;
  const [lowX, highX] = runOf(cos, fromX, -reach, right);
  const [lowY, highY] = runOf(-sin, fromY, -reach, bottom);
  const center = (width - 1) / 2;
  const last = Math.min(width, Math.ceil(center + Math.min(highX, highY)) + 2);
  let first = Math.max(0, Math.floor(center + Math.max(lowX, lowY)) - 1);
  while (first < last && !isWithin(rotation, first, y, reach)) first++;
  let end = Math.max(first, last);
  while (end > first && !isWithin(rotation, end - 1, y, reach)) end--;
  return [first, end];
}

/** Whether the position of a pixel is in the picture, or less than `reach` pixels outside. */
function isWithin(
  { picture, acrossX, acrossY, downX, downY }: Rotation,
  x: number,
  y: number,
  reach: number,
): boolean {
  const fromX = (acrossX[x] ?? 0) + (downX[y] ?? 0) + (picture.width - 1) / 2;
  const fromY = (acrossY[x] ?? 0) + (downY[y] ?? 0) + (picture.height - 1) / 2;
  return (
    fromX >= -reach &&
    fromX < picture.width - 1 + reach &&
    fromY >= -reach &&
    fromY < picture.height - 1 + reach
  );
}

type Run = readonly [low: number, high: number];

/** Where `slope * x + base` is between two values. */
function runOf(slope: number, base: number, min: number, max: number): Run {
  if (slope === 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const a = (min - base) / slope;
  const b = (max - base) / slope;
  return [Math.min(a, b), Math.max(a, b)];
}

/** Distance from a rounding boundary at which the weights of a mean, whose sum is 1 but for rounding, do not matter. */
const roundingMargin = 1e-6;

/** The color that every mean of a background's pixels has; undefined when it has several. */
function evenColor(background: Plane): readonly number[] | undefined {
  const { red, green, blue } = background;
  const rounded = [red, green, blue].map(({ level }) => level + 0.5);
  const isEven = rounded.every((value) => {
    const share = value - Math.floor(value);
    return value >= 0.5 && value < 256 && share > roundingMargin && share < 1 - roundingMargin;
  });
  return isEven && isFlat(background) ? rounded.map(Math.floor) : undefined;
}

/** Pixels of one color. */
function filled(pixels: number, color: readonly number[]): Uint8Array {
  const rgb = new Uint8Array(pixels * 3);
  rgb.set(color);
  for (let done = 3; done < rgb.length; done *= 2) rgb.copyWithin(done, 0, done);
  return rgb;
}

/** Writes the colors between the four pixels around positions, all of which the picture has. */
function blendInside(
  { picture, width, acrossX, acrossY, downX, downY }: Rotation,
  row: number,
  from: number,
  to: number,
  out: Uint8Array,
): void {
  const { rgb } = picture;
  const stride = picture.width * 3;
  const offsetX = (picture.width - 1) / 2;
  const offsetY = (picture.height - 1) / 2;
  const rowX = downX[row] ?? 0;
  const rowY = downY[row] ?? 0;
  for (let column = from, o = (row * width + from) * 3; column < to; column++, o += 3) {
    const x = (acrossX[column] ?? 0) + rowX + offsetX;
    const y = (acrossY[column] ?? 0) + rowY + offsetY;
    const left = x | 0;
    const top = y | 0;
    const right = x - left;
    const bottom = y - top;
    const above = (1 - x + left) * (1 - y + top);
    const aboveRight = right * (1 - y + top);
    const below = (1 - x + left) * bottom;
    const belowRight = right * bottom;
    const p = top * stride + left * 3;
    const q = p + stride;
    out[o] =
      0.5 +
      above * (rgb[p] ?? 0) +
      aboveRight * (rgb[p + 3] ?? 0) +
      below * (rgb[q] ?? 0) +
      belowRight * (rgb[q + 3] ?? 0);
    out[o + 1] =
      0.5 +
      above * (rgb[p + 1] ?? 0) +
      aboveRight * (rgb[p + 4] ?? 0) +
      below * (rgb[q + 1] ?? 0) +
      belowRight * (rgb[q + 4] ?? 0);
    out[o + 2] =
      0.5 +
      above * (rgb[p + 2] ?? 0) +
      aboveRight * (rgb[p + 5] ?? 0) +
      below * (rgb[q + 2] ?? 0) +
      belowRight * (rgb[q + 5] ?? 0);
  }
}

/** The same at the edge of the picture: positions outside have the background. */
function blendEdge(
  { picture, width, acrossX, acrossY, downX, downY }: Rotation,
  { red, green, blue }: Plane,
  row: number,
  from: number,
  to: number,
  out: Uint8Array,
): void {
  for (let column = from, o = (row * width + from) * 3; column < to; column++, o += 3) {
    const x = (acrossX[column] ?? 0) + (downX[row] ?? 0) + (picture.width - 1) / 2;
    const y = (acrossY[column] ?? 0) + (downY[row] ?? 0) + (picture.height - 1) / 2;
    const left = Math.floor(x);
    const top = Math.floor(y);
    let r = 0.5;
    let g = 0.5;
    let b = 0.5;
    for (let j = 0; j < 2; j++) {
      for (let i = 0; i < 2; i++) {
        const w = (i ? x - left : 1 - x + left) * (j ? y - top : 1 - y + top);
        if (w === 0) continue;
        r += w * channelAt(picture, 0, red, left + i, top + j);
        g += w * channelAt(picture, 1, green, left + i, top + j);
        b += w * channelAt(picture, 2, blue, left + i, top + j);
      }
    }
    out[o] = r;
    out[o + 1] = g;
    out[o + 2] = b;
  }
}

/** A channel of a pixel; the background's outside of the picture. */
function channelAt(
  { width, height, rgb }: RgbPicture,
  channel: number,
  plane: ChannelPlane,
  x: number,
  y: number,
): number {
  const inside = x >= 0 && y >= 0 && x < width && y < height;
  return inside
    ? (rgb[(y * width + x) * 3 + channel] ?? 0)
    : Math.min(255, Math.max(0, colorAt(plane, x, y)));
}
