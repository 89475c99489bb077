/**
 * Tokens that stand for valid ones. Nobody has the private keys here, so a request shows where a valid token goes by
 * a text of a token's form, which is exchanged for a real one before it is sent.
 */

import type { TokenKey } from "../bound-expression.ts";

/** A text in a request's headers that stands for a token signed with a key, not expired. */
export interface StandIn {
  readonly text: string;
  readonly kid: string;
  readonly alg: string;
  /** The configurations for which such a token is valid. */
  readonly configs: readonly string[];
}

/** What stands before the token, the usual first. */
export const prefixes = {
  "http.request.headers": ["Bearer ", "", "bearer ", "BEARER ", "Bearer: ", "bearer: "],
  "http.request.cookies": ["", "Bearer ", "bearer ", "BEARER "],
} as const;

/** Of the form of a token, and recognised by people. */
const beginning = "eyJhbGciOiJzdGFuZC1pbiJ9.e30.valid-token-";

/** Gives keys their texts: the same for keys that make the same tokens valid. */
export function createStandIns(): (key: TokenKey) => string {
  const numbers = new Map<string, number>();
  return ({ identity }) => {
    const number = numbers.get(identity) ?? numbers.size + 1;
    numbers.set(identity, number);
    return `${beginning}${number}`;
  };
}
