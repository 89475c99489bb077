/** Identifiers and secrets of the services, derived from one injected source of bytes. */

import { createHash, randomBytes } from "node:crypto";
import { aFunction, aNumber, aString, either, integerFrom, requireArgument } from "../core/arguments.ts";

/** Source of identifiers and secrets. */
export interface IdSource {
  /** A UUID of version 4 (RFC 9562). */
  uuid(): string;
  /** A string of `length` lower-case hex digits. */
  hex(length: number): string;
  /** A string of `length` letters and digits with equal probabilities, for secrets. */
  secret(length: number): string;
}

/** Length of an identifier. */
export const aLength = integerFrom(0, 1_048_576);

/**
 * Derives all kinds of identifiers from a source of bytes.
 *
 * @param bytes returns as many bytes as requested
 */
export function idsFrom(bytes: (count: number) => Uint8Array): IdSource {
  requireArgument("bytes", bytes, aFunction);
  return {
    uuid: () => printUuid(bytes(16)),
    hex: (length) => {
      requireArgument("length", length, aLength);
      return Buffer.from(bytes(Math.ceil(length / 2)))
        .toString("hex")
        .slice(0, length);
    },
    secret: (length) => {
      requireArgument("length", length, aLength);
      return drawLetters(bytes, length);
    },
  };
}

/** Number of random bytes drawn at once. */
const poolBytes = 4_096;

/** The default: the operating system's randomness. */
export function randomIds(): IdSource {
  let pool: Uint8Array = new Uint8Array();
  return idsFrom((count) => {
    // Every request needs an id; one system call for each would dominate the cost of a request.
    if (pool.byteLength < count) pool = randomBytes(Math.max(poolBytes, count));
    const drawn = pool.subarray(0, count);
    pool = pool.subarray(count);
    return drawn;
  });
}

/**
 * Identifiers that are the same in every run: the bytes are SHA-256 of the seed and a counter. Not for real
 * secrets.
 *
 * @example seededIds("a").hex(8) === seededIds("a").hex(8) // true
 */
export function seededIds(seed: string): IdSource {
  requireArgument("seed", seed, either(aString, aNumber));
  let counter = 0;
  return idsFrom((count) => {
    const blocks: Buffer[] = [];
    for (let made = 0; made < count; made += 32) {
      blocks.push(createHash("sha256").update(`${seed}:${counter++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  });
}

function printUuid(bytes: Uint8Array): string {
  const copy = Buffer.from(bytes);
  copy.writeUInt8((copy.readUInt8(6) & 0x0f) | 0x40, 6);
  copy.writeUInt8((copy.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = copy.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function drawLetters(bytes: (count: number) => Uint8Array, length: number): string {
  let text = "";
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte; larger values would favor the first letters.
    for (const byte of bytes(length)) if (byte < 248 && text.length < length) text += letters[byte % 62];
  }
  return text;
}
