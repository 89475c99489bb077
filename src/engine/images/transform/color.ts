/** Colors of transformations: those of CSS in sRGB. The library that reads them is small and loads at once. */
import colors from "color-string";
import type { ValueKind } from "./values.ts";

/** A color: red, green and blue of 0 to 255, and opacity of 0 to 1. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly alpha: number;
}

/** White, the color under transparent pixels and around padded images (`observed`). */
export const white: Color = { r: 255, g: 255, b: 255, alpha: 1 };

function readColor(value: unknown): Color | undefined {
  if (typeof value !== "string") return undefined;
  const rgb = colors.get.rgb(value) ?? readByHue(value);
  if (!rgb) return undefined;
  const [r = 0, g = 0, b = 0, alpha = 1] = rgb;
  return { r, g, b, alpha };
}

function readByHue(value: string): readonly number[] | undefined {
  const hsl = colors.get.hsl(value);
  if (!hsl) return undefined;
  const [hue = 0, saturation = 0, lightness = 0, alpha = 1] = hsl;
  const chroma = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness / 100 - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4), alpha];
}

/** A color of CSS: a name, `#rgb`, `rgb()` or `hsl()`. Colors of wider spaces, as `lab()`, are not read (measured). */
export const color: ValueKind<Color> = {
  allowed: "a color of CSS: a name, `#rrggbb`, `rgb()` or `hsl()`",
  read: readColor,
  readText: readColor,
};
