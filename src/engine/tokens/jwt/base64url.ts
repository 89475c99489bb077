/**
 * Canonical base64url without padding (RFC 4648, section 5; RFC 7515, section 2): for each sequence of bytes there is
 * exactly one encoding.
 *
 * Node's decoder is too lenient for this: it skips other characters, accepts `+`, `/` and padding, and ignores unused
 * bits at the end.
 */

import { allocateBytes, utf8Bytes } from "#bytes";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The six bits of each character, by its code; -1 for characters outside the alphabet. */
const sextets = Int8Array.from({ length: 256 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

/** Decodes `text`; undefined when it is not canonical base64url. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const ascii = utf8Bytes(text);
  const bytes = allocateBytes(Math.ceil((ascii.length * 3) / 4));
  const length = decodeBase64urlInto(ascii, 0, ascii.length, bytes, 0);
  return length < 0 ? undefined : bytes.subarray(0, length);
}

/**
 * Decodes the characters from `start` to before `end`, into `into` from `offset` on, which must have room. Returns the
 * number of bytes, or -1 when the characters are not canonical base64url.
 */
export function decodeBase64urlInto(
  text: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  offset: number,
): number {
  const rest = (end - start) % 4;
  let to = offset;
  let i = start;
  for (const whole = end - rest; i < whole; i += 4) {
    const bits =
      sextet(text, i, 18) | sextet(text, i + 1, 12) | sextet(text, i + 2, 6) | sextet(text, i + 3, 0);
    if (bits < 0) return -1;
    into[to++] = bits >> 16;
    into[to++] = bits >> 8;
    into[to++] = bits;
  }
  if (rest === 0) return to - offset;
  const last = decodeRest(text, i, rest);
  if (last < 0) return -1;
  into[to++] = last >> 8;
  if (rest === 3) into[to++] = last;
  return to - offset;
}

/** Negative for a character outside the alphabet, also after the shift and in every bitwise or with other sextets. */
function sextet(text: Uint8Array, i: number, shift: number): number {
  return sextets[text[i]!]! << shift;
}

/** The one or two bytes of two or three characters, as 16 bits; -1 when a bit that is not used is set. */
function decodeRest(text: Uint8Array, i: number, rest: number): number {
  if (rest === 1) return -1;
  const bits = sextet(text, i, 12) | sextet(text, i + 1, 6) | (rest === 3 ? sextet(text, i + 2, 0) : 0);
  return bits < 0 || (bits & (rest === 3 ? 3 : 1023)) !== 0 ? -1 : bits >> 2;
}

/**
 * The reason why `text` is not canonical base64url, as the end of a sentence.
 *
 * @example explainBase64url("AQ==") // "has padding, which is not allowed"
 */
export function explainBase64url(text: string): string {
  if (/^[\w-]*=+$/.test(text)) return "has padding, which is not allowed";
  const [foreign] = /[^\w-]/u.exec(text) ?? [];
  if (foreign !== undefined) return `has the character ${nameCharacter(foreign)}, which is not base64url`;
  if (text.length % 4 === 1) return `has a length of ${text.length}, which base64url never has`;
  return "is not canonical base64url: its last character has bits that are not used and not zero";
}

function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return code > 0x20 && code < 0x7f ? `\`${character}\`` : `U+${hex}`;
}
