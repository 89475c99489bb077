/** Recognizes values that a recorder, or a person, replaced to hide a secret (`chosen`; no standard marks them). */
import { base64Bytes, utf8Text } from "#bytes";
import { stripBearer } from "../../engine/tokens/zone/find-token.ts";

/** Words that replace a secret. */
const redactionWord =
  /redact|removed|masked|filtered|hidden|scrubbed|saniti[sz]ed|obfuscated|censored|secret/i;

/** `***`, `xxxx`, `...`, `<token>`, `[...]`, `{{token}}`, `$TOKEN`, `${TOKEN}`. */
const placeholder = /^(?:[*•·.…]+|[xX-]{3,}|<[^<>]*>|\[[^[\]]*\]|\{+[^{}]*\}+|\$\{?\w+\}?)$/;

/** Characters of a token (RFC 7515, section 2) and of an opaque credential; a word in one is a coincidence. */
const longToken = /^[\w-]{40,}$/;

/** A first part that is a JSON object in base64url: `{"`. */
const jwtStart = "eyJ";

/** The header of an unsigned token; nothing was cut off from it. */
const unsigned = /"alg"\s*:\s*"none"/i;

/**
 * Whether a value that should be a token was replaced or cut.
 *
 * @param value of a header or a cookie; a leading `Bearer` is ignored
 * @example
 * ```ts
 * isRedacted("Bearer ***"); // => true
 * isRedacted("Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ"); // => true
 * isRedacted("Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"); // => false
 * ```
 */
export function isRedacted(value: string): boolean {
  const token = stripBearer(value);
  if (token.startsWith(jwtStart)) return isCut(token);
  return placeholder.test(token) || (redactionWord.test(token) && !longToken.test(token));
}

/** A token without its signature, or with a replaced one. */
function isCut(token: string): boolean {
  // Most tokens: searching is cheaper than splitting.
  const first = token.indexOf(".");
  const second = token.indexOf(".", first + 1);
  if (first === -1 || second === -1) return true;
  const signature = token.slice(second + 1);
  if (signature === "") return !unsigned.test(utf8Text(base64Bytes(token.slice(0, first))));
  return token.includes("*") || token.includes("…") || (signature.length < 40 && isReplaced(signature));
}

function isReplaced(part: string): boolean {
  return placeholder.test(part) || redactionWord.test(part);
}
