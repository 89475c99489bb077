/**
 * Checks of key material, the same in both import modes (`chosen`): a key that makes signatures forgeable or a verifier
 * unusable is never accepted.
 */

import { failure, type Result, success } from "../../../../core/result.ts";
import { quote } from "../../../../errors.ts";
import type { HmacAlgorithm } from "../../model.ts";
import { decodeBase64url, explainBase64url } from "../base64url.ts";
import { algorithms, type CurveName } from "./algorithms.ts";
import { isOnCurve, toBigInt } from "./curve.ts";

/** Minimum size of a modulus, in bits (RFC 7518, section 3.3). */
export const minModulusBits = 2048;

/** Maximum size of a modulus, in bits: OpenSSL verifies nothing above it, and the cost grows with its square (`chosen`). */
export const maxModulusBits = 16_384;

/** Maximum length of a public exponent, in bytes: OpenSSL's limit for large moduli, here for all (`chosen`). */
export const maxExponentBytes = 8;

/** A fault of a member of a key, or a change of it; `member` is empty for the key as a whole. */
export interface MemberClause {
  readonly member: string;
  /** A clause that follows the name of the member, or a sentence without a capital and a period. */
  readonly text: string;
}

/** Decodes a member from base64url. */
export function decodeMember(member: string, text: string): Result<Uint8Array, MemberClause> {
  if (text === "") return failure({ member, text: `\`${member}\` is empty; it must be base64url` });
  const bytes = decodeBase64url(text);
  return bytes ? success(bytes) : failure({ member, text: `\`${member}\` ${explainBase64url(text)}` });
}

/** Problems of an RSA key's numbers, as big-endian bytes without leading zeros. */
export function rsaProblems(n: Uint8Array, e: Uint8Array): MemberClause[] {
  return [...modulusProblems(n), ...exponentProblems(e)];
}

function modulusProblems(n: Uint8Array): MemberClause[] {
  const bits = bitLength(n);
  if (bits < minModulusBits || bits > maxModulusBits) {
    const allowed = `${minModulusBits} to ${maxModulusBits}`;
    return [{ member: "n", text: `the modulus must have ${allowed} bits; it has ${bits}` }];
  }
  if (isOdd(n)) return [];
  return [{ member: "n", text: "the modulus must be odd, as a product of two large primes is; it is even" }];
}

function exponentProblems(e: Uint8Array): MemberClause[] {
  const value = e.length > maxExponentBytes ? undefined : toBigInt(e);
  if (value !== undefined && value >= 3n && isOdd(e)) return [];
  const found = value === undefined ? `it has ${bitLength(e)} bits` : `it is ${value}`;
  return [{ member: "e", text: `the exponent must be an odd number from 3 to 2^64 - 1; ${found}` }];
}

/** Problems of an EC key's coordinates. */
export function ecProblems(
  crv: CurveName,
  coordinateBytes: number,
  x: Uint8Array,
  y: Uint8Array,
): MemberClause[] {
  const problems = Object.entries({ x, y })
    .filter(([, bytes]) => bytes.length !== coordinateBytes)
    .map(([member, bytes]) => ({
      member,
      text: `\`${member}\` must have ${coordinateBytes} bytes, as a coordinate of ${crv}; it has ${bytes.length}`,
    }));
  if (problems.length > 0 || isOnCurve(crv, x, y)) return problems;
  return [{ member: "x", text: `\`x\` and \`y\` must be a point on ${quote(crv)}; they are not` }];
}

/** The problem of a secret; undefined for one as long as the hash or longer. The text never has a part of the secret. */
export function secretProblem(alg: HmacAlgorithm, secret: unknown): MemberClause | undefined {
  const facts = algorithms[alg];
  const minBytes = facts.kty === "oct" ? facts.minBytes : 0;
  const bytes = typeof secret === "string" ? decodeBase64url(secret) : undefined;
  if (bytes !== undefined && bytes.length >= minBytes) return undefined;
  const allowed = `base64url without padding of at least ${minBytes} bytes, as the hash of ${alg} has`;
  return { member: "k", text: `the secret \`k\` must be ${allowed}; ${describeSecret(secret, bytes)}` };
}

function describeSecret(secret: unknown, bytes: Uint8Array | undefined): string {
  if (bytes !== undefined) return `it has ${bytes.length}`;
  if (secret === undefined) return "it is missing: no answer has it";
  return typeof secret === "string" ? "it is not base64url in its one form" : "it is not a string";
}

/** Number of leading zero bytes; RFC 7518, section 2, allows none. */
export function leadingZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.length : first;
}

function bitLength(bytes: Uint8Array): number {
  const significant = bytes.subarray(leadingZeros(bytes));
  const [first] = significant;
  return first === undefined ? 0 : significant.length * 8 - Math.clz32(first) + 24;
}

function isOdd(bytes: Uint8Array): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1;
}
