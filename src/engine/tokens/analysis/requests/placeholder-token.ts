/**
 * Placeholders for valid tokens. The analysis has no private keys, so its requests contain placeholders in the format
 * of tokens, which are replaced by real tokens before a request is sent.
 */

import type { TokenKey } from "../bound-expression.ts";

/** A placeholder in a request's headers for a token that is signed with a key and not expired. */
export interface PlaceholderToken {
  /** The string to replace. */
  readonly value: string;
  /** The `kid` of the key that must sign the token. */
  readonly kid: string;
  /** The `alg` of that key. */
  readonly alg: string;
  /** The ids of the configurations that the token is valid for. */
  readonly configs: readonly string[];
}

/** Strings before the token in a source's value, the most common first. */
export const tokenPrefixes = {
  "http.request.headers": ["Bearer ", "", "bearer ", "BEARER ", "Bearer: ", "bearer: "],
  "http.request.cookies": ["", "Bearer ", "bearer ", "BEARER "],
} as const;

/** A header (`{"alg":"placeholder"}`), an empty payload, and a signature that people recognize. */
const placeholderStart = "eyJhbGciOiJwbGFjZWhvbGRlciJ9.e30.valid-token-";

/** Creates a function from keys to placeholders: the same for keys that make the same tokens valid. */
export function createPlaceholders(): (key: TokenKey) => string {
  const numbers = new Map<string, number>();
  return ({ identity }) => {
    const number = numbers.get(identity) ?? numbers.size + 1;
    numbers.set(identity, number);
    return `${placeholderStart}${number}`;
  };
}
