/** Decodes bytes in the encodings of the Encoding Standard, in the same way on every version of Node.js. */

import { concatBytes } from "#bytes";

/**
 * The encoding that a label names, such as `windows-1252` for `ISO-8859-1`; undefined for a label that the Encoding
 * Standard does not have, or that Node.js was built without.
 */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * Decodes bytes; a byte order mark of the encoding is removed.
 *
 * @param fatal whether bytes that the encoding does not have are an error; by default they become U+FFFD
 * @throws {RangeError} for a label without an encoding
 * @throws {TypeError} for bytes that the encoding does not have
 */
export function decodeText(bytes: Uint8Array, label: string, fatal = false): string {
  const decoder = new TextDecoder(label, { fatal });
  // As a stream: in one call, Node.js 20 decodes windows-1252 as ISO 8859-1.
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The encodings of Unicode that files have. */
export type UnicodeEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** By the byte order mark, or by a zero byte beside the first character, which no text in UTF-8 has. */
export function unicodeEncodingOf([first, second]: Uint8Array): UnicodeEncoding {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}

/** Rewrites the chunks of a text in UTF-16 as UTF-8, and passes on every other text as it is. */
export interface Utf8Chunks {
  /** The bytes that the chunk adds; empty while the encoding is not known. */
  push(chunk: Uint8Array): Uint8Array;
  /** The bytes that are left at the end. */
  end(): Uint8Array;
}

/** Creates it for one text; incomplete characters become U+FFFD. */
export function utf8Chunks(): Utf8Chunks {
  const encoder = new TextEncoder();
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let encoding: UnicodeEncoding | undefined;
  let start: Uint8Array = new Uint8Array();
  const next = (chunk: Uint8Array): Uint8Array =>
    decoder ? encoder.encode(decoder.decode(chunk, { stream: true })) : chunk;
  return {
    push(chunk) {
      if (encoding !== undefined) return next(chunk);
      const known = start.length === 0 ? chunk : concatBytes([start, chunk]);
      if (known.length < 2) {
        start = known.slice();
        return new Uint8Array();
      }
      encoding = unicodeEncodingOf(known);
      if (encoding !== "utf-8") decoder = new TextDecoder(encoding);
      return next(known);
    },
    end: () =>
      decoder ? encoder.encode(decoder.decode()) : encoding === undefined ? start : new Uint8Array(),
  };
}
