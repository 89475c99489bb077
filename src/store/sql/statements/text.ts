/**
 * How text stands in columns. PostgreSQL's text cannot hold U+0000, no UTF-8 can hold a lone surrogate, and an
 * index entry of PostgreSQL cannot be long; records keep their text as it is in JSON, so that columns are only
 * compared, never read. The encoding keeps apart what differs and keeps order and substrings.
 */
import { createHash } from "node:crypto";
import { maxOrderedBytes } from "../../order.ts";

/** Begins every escape and stands nowhere else, so that a substring never begins inside of an escape. */
const lead = "\u0001";
/** The three digits of escapes; they and the lead are escaped themselves. */
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
  const code = character.codePointAt(0)!;
  if (code <= lastEscaped) return lead + inDigits(code, 2);
  return lead + inDigits(loneSurrogatePrefix, 2) + inDigits(code - 0xd800, 7);
}

/** Text for a column of any length. */
export function encodeText(text: string): string {
  return text.search(escaped) === -1 ? text : text.replace(escaped, escapeOf);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what escapes are made of
const escapes = /\u0001([\u0002-\u0004]{2})([\u0002-\u0004]{7})?/g;

/** The text that was encoded. @throws {Error} when it was a key that had been cut */
export function decodeText(encoded: string): string {
  return encoded.replace(escapes, (_all, kind: string, surrogate = "") => {
    const code = fromDigits(kind);
    if (code === cutPrefix) throw new Error("a text that was cut cannot be decoded");
    return String.fromCharCode(code === loneSurrogatePrefix ? 0xd800 + fromDigits(surrogate) : code);
  });
}

function fromDigits(text: string): number {
  return Number.parseInt(Array.from(text, (digit) => digits.indexOf(digit)).join(""), 3);
}

/** Longest text, in bytes of UTF-8, that stands whole in an index: five of them fit PostgreSQL's 2,704 bytes. */
const maxKeyBytes = 512;
/** 160 bits of SHA-256 as 40 hexadecimal digits, and in digits to the base 3. */
const hashLength = 40;
const hashDigits = 101;

/** Text for a column that stands in an index: as `encodeText`, and short. */
export function encodeKey(text: string): string {
  const whole = encodeText(text);
  if (whole.length * 3 <= maxKeyBytes || Buffer.byteLength(whole) <= maxKeyBytes) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashLength);
  return cutText(whole) + lead + inDigits(cutPrefix, 2) + inDigits(BigInt(`0x${hash}`), hashDigits);
}

/** The longest beginning of at most 400 bytes that ends between characters. */
function cutText(text: string): string {
  const bytes = Buffer.from(text);
  let end = maxOrderedBytes;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
