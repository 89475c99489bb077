/** The tones of a transformation, in channels of one byte: gamma, contrast, then brightness (order `observed`). */
import type { TransformOptions } from "./options.ts";

/** The middle grey, which contrast keeps. */
const middle = 128;

/** A factor, and an amount that is added, of each channel of a byte. */
type Line = readonly [factor: number, added: number];

/** How tones change: as a line, or as a table of the output values. */
export type Tones = { readonly line: Line } | { readonly table: Uint8Array };

/**
 * How options change tones; undefined when they change nothing. 0 counts as 1 (`observed`).
 *
 * @example
 * ```ts
 * toneOf({ brightness: 2 }); // => { line: [2, 0] }
 * ```
 */
export function toneOf(options: TransformOptions): Tones | undefined {
  const { power, slope, gain } = factorsOf(options);
  if (power === 1 && slope === 1 && gain === 1) return undefined;
  // A gain below 1 would show what contrast has clamped before.
  if (power !== 1 || (slope !== 1 && gain < 1)) return { table: toneTable(options) };
  return { line: [slope * gain, middle * (1 - slope) * gain] };
}

function factorsOf({ gamma, contrast, brightness }: TransformOptions) {
  return { power: gamma || 1, slope: contrast || 1, gain: brightness || 1 };
}

/** The table of output values of tones. */
export function toneTable(options: TransformOptions): Uint8Array {
  const { power, slope, gain } = factorsOf(options);
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
