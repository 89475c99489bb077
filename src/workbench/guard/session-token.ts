/** The session token of a workbench: every request for data has it in a header of its own. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The header of the session token. A page of another origin cannot send it without a preflight, which is never answered. */
export const tokenHeader = "x-edgeproof-session";

/** Length of a token in bytes (`chosen`: 192 bits cannot be guessed). */
const tokenBytes = 24;

/** A new random token, 32 characters of base64url. */
export function createSessionToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** Compiles the comparison with a token; its time does not depend on how much of a guess is right. */
export function compileTokenCheck(token: string): (given: string | null) => boolean {
  const expected = digest(token);
  return (given) => given !== null && timingSafeEqual(digest(given), expected);
}

/** Equal lengths, whatever was sent. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
