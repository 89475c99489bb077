/** Bytes and text where there are no buffers of Node.js: the functions of `bytes.ts`, with the same results. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

/** The same bytes, as the object that the platform searches and decodes fastest. */
export function viewBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** Zeros. */
export function allocateBytes(length: number): Uint8Array {
  return new Uint8Array(length);
}

/** Joins parts to a copy of them. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a text; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The number of bytes of a text. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Writes as much of a text as there is room for, whole characters only. Returns the number of bytes. */
export function writeUtf8(text: string, into: Uint8Array): number {
  return encoder.encodeInto(text, into).written;
}

/** The text from `start` to before `end`; what is not UTF-8 becomes U+FFFD, and a byte order mark is kept. */
export function utf8Text(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** One byte for each code unit: its lower eight bits. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Characters in one call, which is fewer than a call may have arguments. */
const chunk = 8192;

/** One character, U+0000 to U+00FF, for each byte from `start` to before `end`. */
export function latin1Text(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let text = "";
  for (let at = start; at < end; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + chunk)));
  return text;
}

/** A copy of a string of characters up to U+00FF: a slice keeps the whole string in memory, a copy does not. */
export function copyLatin1(text: string): string {
  return latin1Text(latin1Bytes(text));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The six bits of each character of both alphabets, by its code. */
const sextets = new Map([...`${alphabet}-_`].map((character, i) => [character, i < 64 ? i : i - 2]));

/** Decodes base64 or base64url (RFC 4648) up to the first `=`; other characters are skipped. */
export function base64Bytes(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    if (character === "=") break;
    const sextet = sextets.get(character);
    if (sextet === undefined) continue;
    bits = ((bits << 6) | sextet) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** Base64 with padding. */
export function base64Text(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes));
}

/** Base64url without padding. */
export function base64urlText(bytes: Uint8Array): string {
  return base64Text(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Two lower-case hexadecimal digits for each byte. */
export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of pairs of hexadecimal digits. */
export function hexBytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}
