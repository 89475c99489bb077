/**
 * How much the detail of a picture changed: a blurred, enlarged or sharpened one has the same colors nearly everywhere.
 * The detail of a region is the mean absolute Laplacian of its brightness; the median of the regions ignores what was
 * replaced in some (measured: docs/decisions/0012-comparing-pictures.md).
 */
import { type Area, areasIn, moveInside } from "./areas.ts";
import { brightness, channels, over, type Pixels } from "./pixels.ts";

/** Side of the regions, in pixels (chosen). */
export const regionSide = 64;
/** Addition to the detail, in levels, so that noise in a plain region counts little (chosen). */
const plainDetail = 2;

/** A region and its change of detail, in octaves. */
interface RegionDetail {
  readonly area: Area;
  readonly value: number;
}

/** The change of detail in a frame. */
export interface DetailChange {
  /** 0 without a change; 1 when the detail is halved or doubled. */
  readonly median: number;
  readonly regions: readonly RegionDetail[];
}

/** Regions at the right and bottom overlap their neighbors; a frame that is smaller than a region is one. */
export function detailOf(actual: Pixels, golden: Pixels, frame: Area, background: number): DetailChange {
  const [a, b] = [laplacianOf(actual, frame, background), laplacianOf(golden, frame, background)];
  const width = frame.right - frame.left;
  const regions = Array.from(areasIn(frame, regionSide), (cut) => {
    const area = moveInside(cut, frame, regionSide);
    const [found, wanted] = [meanIn(a, width, area, frame), meanIn(b, width, area, frame)];
    return { area, value: Math.abs(Math.log2((found + plainDetail) / (wanted + plainDetail))) };
  });
  return { median: medianOf(regions.map(({ value }) => value)), regions };
}

/** The absolute Laplacian of the brightness of each pixel; a neighbor outside of the frame is the pixel itself. */
function laplacianOf(pixels: Pixels, frame: Area, background: number): Float32Array {
  const [width, height] = [frame.right - frame.left, frame.bottom - frame.top];
  const bright = brightnessOf(pixels, frame, background);
  const laplacian = new Float32Array(bright.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const here = bright[at] as number;
      const left = x > 0 ? (bright[at - 1] as number) : here;
      const right = x < width - 1 ? (bright[at + 1] as number) : here;
      const above = y > 0 ? (bright[at - width] as number) : here;
      const below = y < height - 1 ? (bright[at + width] as number) : here;
      laplacian[at] = Math.abs(left + right + above + below - 4 * here);
    }
  }
  return laplacian;
}

function brightnessOf({ data, width }: Pixels, frame: Area, background: number): Float32Array {
  const bright = new Float32Array((frame.right - frame.left) * (frame.bottom - frame.top));
  let next = 0;
  for (let line = frame.top; line < frame.bottom; line++) {
    const end = (line * width + frame.right) * channels;
    for (let at = (line * width + frame.left) * channels; at < end; at += channels) {
      bright[next++] = brightness(
        over(background, data, at, 0),
        over(background, data, at, 1),
        over(background, data, at, 2),
      );
    }
  }
  return bright;
}

function meanIn(values: Float32Array, width: number, area: Area, frame: Area): number {
  let sum = 0;
  for (let line = area.top - frame.top; line < area.bottom - frame.top; line++) {
    const start = line * width - frame.left;
    for (let at = start + area.left; at < start + area.right; at++) sum += values[at] as number;
  }
  return sum / ((area.right - area.left) * (area.bottom - area.top));
}

/** The median of at least one value; of an even number, the mean of the middle ones. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}
