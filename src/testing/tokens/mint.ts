/** Keys and tokens for tests, generated and signed with jose. */

import type { CryptoKey, JWTPayload } from "jose";
import {
  aJsonObject,
  aString,
  instanceOf,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  requireArguments,
} from "../../core/arguments.ts";
import { algorithmNames, algorithms } from "../../engine/tokens/jwt/keys/algorithms.ts";
import type { Algorithm, JwtKey } from "../../engine/tokens/model.ts";

/** jose, loaded with the first key or token. */
const loadJose = () => import("jose");

/** A key pair, or a shared secret. */
export interface MintedKey {
  /** The public key or the shared secret, as a token configuration accepts it. */
  readonly jwk: JwtKey;
  /** The private key or the shared secret, to sign tokens with. */
  readonly privateKey: CryptoKey;
}

/** Options of `mintToken`. */
export interface MintTokenOptions {
  /** Members to add to the header; they override its `alg` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/**
 * Generates a key pair for an algorithm, or a shared secret for HS256 to HS512. By default the `kid` is the algorithm's name in lower case.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * key.jwk.kid; // => "es256"
 * ```
 */
export async function mintKey(alg: Algorithm, kid?: string): Promise<MintedKey> {
  requireArguments({ alg: [alg, oneOf(...algorithmNames)], kid: [kid, optional(aString)] });
  const { exportJWK } = await loadJose();
  const { publicKey, privateKey } = await generate(alg);
  const jwk = { ...(await exportJWK(publicKey)), alg, kid: kid ?? alg.toLowerCase() } as JwtKey;
  return { jwk, privateKey };
}

/** Bits of a secret: as many as the longest hash has, so that it can have every HMAC algorithm. */
const secretBits = 512;

async function generate(alg: Algorithm): Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> {
  if (algorithms[alg].kty !== "oct") return (await loadJose()).generateKeyPair(alg, { extractable: true });
  const hmac = { name: "HMAC", hash: `SHA-${alg.slice(2)}`, length: secretBits };
  const secret = await crypto.subtle.generateKey(hmac, true, ["sign", "verify"]);
  return { publicKey: secret, privateKey: secret };
}

/** A key that `mintKey` returns. */
export const aMintedKey = objectWith({
  jwk: objectWith({ alg: oneOf(...algorithmNames), kid: aString }),
  privateKey: instanceOf("a CryptoKey", Reflect.get(globalThis, "CryptoKey")),
});

/**
 * Signs a compact JWT (RFC 7519) with the key, its `alg` and its `kid`. The claims are not changed.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * const token = await mintToken(key, { sub: "ada" });
 * createVerifier([key.jwk]).check(token, Date.now()).reason; // => "valid"
 * ```
 * @throws {TypeError} (as a rejection) for an option that does not exist
 */
export async function mintToken(
  key: MintedKey,
  claims: Readonly<Record<string, unknown>> = {},
  options: MintTokenOptions = {},
): Promise<string> {
  requireArguments({
    key: [key, aMintedKey],
    claims: [claims, aJsonObject],
    options: [options, optionsOf<MintTokenOptions>("mintToken", { header: optional(aJsonObject) })],
  });
  const { jwk, privateKey } = key;
  const { header = {} } = options;
  const { SignJWT } = await loadJose();
  // A copy: `structuredClone` rejects proxies.
  return new SignJWT(JSON.parse(JSON.stringify(claims)) as JWTPayload)
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, ...header })
    .sign(privateKey);
}
