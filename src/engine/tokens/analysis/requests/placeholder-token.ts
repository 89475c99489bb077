/**
 * Placeholders for valid tokens. The analysis has no private keys, so its requests contain placeholders in the format
 * of tokens, which are replaced by real tokens before a request is sent.
 */

import { base64Bytes, base64urlText, utf8Bytes, utf8Text } from "#bytes";
import type { TokenKey } from "../bound-expression.ts";

/** A placeholder in a request's headers for a token that is signed with a key and not expired. */
export interface PlaceholderToken {
  /** The string to replace. */
  readonly value: string;
  /** The `kid` of the key that must sign the token. */
  readonly kid: string;
  /** The `alg` of that key. */
  readonly alg: string;
  /** The public key, or the other members of a shared secret, as JSON with sorted members; absent when the configurations were not given. */
  readonly publicKey?: string;
  /** The ids of the configurations that the token is valid for. */
  readonly configs: readonly string[];
  /** The claims that the token must have; absent when any will do. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Strings before the token in a source's value, the most common first. */
export const tokenPrefixes = {
  "http.request.headers": ["Bearer ", "", "bearer ", "BEARER ", "Bearer: ", "bearer: "],
  "http.request.cookies": ["", "Bearer ", "bearer ", "BEARER "],
} as const;

/** A header (`{"alg":"placeholder"}`), an empty payload, and a signature that people recognize; then others. */
const placeholderStarts = [
  "eyJhbGciOiJwbGFjZWhvbGRlciJ9.e30.valid-token-",
  "eyJhbGciOiJQTEFDRUhPTERFUiJ9.e30.VALID-TOKEN-",
  "eyJ4Ijp0cnVlfQ.e30.placeholder-",
  "eyJ6IjpmYWxzZX0.e30.ZZZZ_",
] as const;

/**
 * Creates a function from keys to placeholders: the same for keys that make the same tokens valid. No placeholder is
 * part of another one.
 *
 * @param isNeutral whether a placeholder has the results of comparisons that real tokens have
 */
export function createPlaceholders(isNeutral: (placeholder: string) => boolean): (key: TokenKey) => string {
  const numbers = new Map<string, number>();
  let start: string | undefined;
  const spell = (from: string, number: number) => `${from}${number}-`;
  return ({ identity }) => {
    start ??= placeholderStarts.find((candidate) => isNeutral(spell(candidate, 1))) ?? placeholderStarts[0];
    const number = numbers.get(identity) ?? numbers.size + 1;
    numbers.set(identity, number);
    return spell(start, number);
  };
}

/** The payload of a placeholder: no claims. */
const emptyPayload = ".e30.";

/** A placeholder whose payload has claims. */
export function withClaims(placeholder: string, claims: Readonly<Record<string, unknown>>): string {
  if (Object.keys(claims).length === 0) return placeholder;
  const payload = base64urlText(utf8Bytes(JSON.stringify(claims)));
  return placeholder.replace(emptyPayload, `.${payload}.`);
}

/** The claims of a placeholder. */
export function claimsOfPlaceholder(placeholder: string): Readonly<Record<string, unknown>> {
  const [, payload = ""] = placeholder.split(".");
  return JSON.parse(utf8Text(base64Bytes(payload)));
}
