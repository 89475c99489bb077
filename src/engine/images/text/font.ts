/** The font of text on images: outlines of letters in a table, so that no font of the machine is ever read. */
import { brotliDecompressSync } from "node:zlib";
import { fontTable } from "./font-table.ts";

/** The font's name. */
export const fontName = "Noto Sans";

/** Thousandths of an em, as all lengths here: from the baseline up to the top of a line, and down to its end (of the font). */
export const ascent = 1_069;
export const descent = 293;

/** A part of an outline: the start of a contour, a line, or a quadratic curve; its points, with `y` downwards. */
export interface Segment {
  readonly type: "M" | "L" | "Q";
  readonly points: readonly number[];
}

/** A letter as the table has it. */
export interface Letter {
  /** Code point. */
  readonly code: number;
  readonly advance: number;
  readonly segments: readonly Segment[];
}

/** A letter that can be drawn. */
export interface Glyph {
  readonly advance: number;
  /** Path of an SVG. */
  readonly path: string;
  /** Bounds of its points, which are those of the outline or larger. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const types = ["M", "L", "Q"] as const;
/** Ends a letter. */
const end = 3;

/** Writes letters as the table has them: numbers of 7 bits a byte, points relative to the one before. */
export function writeLetters(letters: readonly Letter[]): Uint8Array {
  const bytes: number[] = [];
  const write = (value: number) => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  let before = 0;
  for (const { code, advance, segments } of letters) {
    write(code - before);
    write(advance);
    before = code;
    const last = [0, 0];
    for (const { type, points } of segments) {
      bytes.push(types.indexOf(type));
      for (const [i, point] of points.entries()) {
        write(point - (last[i & 1] ?? 0));
        last[i & 1] = point;
      }
    }
    bytes.push(end);
  }
  return Uint8Array.from(bytes);
}

/** Reads what `writeLetters` has written, by code point. */
export function readLetters(table: Uint8Array): ReadonlyMap<number, Glyph> {
  let at = 0;
  const read = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = table[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value & 1 ? -(value + 1) / 2 : value / 2;
    }
  };
  const glyphs = new Map<number, Glyph>();
  for (let code = 0; at < table.length; ) {
    code += read();
    const advance = read();
    const segments: Segment[] = [];
    const last = [0, 0];
    for (let type = table[at++] ?? end; type !== end; type = table[at++] ?? end) {
      const points = Array.from({ length: type === 2 ? 4 : 2 }, (_, i) => {
        last[i & 1] = (last[i & 1] ?? 0) + read();
        return last[i & 1] ?? 0;
      });
      segments.push({ type: types[type] ?? "L", points });
    }
    glyphs.set(code, glyphOf(advance, segments));
  }
  return glyphs;
}

function glyphOf(advance: number, segments: readonly Segment[]): Glyph {
  const xs = segments.flatMap(({ points }) => points.filter((_, i) => i % 2 === 0));
  const ys = segments.flatMap(({ points }) => points.filter((_, i) => i % 2 === 1));
  return {
    advance,
    path: segments.map(({ type, points }) => `${type}${points.join(" ")}`).join(""),
    left: Math.min(0, ...xs),
    right: Math.max(0, ...xs),
    top: Math.min(0, ...ys),
    bottom: Math.max(0, ...ys),
  };
}

/** A frame, for characters that the font lacks. */
const box: Glyph = glyphOf(600, [
  { type: "M", points: [50, 0] },
  { type: "L", points: [50, -714] },
  { type: "L", points: [550, -714] },
  { type: "L", points: [550, 0] },
  { type: "L", points: [50, 0] },
  { type: "M", points: [100, -50] },
  { type: "L", points: [500, -50] },
  { type: "L", points: [500, -664] },
  { type: "L", points: [100, -664] },
  { type: "L", points: [100, -50] },
]);

let glyphs: ReadonlyMap<number, Glyph> | undefined;

/** The letter of a code point, and whether it is a box because the font lacks the character. */
export function findGlyph(code: number): { readonly glyph: Glyph; readonly isMissing: boolean } {
  glyphs ??= readLetters(brotliDecompressSync(Buffer.from(fontTable, "base64")));
  const glyph = glyphs.get(code);
  return { glyph: glyph ?? box, isMissing: glyph === undefined };
}
