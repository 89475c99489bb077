/** Keys and tokens for tests, minted with jose: real signatures, nothing canned. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { Algorithm, JwtKey } from "../../engine/tokens/model.ts";

/** A key pair: the public half as a configuration takes it, the private half to sign with. */
export interface MintedKey {
  readonly jwk: JwtKey;
  readonly privateKey: CryptoKey;
}

export interface MintTokenOptions {
  /** Members put over the header's `alg` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/**
 * Makes a key pair for an algorithm. The `kid` is the algorithm's name in lower case unless given.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * key.jwk.kid; // => "es256"
 * ```
 */
export async function mintKey(alg: Algorithm, kid: string = alg.toLowerCase()): Promise<MintedKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg, kid } as JwtKey;
  return { jwk, privateKey };
}

/** Signs a compact JWT (RFC 7519) with the key, its `alg` and its `kid`. Claims are taken as they are. */
export async function mintToken(
  { jwk, privateKey }: MintedKey,
  claims: Readonly<Record<string, unknown>> = {},
  { header = {} }: MintTokenOptions = {},
): Promise<string> {
  return new SignJWT(claims as JWTPayload)
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, ...header })
    .sign(privateKey);
}
