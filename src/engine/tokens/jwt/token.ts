/**
 * Everything that is found out about a token text before any cryptography (`chosen`: fail closed).
 *
 * | fault | reason |
 * |---|---|
 * | not a string; longer than the limit; not three segments; header or payload empty | malformed |
 * | a segment with foreign characters, padding, or bits that are not used and not zero | malformed |
 * | header or payload not UTF-8, with a byte order mark, not JSON, not an object | malformed |
 * | the same member twice in the header | malformed |
 * | exp or nbf present and not a finite number | malformed |
 * | crit or b64 in the header | unsupported_header |
 * | alg missing, not a string, or none of the eight (none, HS256, ...) | unsupported_header |
 * | kid missing or not a string | unsupported_header |
 * | kid not in the key set | unknown_key |
 * | kid in the key set, but under another alg | algorithm_mismatch |
 * | signature empty, of the wrong length, DER, zero, wrong; any error of a library | bad_signature |
 *
 * Faults of the whole text come first, in whichever segment they are; then the header, in the order above.
 */

import type { TokenCheck } from "../model.ts";
import { decodeBase64url, decodeBase64urlInto, explainBase64url } from "./base64url.ts";
import { type Claims, readClaims } from "./claims.ts";
import { type HeaderReader, type KnownHeader, kidAndAlg } from "./header.ts";
import { scratchOf } from "./scratch-buffer.ts";

/** A token whose key is known and whose signature is still to be verified. */
export interface Candidate<Key> {
  readonly text: string;
  readonly header: KnownHeader<Key>;
  readonly claims: Claims;
  /** The text that is signed (header, dot, payload) and the signature, both only until the next token is read. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Reads a token as far as it goes without cryptography. */
export function readToken<Key>(
  text: string,
  maxBytes: number,
  readHeader: HeaderReader<Key>,
): Candidate<Key> | TokenCheck {
  const [first, second, fault] = findSegments(text, maxBytes);
  if (fault !== undefined) return { reason: "malformed", detail: fault };
  const scratch = scratchOf(text.length * 2);
  if (scratch.write(text, 0, "utf8") !== text.length) return explainEncoding(text);
  const header = readHeader(text.slice(0, first));
  if ("reason" in header && header.reason === "malformed") return header;
  const claims = readClaims(scratch, first + 1, second, text.length);
  if (typeof claims === "string")
    return { reason: "malformed", detail: claims, ...kidAndAlg(header.kid, header.alg) };
  const length = decodeBase64urlInto(scratch, second + 1, text.length, scratch, text.length);
  if (length < 0) return { ...explainEncoding(text), ...kidAndAlg(header.kid, header.alg) };
  if ("reason" in header) return header;
  const { buffer, byteOffset } = scratch;
  const signed = new Uint8Array(buffer, byteOffset, second);
  const signature = new Uint8Array(buffer, byteOffset + text.length, length);
  return { text, header, claims, signed, signature };
}

/** Places of the first two dots, or what is wrong with the text as a whole. */
function findSegments(text: string, maxBytes: number): readonly [number, number, fault?: string] {
  if (typeof text !== "string") return [0, 0, "the token is not a string"];
  if (text.length > maxBytes)
    return [0, 0, `the token has ${text.length} characters; ${maxBytes} are allowed`];
  const first = text.indexOf(".");
  const second = text.indexOf(".", first + 1);
  if (first < 0 || second < 0) return [0, 0, "the token has fewer than three segments separated by dots"];
  if (first === 0) return [0, 0, "the header is empty"];
  return second === first + 1 ? [0, 0, "the payload is empty"] : [first, second];
}

const segmentNames = ["header", "payload", "signature"] as const;

/** Names the first segment that is not base64url, in a text that has one. */
function explainEncoding(text: string): TokenCheck {
  const segments = text.split(".");
  const faulty = segments.findIndex((segment) => decodeBase64url(segment) === undefined);
  const detail =
    segments.length > segmentNames.length
      ? "the token has more than three segments separated by dots"
      : `the ${segmentNames[faulty]} ${explainBase64url(segments[faulty]!)}`;
  return { reason: "malformed", detail };
}
