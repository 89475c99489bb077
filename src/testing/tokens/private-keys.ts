/** Minted keys as JSON Web Keys with their private or secret members (RFC 7517), so that a page can keep them. */
import type { CryptoKey, JWK } from "jose";
import { parseJsonObject } from "../../core/json-value.ts";
import { algorithms, isAlgorithm } from "../../engine/tokens/jwt/keys/algorithms.ts";
import type { Algorithm, JwtKey } from "../../engine/tokens/model.ts";
import type { MintedKey } from "./mint.ts";

const loadJose = () => import("jose");

/** A key as JSON, with its private members. */
export async function printPrivateKey({ jwk, privateKey }: MintedKey): Promise<string> {
  const { exportJWK } = await loadJose();
  const { alg, kid } = jwk;
  return JSON.stringify({ ...(await exportJWK(privateKey)), alg, kid });
}

/** Members of RFC 7518, sections 6.2 to 6.4, that a configuration has. */
const configMembers = ["kty", "crv", "x", "y", "n", "e", "k", "alg", "kid"];

/** The key of a JSON text. @throws {TypeError} for another text */
export async function readPrivateKey(text: string): Promise<MintedKey> {
  const key = parseJsonObject(text);
  if (
    !isAlgorithm(key?.["alg"]) ||
    typeof key["kid"] !== "string" ||
    typeof key[privateMember(key)] !== "string"
  )
    throw new TypeError("A private key must be a JSON Web Key with `alg`, `kid` and `d`, or `k` for HMAC.");
  const privateKey = await importPrivate(key as JWK, key["alg"]).catch(() => undefined);
  if (privateKey === undefined)
    throw new TypeError(`The private key \`${key["kid"]}\` is not a key for ${key["alg"]}.`);
  const jwk = Object.fromEntries(Object.entries(key).filter(([name]) => configMembers.includes(name)));
  return { jwk: jwk as unknown as JwtKey, privateKey };
}

function privateMember({ kty }: Readonly<Record<string, unknown>>): "k" | "d" {
  return kty === "oct" ? "k" : "d";
}

/** @throws for a key of another type than that of the algorithm */
async function importPrivate(key: JWK, alg: Algorithm): Promise<CryptoKey> {
  const facts = algorithms[alg];
  if (facts.kty !== key.kty) throw new TypeError(`${alg} needs a key of type ${facts.kty}.`);
  const { importJWK } = await loadJose();
  const imported = await importJWK(key, alg);
  if (!(imported instanceof Uint8Array)) return imported;
  const hmac = { name: "HMAC", hash: `SHA-${alg.slice(2)}` };
  return crypto.subtle.importKey("raw", Uint8Array.from(imported), hmac, true, ["sign"]);
}
