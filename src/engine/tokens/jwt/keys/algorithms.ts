/** The signature algorithms as data (`spec`, those of secrets `observed`; facts from RFC 7518, sections 3.2 to 3.5). */

import type { Algorithm, JwtKey } from "../../model.ts";

/** Curves of EC keys (RFC 7518, section 6.2.1.1). */
export type CurveName = "P-256" | "P-384";

/** Parameters of an RSA signature. */
export interface RsaFacts {
  readonly kty: "RSA";
  readonly padding: "pkcs1" | "pss";
  readonly hash: string;
}

/** Parameters of an ECDSA signature. */
export interface EcFacts {
  readonly kty: "EC";
  readonly crv: CurveName;
  readonly hash: string;
  /** Length of one coordinate in bytes; a signature has two numbers of this length. */
  readonly coordinateBytes: number;
}

/** Parameters of an HMAC. */
export interface HmacFacts {
  readonly kty: "oct";
  readonly hash: string;
  /** Length of the hash, which is the minimum length of a secret, in bytes (RFC 7518, section 3.2). */
  readonly minBytes: number;
}

/** Parameters by algorithm. */
export const algorithms: Readonly<Record<Algorithm, RsaFacts | EcFacts | HmacFacts>> = {
  RS256: { kty: "RSA", padding: "pkcs1", hash: "sha256" },
  RS384: { kty: "RSA", padding: "pkcs1", hash: "sha384" },
  RS512: { kty: "RSA", padding: "pkcs1", hash: "sha512" },
  PS256: { kty: "RSA", padding: "pss", hash: "sha256" },
  PS384: { kty: "RSA", padding: "pss", hash: "sha384" },
  PS512: { kty: "RSA", padding: "pss", hash: "sha512" },
  ES256: { kty: "EC", crv: "P-256", hash: "sha256", coordinateBytes: 32 },
  ES384: { kty: "EC", crv: "P-384", hash: "sha384", coordinateBytes: 48 },
  HS256: { kty: "oct", hash: "sha256", minBytes: 32 },
  HS384: { kty: "oct", hash: "sha384", minBytes: 48 },
  HS512: { kty: "oct", hash: "sha512", minBytes: 64 },
};

/** Names of all, in the interface's order. */
export const algorithmNames = Object.keys(algorithms) as readonly Algorithm[];

/** Whether a name is one of them; exact, so `none` in any spelling is not. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === "string" && Object.hasOwn(algorithms, name);
}

/** The algorithms of one key type, for messages and inference. */
export function algorithmsOf(kty: JwtKey["kty"]): readonly Algorithm[] {
  return algorithmNames.filter((name) => algorithms[name].kty === kty);
}
