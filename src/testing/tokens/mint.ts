/** Keys and tokens for tests, generated and signed with jose. */
import type { CryptoKey, JWTPayload } from "jose";
import { rejectUnknownNames } from "../../core/suggest.ts";
import type { Algorithm, JwtKey } from "../../engine/tokens/model.ts";

/** jose, loaded with the first key or token. */
const loadJose = () => import("jose");

/** A key pair. */
export interface MintedKey {
  /** The public key, as a token configuration accepts it. */
  readonly jwk: JwtKey;
  /** The private key, to sign tokens with. */
  readonly privateKey: CryptoKey;
}

/** Options of `mintToken`. */
export interface MintTokenOptions {
  /** Members to add to the header; they override its `alg` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/**
 * Generates a key pair for an algorithm. By default the `kid` is the algorithm's name in lower case.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * key.jwk.kid; // => "es256"
 * ```
 */
export async function mintKey(alg: Algorithm, kid: string = alg.toLowerCase()): Promise<MintedKey> {
  const { exportJWK, generateKeyPair } = await loadJose();
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg, kid } as JwtKey;
  return { jwk, privateKey };
}

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
  { jwk, privateKey }: MintedKey,
  claims: Readonly<Record<string, unknown>> = {},
  options: MintTokenOptions = {},
): Promise<string> {
  rejectUnknownNames("mintToken", options, ["header"]);
  const { header = {} } = options;
  const { SignJWT } = await loadJose();
  return new SignJWT(claims as JWTPayload)
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, ...header })
    .sign(privateKey);
}
