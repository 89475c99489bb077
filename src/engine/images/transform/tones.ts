/** The tones of a transformation as a table of one byte: gamma, contrast, then brightness (order `observed`). */
import type { TransformOptions } from "./options.ts";

/** The middle grey, which contrast keeps. */
const middle = 128;

/**
 * The table of output values; undefined when the options change nothing. 0 counts as 1 (`observed`).
 *
 * @example
 * ```ts
 * toneTable({ brightness: 2 })?.[100]; // => 200
 * ```
 */
export function toneTable({ gamma, contrast, brightness }: TransformOptions): Uint8Array | undefined {
  const [power, slope, gain] = [gamma || 1, contrast || 1, brightness || 1];
  if (power === 1 && slope === 1 && gain === 1) return undefined;
  const table = new Uint8ClampedArray(256);
  for (let value = 0; value < 256; value++) {
    const bent = clamp(255 * (value / 255) ** power);
    table[value] = clamp(middle + slope * (bent - middle)) * gain;
  }
  return new Uint8Array(table.buffer);
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}
