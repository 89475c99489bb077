/** Minted keys as JSON Web Keys with their private members (RFC 7517), so that a page can keep them. */
import type { JWK } from "jose";
import { isJsonObject } from "../../core/json-value.ts";
import { isAlgorithm } from "../../engine/tokens/jwt/keys/algorithms.ts";
import type { JwtKey } from "../../engine/tokens/model.ts";
import type { MintedKey } from "./mint.ts";

const loadJose = () => import("jose");

/** A key as JSON, with its private members. */
export async function printPrivateKey({ jwk, privateKey }: MintedKey): Promise<string> {
  const { exportJWK } = await loadJose();
  const { alg, kid } = jwk;
  return JSON.stringify({ ...(await exportJWK(privateKey)), alg, kid });
}

/** Members of RFC 7518, sections 6.2 and 6.3, that are public. */
const publicMembers = ["kty", "crv", "x", "y", "n", "e", "alg", "kid"];

/** The key of a JSON text. @throws {TypeError} for another text */
export async function readPrivateKey(text: string): Promise<MintedKey> {
  const key = parseObject(text);
  if (!isAlgorithm(key?.["alg"]) || typeof key["kid"] !== "string" || typeof key["d"] !== "string")
    throw new TypeError("A private key must be a JSON Web Key with `alg`, `kid` and `d`.");
  const { importJWK } = await loadJose();
  const privateKey = await importJWK(key as JWK, key["alg"]).catch(() => undefined);
  if (privateKey === undefined || privateKey instanceof Uint8Array)
    throw new TypeError(`The private key \`${key["kid"]}\` is not a key for ${key["alg"]}.`);
  const jwk = Object.fromEntries(Object.entries(key).filter(([name]) => publicMembers.includes(name)));
  return { jwk: jwk as unknown as JwtKey, privateKey };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
