/** Keys and tokens for tests of verification: minted once for a file, so that only the first test waits. */

import {
  constants,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  type SignKeyObjectInput,
  sign,
} from "node:crypto";
import type { Algorithm, JwtKey } from "../../../src/engine/tokens/model.ts";

export const allAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
] as const satisfies readonly Algorithm[];

export interface Minted {
  readonly alg: Algorithm;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JwtKey;
}

/** One key for each algorithm; the RSA algorithms share one pair under six kids. */
export function mintKeys(kidPrefix = "key"): Readonly<Record<Algorithm, Minted>> {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pairs = {
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    ES384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  };
  const minted = allAlgorithms.map((alg) => {
    const { privateKey, publicKey } = alg === "ES256" || alg === "ES384" ? pairs[alg] : rsa;
    const kid = `${kidPrefix}-${alg}`;
    return [alg, { alg, kid, privateKey, publicKey, jwk: toJwk(publicKey, alg, kid) }] as const;
  });
  return Object.fromEntries(minted) as unknown as Record<Algorithm, Minted>;
}

export function toJwk(publicKey: KeyObject, alg: Algorithm, kid: string): JwtKey {
  return { ...publicKey.export({ format: "jwk" }), alg, kid } as unknown as JwtKey;
}

export function encode(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

/** A token of any header and payload, objects or raw texts, rightly signed by `by` for `by.alg`. */
export function mint(by: Minted, payload: unknown, header: unknown = { alg: by.alg, kid: by.kid }): string {
  return signSegments(by, encode(header), encode(payload));
}

/** Signs segments as they are. */
export function signSegments(by: Minted, header: string, payload: string): string {
  const input = `${header}.${payload}`;
  return `${input}.${signatureOf(by, input).toString("base64url")}`;
}

export function signatureOf({ alg, privateKey }: Minted, input: string): Buffer {
  return sign(`sha${alg.slice(2)}`, Buffer.from(input), signInput(alg, privateKey));
}

function signInput(alg: Algorithm, key: KeyObject): SignKeyObjectInput {
  if (alg.startsWith("ES")) return { key, dsaEncoding: "ieee-p1363" };
  if (alg.startsWith("RS")) return { key, padding: constants.RSA_PKCS1_PADDING };
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

/** A token under HMAC with whatever secret. */
export function mintHmac(header: object, payload: object, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

/** The token with another text in one of its three segments. */
export function replaceSegment(token: string, index: 0 | 1 | 2, segment: string): string {
  return token.split(".").with(index, segment).join(".");
}
