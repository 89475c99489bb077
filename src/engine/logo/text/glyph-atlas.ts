/** Letters of open fonts as small bitmaps, to set text with: no font is loaded at run time. */

import { brotliDecompressSync } from "node:zlib";
import { glyphAtlasTable } from "./glyph-atlas-table.ts";
import { iconAtlasTable } from "./icon-atlas-table.ts";

/** A letter of a face. Lengths are in pixels of the bitmap. */
export interface Glyph {
  /** Code point. */
  readonly code: number;
  /** From the origin of this letter to that of the next. */
  readonly advance: number;
  /** From the origin to the left side of the bitmap. */
  readonly left: number;
  /** From the baseline up to the top of the bitmap. */
  readonly rise: number;
  readonly width: number;
  readonly height: number;
  /** Coverage of each pixel, 0 to 3. */
  readonly levels: Uint8Array;
}

/** The letters of a face by code point. */
export type Face = ReadonlyMap<number, Glyph>;

const headBytes = 7;

/** Writes faces as the table has them: for each a count, the measures of its letters, then their pixels, four a byte. */
export function writeFaces(faces: readonly (readonly Glyph[])[]): Uint8Array {
  const parts: number[] = [faces.length];
  for (const glyphs of faces) {
    parts.push(glyphs.length);
    for (const { code, advance, left, rise, width, height } of glyphs)
      parts.push(code & 0xff, code >> 8, advance, left & 0xff, rise & 0xff, width, height);
    for (const { levels } of glyphs) {
      for (let i = 0; i < levels.length; i += 4)
        parts.push([0, 1, 2, 3].reduce((byte, k) => byte | ((levels[i + k] ?? 0) << (2 * k)), 0));
    }
  }
  return Uint8Array.from(parts);
}

/** Reads what `writeFaces` has written. */
export function readFaces(table: Uint8Array): readonly Face[] {
  let at = 1;
  return Array.from({ length: table[0] ?? 0 }, () => {
    const count = table[at++] ?? 0;
    let heads = at;
    at += count * headBytes;
    const face = new Map<number, Glyph>();
    for (let n = 0; n < count; n++, heads += headBytes) {
      const [low = 0, high = 0, advance = 0, left = 0, rise = 0, width = 0, height = 0] = table.subarray(
        heads,
        heads + headBytes,
      );
      const levels = new Uint8Array(width * height);
      for (let i = 0; i < levels.length; i++) levels[i] = ((table[at + (i >> 2)] ?? 0) >> (2 * (i & 3))) & 3;
      at += Math.ceil(levels.length / 4);
      const code = low | (high << 8);
      face.set(code, { code, advance, left: signed(left), rise: signed(rise), width, height, levels });
    }
    return face;
  });
}

function signed(byte: number): number {
  return byte > 127 ? byte - 256 : byte;
}

const unpack = (table: string) => readFaces(brotliDecompressSync(Buffer.from(table, "base64")));

let faces: readonly Face[] | undefined;

/** The faces: those with Latin letters first, then Cyrillic, Greek and Japanese ones, then bold and black capitals. */
export function glyphFaces(): readonly Face[] {
  faces ??= unpack(glyphAtlasTable);
  return faces;
}

/** Interface icons: outlines, then filled ones. */
export function iconFaces(): readonly Face[] {
  return unpack(iconAtlasTable);
}

/** Whether a face has capital and small Latin letters. */
export function isLatin(face: Face): boolean {
  return face.has(0x61);
}

/** Whether a face has Latin capitals only. */
export function isCapitals(face: Face): boolean {
  return face.has(0x41) && !isLatin(face);
}
