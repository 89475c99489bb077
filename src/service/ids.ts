/** Identifiers and secrets as the services see them: all drawn from one injected source of bytes. */
import { createHash, randomBytes } from "node:crypto";

/** Where identifiers and secrets come from. */
export interface IdSource {
  /** A UUID of version 4 (RFC 9562). */
  uuid(): string;
  /** Lower-case hex digits. */
  hex(length: number): string;
  /** Letters and digits, each drawn evenly: for secrets. */
  secret(length: number): string;
}

/** Makes all kinds of identifiers from a source of bytes. */
export function idsFrom(bytes: (count: number) => Uint8Array): IdSource {
  return {
    uuid: () => printUuid(bytes(16)),
    hex: (length) =>
      Buffer.from(bytes(Math.ceil(length / 2)))
        .toString("hex")
        .slice(0, length),
    secret: (length) => drawLetters(bytes, length),
  };
}

/** Random bytes that are drawn at a time. */
const poolBytes = 4_096;

/** The default: the operating system's randomness. */
export function randomIds(): IdSource {
  let pool: Uint8Array = new Uint8Array();
  return idsFrom((count) => {
    // Every request has an id: asking the system for each costs more than all else about it.
    if (pool.byteLength < count) pool = randomBytes(Math.max(poolBytes, count));
    const drawn = pool.subarray(0, count);
    pool = pool.subarray(count);
    return drawn;
  });
}

/**
 * Identifiers that repeat from run to run: the bytes are SHA-256 of the seed and a counter. Not for secrets that
 * must hold.
 *
 * @example seededIds("a").hex(8) === seededIds("a").hex(8) // true
 */
export function seededIds(seed: string): IdSource {
  let counter = 0;
  return idsFrom((count) => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < count; have += 32) {
      blocks.push(createHash("sha256").update(`${seed}:${counter++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  });
}

function printUuid(bytes: Uint8Array): string {
  const copy = Uint8Array.from(bytes);
  copy[6] = (copy[6]! & 0x0f) | 0x40;
  copy[8] = (copy[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(copy).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function drawLetters(bytes: (count: number) => Uint8Array, length: number): string {
  let text = "";
  while (text.length < length) {
    // 248 is the greatest multiple of 62 in a byte; what lies above would favour the first letters.
    for (const byte of bytes(length)) if (byte < 248 && text.length < length) text += letters[byte % 62];
  }
  return text;
}
