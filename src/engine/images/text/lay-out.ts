/** Sets text in lines, as an SVG of outlines: it has no text of its own, so that no font of the machine can matter. */
import type { Size } from "../render/geometry.ts";
import type { Color } from "../transform/color.ts";
import { ascent, descent, findGlyph, type Glyph } from "./font.ts";

/** The picture of a text. */
export interface TextPicture extends Size {
  /** An SVG of paths. */
  readonly svg: string;
  /** Code points that are drawn as boxes, each once. */
  readonly missing: readonly number[];
}

/** Characters without a picture of their own: controls, marks of direction, joiners, selectors of variants. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/u;

/** A letter at its place, in pixels. */
interface PlacedGlyph {
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
}

/**
 * Lays out a text: a line break begins a line, a tab is a space, and letters follow each other from left to right as they
 * are stored, without kerning.
 *
 * @param size height of the font, in pixels
 */
export function layOut(content: string, size: number, { r, g, b, alpha }: Color): TextPicture {
  const scale = size / 1_000;
  const missing = new Set<number>();
  const placed: PlacedGlyph[] = [];
  const lines = content.normalize("NFC").split(/\r\n|[\n\r\u2028\u2029]/);
  const lineHeight = (ascent + descent) * scale;
  let [left, right, top, bottom] = [0, 0, 0, lines.length * lineHeight];
  for (const [n, line] of lines.entries()) {
    let x = 0;
    const y = n * lineHeight + ascent * scale;
    for (const character of line.replaceAll("\t", " ")) {
      if (invisible.test(character)) continue;
      const code = character.codePointAt(0) ?? 0;
      const { glyph, isMissing } = findGlyph(code);
      if (isMissing) missing.add(code);
      placed.push({ glyph, x, y });
      left = Math.min(left, x + glyph.left * scale);
      right = Math.max(right, x + Math.max(glyph.right, glyph.advance) * scale);
      top = Math.min(top, y + glyph.top * scale);
      bottom = Math.max(bottom, y + glyph.bottom * scale);
      x += glyph.advance * scale;
    }
  }
  const [width, height] = [right - left, bottom - top].map((side) => Math.max(1, Math.ceil(side - 1e-9))) as [
    number,
    number,
  ];
  const paths = placed
    .filter(({ glyph }) => glyph.path !== "")
    .map(
      ({ glyph, x, y }) =>
        `<path transform="translate(${decimal(x - left)} ${decimal(y - top)}) scale(${decimal(scale)})" d="${glyph.path}"/>`,
    );
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`;
  const fill = `<g fill="rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})" fill-opacity="${decimal(alpha)}">`;
  return { width, height, svg: `${head}${fill}${paths.join("")}</g></svg>`, missing: [...missing] };
}

/** A number without an exponent. */
function decimal(value: number): string {
  return value.toFixed(6);
}
