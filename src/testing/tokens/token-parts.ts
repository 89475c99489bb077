/** Tokens assembled from single parts, also invalid ones that no library creates. */
import { constants, createHmac, KeyObject, sign } from "node:crypto";
import type { MintedKey } from "./mint.ts";

/** The two signed parts: strings, bytes, or values to be written as JSON. */
export interface TokenParts {
  readonly header: unknown;
  readonly payload: unknown;
}

/** Encodes a string, bytes, or the JSON of another value as base64url without padding. */
export function encodePart(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64url");
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

/** Signs the parts with the key and its algorithm, without checks. */
export function signParts(key: MintedKey, { header, payload }: TokenParts): string {
  return signSegments(key, encodePart(header), encodePart(payload));
}

/** Signs two segments without checks, even when they are not base64url. */
export function signSegments({ jwk, privateKey }: MintedKey, header: string, payload: string): string {
  const input = `${header}.${payload}`;
  const hash = `sha${jwk.alg.slice(2)}`;
  if (jwk.kty === "oct") return `${input}.${hmac(hash, KeyObject.from(privateKey), input)}`;
  const key = { key: KeyObject.from(privateKey), ...signingOptions(jwk.alg) };
  return `${input}.${sign(hash, Buffer.from(input), key).toString("base64url")}`;
}

/** Signs with HMAC under any secret. */
export function signHmac(parts: TokenParts, hash: "sha256" | "sha384", secret: string): string {
  const input = `${encodePart(parts.header)}.${encodePart(parts.payload)}`;
  return `${input}.${hmac(hash, secret, input)}`;
}

function hmac(hash: string, secret: string | KeyObject, input: string): string {
  return createHmac(hash, secret).update(input).digest("base64url");
}

/** Replaces one segment of a token. */
export function replaceSegment(token: string, index: 0 | 1 | 2, segment: string): string {
  return token
    .split(".")
    .map((old, i) => (i === index ? segment : old))
    .join(".");
}

function signingOptions(alg: string): { dsaEncoding?: "ieee-p1363"; padding?: number; saltLength?: number } {
  if (alg.startsWith("ES")) return { dsaEncoding: "ieee-p1363" };
  if (alg.startsWith("RS")) return { padding: constants.RSA_PKCS1_PADDING };
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}
