/** Verifies signatures with `node:crypto`, synchronously: the fast verifier. */

import {
  constants,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  type VerifyKeyObjectInput,
  verify,
} from "node:crypto";
import { base64Bytes } from "#bytes";
import type { JwtKey } from "../model.ts";
import { createHeaderReader } from "./header.ts";
import { algorithms } from "./keys/algorithms.ts";
import { indexKeys } from "./keys/key-index.ts";
import { type SignatureOutcome, signatureOutcome } from "./signed-token.ts";
import { readToken } from "./token.ts";

/** The verifier of a zone that names none; undefined for that of its profile. */
export const platformVerifier: "node" | "jose" | undefined = undefined;

/** A key imported once, with the parameters that its algorithm needs: a public key, or a secret. */
export type NodeKey = { readonly hash: string } & (
  | { readonly input: VerifyKeyObjectInput }
  | { readonly secret: KeyObject }
);

/** Verifies tokens against one imported key set. */
export function createNodeSignatureCheck(
  keys: readonly JwtKey[],
  maxTokenBytes: number,
): (token: string) => SignatureOutcome {
  const readHeader = createHeaderReader(indexKeys(keys, importNodeKey));
  return (token) => {
    const candidate = readToken(token, maxTokenBytes, readHeader);
    if ("reason" in candidate) return candidate;
    const { header, signed, signature } = candidate;
    return signatureOutcome(candidate, verifySignature(header.key, signed, signature));
  };
}

/** Imports a key of a checked key set. */
export function importNodeKey(jwk: JwtKey): NodeKey {
  const facts = algorithms[jwk.alg];
  if (jwk.kty === "oct") return { hash: facts.hash, secret: createSecretKey(base64Bytes(jwk.k)) };
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  if (facts.kty === "EC") return { hash: facts.hash, input: { key, dsaEncoding: "ieee-p1363" } };
  if (facts.kty === "RSA" && facts.padding === "pkcs1")
    return { hash: facts.hash, input: { key, padding: constants.RSA_PKCS1_PADDING } };
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  return { hash: facts.hash, input: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } };
}

/** Whether the signature is valid; an error of the library counts as an invalid one. */
export function verifySignature(key: NodeKey, signed: Uint8Array, signature: Uint8Array): boolean {
  if ("secret" in key) return isHmac(key.secret, key.hash, signed, signature);
  try {
    return verify(key.hash, signed, key.input, signature);
  } catch {
    return false;
  }
}

/** Compares in constant time (RFC 2104); the length of an HMAC is no secret. */
function isHmac(secret: KeyObject, hash: string, signed: Uint8Array, signature: Uint8Array): boolean {
  const expected = createHmac(hash, secret).update(signed).digest();
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}
