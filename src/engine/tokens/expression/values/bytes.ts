/**
 * Strings of a request and an expression: one character, U+0000 to U+00FF, for each byte of UTF-8. Lengths, positions, order
 * and patterns are then those of bytes (`observed`), and an ASCII string is itself.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const notAscii = /[^\u0000-\u007f]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Characters in one call, which is fewer than a call may have arguments. */
const chunk = 8192;

/** The bytes of a text in UTF-8. */
export function toBytes(text: string): string {
  return notAscii.test(text) ? bytesOf(encoder.encode(text)) : text;
}

/** Bytes as a string. */
export function bytesOf(bytes: Uint8Array): string {
  let value = "";
  for (let at = 0; at < bytes.length; at += chunk)
    value += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return value;
}

/** The text of bytes; undefined when they are not UTF-8. */
export function toText(bytes: string): string | undefined {
  if (!notAscii.test(bytes)) return bytes;
  try {
    return decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
