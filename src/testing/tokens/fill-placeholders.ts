/** Replaces the placeholder tokens in the requests of an analysis by valid tokens. */

import {
  anyObject,
  aPair,
  arrayOf,
  aString,
  objectWith,
  optional,
  requireArguments,
} from "../../core/arguments.ts";
import type { PlainRequest } from "../../engine/tokens/analysis/requests/concretize.ts";
import type { PlaceholderToken } from "../../engine/tokens/analysis/requests/placeholder-token.ts";
import type { JwtKey } from "../../engine/tokens/model.ts";
import { quote } from "../../errors.ts";
import { aMintedKey, type MintedKey, mintToken } from "./mint.ts";

/** A counterexample of `compareExpressions` or `implies`, or a difference of `compareZones`. */
export interface RequestWithPlaceholders {
  /** The request, with placeholders in its headers. */
  readonly request: PlainRequest;
  /** The placeholders to replace. */
  readonly placeholderTokens: readonly PlaceholderToken[];
}

const aRequest = objectWith({
  request: objectWith({ method: aString, url: aString, headers: arrayOf(aPair) }),
  placeholderTokens: arrayOf(
    objectWith({
      value: aString,
      kid: aString,
      alg: aString,
      publicKey: optional(aString),
      claims: optional(anyObject),
    }),
  ),
});

/**
 * Replaces each placeholder token of a request by a valid token, signed with the key and with the claims that it needs.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256", "key-1");
 * const source = 'http.request.headers["authorization"][0]';
 * const configs = [{ id: "idp", token_sources: [source], credentials: { keys: [key.jwk] } }];
 * const compared = compareExpressions('is_jwt_valid("idp")', 'http.host eq ""', { configs });
 * if (compared.result !== "different") throw new Error("they differ");
 * const request = await fillPlaceholderTokens(compared.counterexample, [key]);
 * request.headers[0]?.[1].startsWith("Bearer eyJ"); // => true
 * ```
 * @throws {RangeError} when `keys` has no key with the `kid`, `alg` and public key of a placeholder
 */
export async function fillPlaceholderTokens(
  found: RequestWithPlaceholders,
  keys: readonly MintedKey[],
): Promise<PlainRequest> {
  requireArguments({ request: [found, aRequest], keys: [keys, arrayOf(aMintedKey)] });
  const { request, placeholderTokens } = found;
  const tokens = new Map<string, string>();
  for (const placeholder of placeholderTokens)
    tokens.set(placeholder.value, await mintToken(keyOf(placeholder, keys), placeholder.claims));
  const fill = (value: string) =>
    [...tokens].reduce((filled, [placeholder, token]) => filled.replaceAll(placeholder, token), value);
  return { ...request, headers: request.headers.map(([name, value]) => [name, fill(value)] as const) };
}

/** The key of a placeholder: several configurations can have keys with the same `kid` and `alg`. */
function keyOf({ kid, alg, publicKey }: PlaceholderToken, keys: readonly MintedKey[]): MintedKey {
  const named = keys.filter(({ jwk }) => jwk.kid === kid && jwk.alg === alg);
  const key = publicKey === undefined ? named[0] : named.find(({ jwk }) => isSameKey(jwk, publicKey));
  if (key !== undefined) return key;
  const needed = `\`keys\` must have the key with kid \`${kid}\` and alg \`${alg}\``;
  throw new RangeError(named.length === 0 ? `${needed}.` : `${needed} whose public key is ${publicKey}.`);
}

/** The members of a public key as JSON. @throws {TypeError} for another text */
function membersOf(publicKey: string): object {
  try {
    return Object(JSON.parse(publicKey));
  } catch {
    throw new TypeError(`\`publicKey\` must be a JSON object; found ${quote(publicKey)}`);
  }
}

/** Whether a key has all members of a public key. */
function isSameKey(jwk: JwtKey, publicKey: string): boolean {
  const members: Readonly<Record<string, unknown>> = { ...jwk };
  const wanted = membersOf(publicKey);
  return Object.entries(wanted).every(([name, value]) => members[name] === value);
}
