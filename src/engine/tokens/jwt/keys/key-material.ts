/**
 * Safety of key material, in both intake modes (`chosen`): a key that makes signatures forgeable or a verifier
 * unusable is never accepted, whatever the mode.
 */

import { quote } from "../../../../errors.ts";
import { decodeBase64url, explainBase64url } from "../base64url.ts";
import type { CurveName } from "./algorithms.ts";
import { isOnCurve, toBigInt } from "./curve.ts";

/** Smallest modulus (RFC 7518, section 3.3). */
export const minModulusBits = 2048;

/** Largest modulus: OpenSSL verifies nothing above it, and the cost grows with its square (`chosen`). */
export const maxModulusBits = 16_384;

/** Longest public exponent: OpenSSL's limit for large moduli, here for all (`chosen`). */
export const maxExponentBytes = 8;

/** A fault of one member of a key. */
export interface MemberProblem {
  readonly member: string;
  readonly message: string;
}

/** Decodes a member, or says what is wrong with its text. */
export function decodeMember(member: string, text: string): Buffer | MemberProblem {
  if (text === "") return { member, message: `\`${member}\` is empty; base64url text is needed` };
  return decodeBase64url(text) ?? { member, message: `\`${member}\` ${explainBase64url(text)}` };
}

/** Faults of an RSA key's numbers, as big-endian bytes without leading zeros. */
export function rsaProblems(n: Uint8Array, e: Uint8Array): MemberProblem[] {
  return [...modulusProblems(n), ...exponentProblems(e)];
}

function modulusProblems(n: Uint8Array): MemberProblem[] {
  const bits = bitLength(n);
  if (bits < minModulusBits || bits > maxModulusBits) {
    const allowed = `${minModulusBits} to ${maxModulusBits} bits are allowed`;
    return [{ member: "n", message: `the modulus has ${bits} bits; ${allowed}` }];
  }
  if (isOdd(n)) return [];
  return [{ member: "n", message: "the modulus is even; the product of two large primes is odd" }];
}

function exponentProblems(e: Uint8Array): MemberProblem[] {
  const fault = (found: string) => [
    { member: "e", message: `the exponent ${found}; an odd number from 3 to 2^64 - 1 is allowed` },
  ];
  if (e.length > maxExponentBytes) return fault(`has ${bitLength(e)} bits`);
  const value = toBigInt(e);
  return value < 3n || !isOdd(e) ? fault(`is ${value}`) : [];
}

/** Faults of an EC key's coordinates. */
export function ecProblems(
  crv: CurveName,
  coordinateBytes: number,
  x: Uint8Array,
  y: Uint8Array,
): MemberProblem[] {
  const faults = Object.entries({ x, y })
    .filter(([, bytes]) => bytes.length !== coordinateBytes)
    .map(([member, bytes]) => ({
      member,
      message: `\`${member}\` has ${bytes.length} bytes; a coordinate of ${crv} has exactly ${coordinateBytes}`,
    }));
  if (faults.length > 0 || isOnCurve(crv, x, y)) return faults;
  return [{ member: "x", message: `\`x\` and \`y\` are not a point on ${quote(crv)}` }];
}

/** How many leading zero bytes a number has; RFC 7518, section 2, wants none. */
export function leadingZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.length : first;
}

function bitLength(bytes: Uint8Array): number {
  const significant = bytes.subarray(leadingZeros(bytes));
  return significant.length === 0 ? 0 : significant.length * 8 - Math.clz32(significant[0]!) + 24;
}

function isOdd(bytes: Uint8Array): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1;
}
