/** Decodes bytes in the encodings of the Encoding Standard, in the same way on every version of Node.js. */

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
