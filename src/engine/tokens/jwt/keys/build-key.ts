/** Builds the stored key from an element that has one of the key formats, after the checks of its numbers or its secret. */

import { base64urlText } from "#bytes";
import { failure, type Result, success } from "../../../../core/result.ts";
import type { JwtKey, SecretKey } from "../../model.ts";
import { algorithms } from "./algorithms.ts";
import { type RawKey, storedMembers } from "./key-format.ts";
import {
  decodeMember,
  ecProblems,
  leadingZeros,
  type MemberClause,
  rsaProblems,
  secretProblem,
} from "./key-material.ts";

/** The key and what was changed, or the problems of its numbers. */
export type BuiltKey = Result<
  { readonly key: JwtKey; readonly changes: readonly MemberClause[] },
  MemberClause
>;

/**
 * Builds the key of an element without problems of its format.
 *
 * @param mode whether numbers with leading zero bytes are problems (`reject`) or are shortened (`adjust`)
 */
export function buildKey(raw: RawKey, mode: "reject" | "adjust"): BuiltKey {
  if (raw.kty === "oct") return buildSecretKey(raw);
  const isRsa = raw.kty === "RSA";
  const first = decodeMember(isRsa ? "n" : "x", String(raw[isRsa ? "n" : "x"]));
  const second = decodeMember(isRsa ? "e" : "y", String(raw[isRsa ? "e" : "y"]));
  if (!first.ok) return second.ok ? first : failure(...first.problems, ...second.problems);
  if (!second.ok) return second;
  return isRsa
    ? buildRsaKey(raw, first.value, second.value, mode)
    : buildEcKey(raw, first.value, second.value);
}

function buildRsaKey(raw: RawKey, n: Uint8Array, e: Uint8Array, mode: "reject" | "adjust"): BuiltKey {
  const numbers = { n: n.subarray(leadingZeros(n)), e: e.subarray(leadingZeros(e)) };
  const padded = (["n", "e"] as const).filter((name) => leadingZeros(name === "n" ? n : e) > 0);
  const paddingProblems = mode === "reject" ? padded.map(paddingProblem) : [];
  const [first, ...rest] = [...rsaProblems(numbers.n, numbers.e), ...paddingProblems];
  if (first !== undefined) return failure(first, ...rest);
  const shortest = { n: base64urlText(numbers.n), e: base64urlText(numbers.e) };
  const changes = padded.map((member) => ({ member, text: "had leading zero bytes, which were removed" }));
  return success({ key: storedKey({ ...raw, ...shortest }), changes });
}

/** RFC 7518, section 6.3.1.1: an extra zero byte before the modulus must be omitted. */
function paddingProblem(member: string): MemberClause {
  return {
    member,
    text: `\`${member}\` must be in the shortest form (RFC 7518); it starts with a zero byte`,
  };
}

function buildEcKey(raw: RawKey, x: Uint8Array, y: Uint8Array): BuiltKey {
  const facts = algorithms[raw.alg as JwtKey["alg"]];
  const [first, ...rest] = facts.kty === "EC" ? ecProblems(facts.crv, facts.coordinateBytes, x, y) : [];
  return first === undefined ? success({ key: storedKey(raw), changes: [] }) : failure(first, ...rest);
}

function buildSecretKey(raw: RawKey): BuiltKey {
  const problem = secretProblem(raw.alg as SecretKey["alg"], raw.k);
  return problem === undefined ? success({ key: storedKey(raw), changes: [] }) : failure(problem);
}

/** Only the members of the key's format, as an ordinary object. */
function storedKey(raw: RawKey): JwtKey {
  return Object.fromEntries(storedMembers(raw.kty).map((name) => [name, raw[name]])) as unknown as JwtKey;
}
