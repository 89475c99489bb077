/** Composites pixels on a matte: opaque ones in WebAssembly where the runtime has SIMD; the result is the same. */

import { stepWork } from "../../../core/work/steps.ts";
import { pictureKernels } from "./kernels/picture-kernels.ts";

/** Writes the colors of pixels `from` to before `to` on a matte, three bytes each. Tests compare the paths. */
export function flattenPixels(
  data: Uint8Array,
  matte: number,
  rgb: Uint8Array,
  from: number,
  to: number,
  path: "fast" | "plain" = "fast",
): void {
  if (path === "plain" || !copyOpaque(data, rgb, from, to)) compositePixels(data, matte, rgb, from, to);
}

/** Copies opaque pixels; returns false where one is not opaque, there are too many, or the runtime has no SIMD. */
function copyOpaque(data: Uint8Array, rgb: Uint8Array, from: number, to: number): boolean {
  const count = to - from;
  if (count > stepWork) return false;
  const colorsAt = 4 * count;
  const fast = pictureKernels(colorsAt + 3 * count + 4);
  if (!fast) return false;
  const bytes = new Uint8Array(fast.buffer);
  bytes.set(data.subarray(4 * from, 4 * to));
  if (fast.kernels.opaqueColors(0, count, colorsAt) === 0) return false;
  rgb.set(bytes.subarray(colorsAt, colorsAt + 3 * count), 3 * from);
  return true;
}

function compositePixels(data: Uint8Array, matte: number, rgb: Uint8Array, from: number, to: number): void {
  for (let i = from * 4, o = from * 3; o < to * 3; i += 4, o += 3) {
    const a = data[i + 3] ?? 0;
    if (a === 255) {
      rgb[o] = data[i] ?? 0;
      rgb[o + 1] = data[i + 1] ?? 0;
      rgb[o + 2] = data[i + 2] ?? 0;
      continue;
    }
    rgb[o] = over(data[i] ?? 0, a, matte);
    rgb[o + 1] = over(data[i + 1] ?? 0, a, matte);
    rgb[o + 2] = over(data[i + 2] ?? 0, a, matte);
  }
}

/** A channel's value composited over a matte (Porter and Duff's "over"); all values 0 to 255. */
export function over(value: number, alpha: number, matte: number): number {
  return alpha === 255 ? value : ((value * alpha + matte * (255 - alpha) + 127) / 255) | 0;
}
