/**
 * Checks of a token before any cryptography (`chosen`: fail closed).
 *
 * | defect | reason |
 * |---|---|
 * | not a string; longer than the limit; not three segments; header or payload empty | malformed |
 * | a segment with characters outside base64url, padding, or bits that are not used and not zero | malformed |
 * | header or payload not UTF-8, with a byte order mark, not JSON, not an object | malformed |
 * | the same member twice in the header | malformed |
 * | exp or nbf present and not a finite number | malformed |
 * | crit or b64 in the header | unsupported_header |
 * | alg missing, not a string, or not supported (none, EdDSA, ...) | unsupported_header |
 * | kid missing or not a string | unsupported_header |
 * | kid not in the key set | unknown_key |
 * | kid in the key set, but under another alg | algorithm_mismatch |
 * | signature empty, of the wrong length, DER, zero, wrong; any error of a library | bad_signature |
 *
 * Defects of the whole token come first, whichever segment they are in; then those of the header, in the order above.
 */

import { writeUtf8 } from "#bytes";
import { failure, type Result, success } from "../../../core/result.ts";
import type { TokenCheck } from "../model.ts";
import { decodeBase64url, decodeBase64urlInto, explainBase64url } from "./base64url.ts";
import { type Claims, readClaims } from "./claims.ts";
import { type HeaderReader, type KnownHeader, kidAndAlg } from "./header.ts";
import { scratchOf } from "./scratch-buffer.ts";

/** A token whose key is known and whose signature is not verified yet. */
export interface Candidate<Key> {
  readonly text: string;
  readonly header: KnownHeader<Key>;
  readonly claims: Claims;
  /** The signed bytes (header, dot, payload); valid only until the next token is read. */
  readonly signed: Uint8Array;
  /** Valid only until the next token is read. */
  readonly signature: Uint8Array;
}

/** Reads a token as far as possible without cryptography. */
export function readToken<Key>(
  text: string,
  maxBytes: number,
  readHeader: HeaderReader<Key>,
): Candidate<Key> | TokenCheck {
  const read = readSegments(text, maxBytes, readHeader);
  // An explanation of the whole value is more useful than that of the first segment that is wrong.
  if (!("reason" in read) || read.reason !== "malformed") return read;
  const detail = explainValue(text, maxBytes);
  return detail === undefined ? read : { reason: "malformed", detail };
}

function readSegments<Key>(
  text: string,
  maxBytes: number,
  readHeader: HeaderReader<Key>,
): Candidate<Key> | TokenCheck {
  const dots = findDots(text, maxBytes);
  if (!dots.ok) return { reason: "malformed", detail: dots.problems[0] };
  const { first, second } = dots.value;
  const scratch = scratchOf(text.length * 2);
  if (writeUtf8(text, scratch) !== text.length) return explainEncoding(text);
  const header = readHeader(text.slice(0, first));
  if ("reason" in header && header.reason === "malformed") return header;
  const claims = readClaims(scratch, first + 1, second, text.length);
  if (!claims.ok)
    return { reason: "malformed", detail: claims.problems[0], ...kidAndAlg(header.kid, header.alg) };
  const length = decodeBase64urlInto(scratch, second + 1, text.length, scratch, text.length);
  if (length < 0) return { ...explainEncoding(text), ...kidAndAlg(header.kid, header.alg) };
  if ("reason" in header) return header;
  const { buffer, byteOffset } = scratch;
  const signed = new Uint8Array(buffer, byteOffset, second);
  const signature = new Uint8Array(buffer, byteOffset + text.length, length);
  return { text, header, claims: claims.value, signed, signature };
}

interface Dots {
  readonly first: number;
  readonly second: number;
}

/** Finds the dots that end header and payload. */
function findDots(text: string, maxBytes: number): Result<Dots, string> {
  if (typeof text !== "string") return failure("the token is not a string");
  if (text.length > maxBytes) {
    return failure(`the token must have at most ${maxBytes} characters; it has ${text.length}`);
  }
  const first = text.indexOf(".");
  const second = text.indexOf(".", first + 1);
  if (first < 0 || second < 0) return failure("the token has fewer than three segments separated by dots");
  if (first === 0) return failure("the token's header is empty");
  return second === first + 1 ? failure("the payload is empty") : success({ first, second });
}

/** The number of segments of an encrypted token (RFC 7516, section 7.1). */
const encryptedSegments = 5;

/** The schemes of the IANA registry of HTTP authentication schemes, and two that are common. */
const schemeName =
  /^(basic|bearer|concealed|digest|dpop|gnap|hoba|mutual|negotiate|oauth|privatetoken|scram-sha-1|scram-sha-256|vapid|apikey|token):?[ \t]/i;

/** The description of a value that is not a signed token: encrypted, or the credentials of another scheme; undefined for others. */
function explainValue(text: string, maxBytes: number): string | undefined {
  if (typeof text !== "string" || text.length > maxBytes) return undefined;
  const [, scheme] = schemeName.exec(text) ?? [];
  if (scheme?.toLowerCase() === "bearer") return "the value has the scheme `Bearer` twice";
  if (scheme !== undefined)
    return `the value has the scheme \`${scheme}\`: only \`Bearer\` is removed before a token`;
  const segments = text.split(".");
  if (segments.length !== encryptedSegments || segments[0] === "") return undefined;
  return "the token has five segments, so it is encrypted (a JWE); only signed tokens, with three segments, can be checked";
}

/** The rejection of a token with a segment that is not base64url; names the first such segment. */
function explainEncoding(text: string): TokenCheck {
  const [header = "", payload = "", signature = "", ...more] = text.split(".");
  if (more.length > 0) {
    return { reason: "malformed", detail: "the token has more than three segments separated by dots" };
  }
  const invalid = Object.entries({ header, payload, signature }).find(
    ([, segment]) => decodeBase64url(segment) === undefined,
  );
  const [name, segment] = invalid ?? ["signature", signature];
  const subject = name === "header" ? "token's header" : name;
  return { reason: "malformed", detail: `the ${subject} ${explainBase64url(segment)}` };
}
