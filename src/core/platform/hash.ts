/** SHA-256 at once, by Node.js. `hash.browser.ts` has the same functions: the one of browsers is asynchronous. */
import { createHash, createHmac } from "node:crypto";

/** SHA-256 (FIPS 180-4): 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** HMAC-SHA256 (RFC 2104): 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(message).digest();
}
