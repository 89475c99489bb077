/** Halves pictures: in WebAssembly where the runtime has SIMD, else in TypeScript; both are equal. */

import { pictureKernels } from "./kernels/picture-kernels.ts";

/** An opaque picture: three bytes a pixel. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Pixels of a result from which copying to the memory of the kernels is worth it, and up to which it is small. */
const fastPixels = { min: 256, max: 1 << 18 } as const;

/** Writes rows `from` to before `to` of a picture at half the size, averaged and rounded. Tests compare the paths. */
export function halveRows(
  picture: RgbPicture,
  half: RgbPicture,
  from: number,
  to: number,
  path: "fast" | "plain" = "fast",
): void {
  if (path === "plain" || !fastRows(picture, half, from, to)) averageRows(picture, half, from, to);
}

/** Returns false where it is not worth it, for a single row or column, or where the runtime has no SIMD. */
function fastRows({ width, height, rgb }: RgbPicture, half: RgbPicture, from: number, to: number): boolean {
  const count = half.width * (to - from);
  if (width < 2 || height < 2 || count < fastPixels.min || count > fastPixels.max) return false;
  const row = 3 * width;
  const outRow = 3 * half.width;
  const outAt = 2 * (to - from) * row + 16;
  const fast = pictureKernels(outAt + outRow * (to - from) + 16);
  if (!fast) return false;
  const bytes = new Uint8Array(fast.buffer);
  bytes.set(rgb.subarray(2 * from * row, 2 * to * row));
  for (let y = 0; y < to - from; y++)
    fast.kernels.halveColors(2 * y * row, (2 * y + 1) * row, half.width, outAt + y * outRow);
  half.rgb.set(bytes.subarray(outAt, outAt + outRow * (to - from)), from * outRow);
  return true;
}

function averageRows({ width, height, rgb }: RgbPicture, half: RgbPicture, from: number, to: number): void {
  const out = half.rgb;
  const row = half.width * 3;
  const right = width > 1 ? 3 : 0;
  const down = height > 1 ? width * 3 : 0;
  for (let y = from; y < to; y++) {
    for (let o = y * row, end = o + row, i = y * 2 * width * 3; o < end; o += 3, i += 6) {
      const j = i + right;
      const k = i + down;
      const l = j + down;
      out[o] = ((rgb[i] ?? 0) + (rgb[j] ?? 0) + (rgb[k] ?? 0) + (rgb[l] ?? 0) + 2) >> 2;
      out[o + 1] = ((rgb[i + 1] ?? 0) + (rgb[j + 1] ?? 0) + (rgb[k + 1] ?? 0) + (rgb[l + 1] ?? 0) + 2) >> 2;
      out[o + 2] = ((rgb[i + 2] ?? 0) + (rgb[j + 2] ?? 0) + (rgb[k + 2] ?? 0) + (rgb[l + 2] ?? 0) + 2) >> 2;
    }
  }
}
