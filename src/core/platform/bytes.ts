/**
 * Bytes and text on Node.js, by its buffers. `bytes.browser.ts` has the same functions for other platforms; `imports` of
 * package.json selects one of them.
 */
import { isUtf8 as isUtf8Buffer } from "node:buffer";

function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The same bytes, as the object that the platform searches and decodes fastest. */
export function viewBytes(bytes: Uint8Array): Uint8Array {
  return bufferOf(bytes);
}

/** Zeros. */
export function allocateBytes(length: number): Uint8Array {
  return Buffer.alloc(length);
}

/** Joins parts to a copy of them. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8Buffer(bytes);
}

/** The bytes of a text; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

/** The number of bytes of a text. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Writes as much of a text as there is room for, whole characters only. Returns the number of bytes. */
export function writeUtf8(text: string, into: Uint8Array): number {
  return bufferOf(into).write(text, 0, "utf8");
}

/** The text from `start` to before `end`; what is not UTF-8 becomes U+FFFD, and a byte order mark is kept. */
export function utf8Text(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  return bufferOf(bytes).toString("utf8", start, end);
}

/** One byte for each code unit: its lower eight bits. */
export function latin1Bytes(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** One character, U+0000 to U+00FF, for each byte from `start` to before `end`. */
export function latin1Text(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  return bufferOf(bytes).toString("latin1", start, end);
}

/** A copy of a string of characters up to U+00FF: a slice keeps the whole string in memory, a copy does not. */
export function copyLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** Decodes base64 or base64url (RFC 4648) up to the first `=`; other characters are skipped. */
export function base64Bytes(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}

/** Base64 with padding. */
export function base64Text(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("base64");
}

/** Base64url without padding. */
export function base64urlText(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("base64url");
}

/** Two lower-case hexadecimal digits for each byte. */
export function hexText(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("hex");
}

/** The bytes of pairs of hexadecimal digits. */
export function hexBytes(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}
