/**
 * The encoding of strings in columns. PostgreSQL's text cannot hold U+0000, UTF-8 cannot hold a lone surrogate, and an
 * index entry of PostgreSQL cannot be long. Records keep their strings in JSON, so that columns are only compared, never
 * read. Different strings have different encodings; order and substrings are preserved.
 */
import { createHash } from "node:crypto";
import { maxOrderedBytes } from "../../order.ts";

/** Starts every escape and occurs nowhere else, so that a substring never starts inside an escape. */
const lead = "\u0001";
/** The three digits of escapes; like the lead, they are escaped themselves. */
const digits = ["\u0002", "\u0003", "\u0004"];
const lastEscaped = 4;
const loneSurrogatePrefix = 8;
const cutPrefix = 7;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const escaped = /[\u0000-\u0004]|\p{Cs}/gu;

function inDigits(value: number | bigint, width: number): string {
  return Array.from(value.toString(3).padStart(width, "0"), (digit) => digits[Number(digit)]).join("");
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= lastEscaped) return lead + inDigits(code, 2);
  return lead + inDigits(loneSurrogatePrefix, 2) + inDigits(code - 0xd800, 7);
}

/** Encodes a string for a column that is not indexed. */
export function encodeText(text: string): string {
  return text.search(escaped) === -1 ? text : text.replace(escaped, escapeOf);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what escapes are made of
const escapes = /\u0001([\u0002-\u0004]{2})([\u0002-\u0004]{7})?/g;

/** Decodes a string. @throws {Error} when it is a key that was cut */
export function decodeText(encoded: string): string {
  return encoded.replace(escapes, (_all, kind: string, surrogate = "") => {
    const code = fromDigits(kind);
    if (code === cutPrefix) throw new Error("a key that was cut cannot be decoded");
    return String.fromCharCode(code === loneSurrogatePrefix ? 0xd800 + fromDigits(surrogate) : code);
  });
}

/** As `decodeText`; undefined for a key that was cut. */
export function decodedKey(encoded: string): string | undefined {
  return encoded.includes(cutMark) ? undefined : decodeText(encoded);
}

function fromDigits(text: string): number {
  return Number.parseInt(Array.from(text, (digit) => digits.indexOf(digit)).join(""), 3);
}

/** Maximum size of a key that is not cut, in bytes of UTF-8: five of them fit PostgreSQL's 2,704 bytes. */
const maxKeyBytes = 512;
/** Length of 160 bits of SHA-256 in hexadecimal digits, and in digits to base 3. */
const hashLength = 40;
const hashDigits = 101;

/** Precedes the hash of a key that was cut. */
const cutMark = lead + inDigits(cutPrefix, 2);

/** Encodes a string for an indexed column: as `encodeText`, but a long one is cut and followed by its hash in escapes. */
export function encodeKey(text: string): string {
  const whole = encodeText(text);
  if (whole.length * 3 <= maxKeyBytes || Buffer.byteLength(whole) <= maxKeyBytes) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashLength);
  return cutText(whole) + cutMark + inDigits(BigInt(`0x${hash}`), hashDigits);
}

/** The longest prefix of at most 400 bytes that ends between characters. */
function cutText(text: string): string {
  const bytes = Buffer.from(text);
  let end = maxOrderedBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
