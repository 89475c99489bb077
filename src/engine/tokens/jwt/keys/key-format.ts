/**
 * Reads one element of a key set in one of the interface's three key formats (`spec`) or as a shared secret (`observed`),
 * with the members that the provider fills in when they are omitted (`observed`).
 */

import { isJsonObject } from "../../../../core/json-value.ts";
import { joinAlternatives, mustBe } from "../../input-problem.ts";
import type { Algorithm, JwtKey, ShownKey } from "../../model.ts";
import { algorithms, algorithmsOf, isAlgorithm } from "./algorithms.ts";
import type { MemberClause } from "./key-material.ts";

/** The public members of an RSA key, in the order in which they are stored. */
const rsaMembers = ["alg", "kty", "kid", "e", "n"] as const;

/** The public members of an EC key, in the order in which they are stored. */
const ecMembers = ["alg", "crv", "kty", "kid", "x", "y"] as const;

/** The members of a shared secret, in the order in which they are stored. */
const secretMembers = ["alg", "kty", "kid", "k"] as const;

/** Members that hold secrets (RFC 7518, sections 6.2.2, 6.3.2 and 6.4; RFC 9964 for `priv`). */
const privateMembers: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]);

/** Own members of an element, without a prototype, so that every name is an ordinary one. */
export type RawKey = Readonly<Record<string, unknown>>;

/** The element's own members, or undefined when it is not an object. */
export function readRawKey(value: unknown): RawKey | undefined {
  return isJsonObject(value) ? Object.assign(Object.create(null), value) : undefined;
}

/** Fills in the members that the provider fills in: RSA without alg; EC without one of alg and crv. */
export function fillOmitted(raw: RawKey): { raw: RawKey; filled?: MemberClause } {
  if (raw.kty === "RSA" && raw.alg === undefined) {
    return fill(raw, "alg", "RS256", 'was omitted and defaulted to "RS256"');
  }
  if (raw.kty !== "EC") return { raw };
  if (raw.alg === undefined) return inferAlg(raw);
  return raw.crv === undefined ? inferCrv(raw) : { raw };
}

function inferAlg(raw: RawKey): { raw: RawKey; filled?: MemberClause } {
  const alg = algorithmsOf("EC").find((name) => curveOf(name) === raw.crv);
  return alg === undefined ? { raw } : fill(raw, "alg", alg, `was omitted and inferred from crv as "${alg}"`);
}

function inferCrv(raw: RawKey): { raw: RawKey; filled?: MemberClause } {
  const crv = isAlgorithm(raw.alg) ? curveOf(raw.alg) : undefined;
  return crv === undefined ? { raw } : fill(raw, "crv", crv, `was omitted and inferred from alg as "${crv}"`);
}

function fill(raw: RawKey, member: "alg" | "crv", value: string, text: string) {
  return { raw: Object.assign(Object.create(null), raw, { [member]: value }), filled: { member, text } };
}

function curveOf(alg: Algorithm): string | undefined {
  const facts = algorithms[alg];
  return facts.kty === "EC" ? facts.crv : undefined;
}

/** Whether shared secrets are keys (`accept`), or not, as in the specification. */
export type SharedSecrets = "reject" | "accept";

/** Problems of an element that has none of the formats; empty when it has one. The value of a secret is not checked. */
export function keyFormatProblems(raw: RawKey, sharedSecrets: SharedSecrets): MemberClause[] {
  const kty = raw.kty;
  if (kty === "oct" && sharedSecrets === "reject") return [rejectedSecret];
  if (kty !== "RSA" && kty !== "EC" && kty !== "oct")
    return [memberProblem(raw, "kty", oneOf(["RSA", "EC", ...(sharedSecrets === "accept" ? ["oct"] : [])]))];
  const strings = { RSA: ["kid", "e", "n"], EC: ["kid", "x", "y"], oct: ["kid"] }[kty];
  return [
    ...algorithmProblems(raw, kty),
    ...strings
      .filter((member) => typeof raw[member] !== "string")
      .map((member) => memberProblem(raw, member, "a string")),
  ];
}

const rejectedSecret: MemberClause = {
  member: "kty",
  text: "`kty` must be `RSA` or `EC`; found the string `oct`, a shared secret, which profile `provider` accepts (`sharedSecrets`)",
};

function algorithmProblems(raw: RawKey, kty: JwtKey["kty"]): MemberClause[] {
  const allowed = algorithmsOf(kty);
  const alg = allowed.find((name) => name === raw.alg);
  if (alg === undefined) return [memberProblem(raw, "alg", `${oneOf(allowed)} for kty \`${kty}\``)];
  const crv = curveOf(alg);
  if (crv === undefined || raw.crv === crv) return [];
  return [memberProblem(raw, "crv", `\`${crv}\` for alg \`${alg}\``)];
}

function memberProblem(raw: RawKey, member: string, allowed: string): MemberClause {
  return { member, text: mustBe(`\`${member}\``, allowed, raw[member]) };
}

function oneOf(names: readonly string[]): string {
  return joinAlternatives(names.map((name) => `\`${name}\``));
}

/** The members that are stored, in their order. */
export function storedMembers(kty: unknown): readonly string[] {
  if (kty === "oct") return secretMembers;
  return kty === "RSA" ? rsaMembers : ecMembers;
}

/** The key without its secret, for everything that leaves the service. */
export function withoutSecret(key: JwtKey): ShownKey {
  if (key.kty !== "oct") return key;
  const { k, ...shown } = key;
  return shown;
}

/** The members that are removed: those that hold secrets, and those that a key does not have here. */
export function strippedMembers(raw: RawKey): { secret: string[]; ignored: string[] } {
  const stored = storedMembers(raw.kty);
  const others = Object.keys(raw).filter((member) => !stored.includes(member));
  return {
    secret: others.filter((member) => privateMembers.has(member)),
    ignored: others.filter((member) => !privateMembers.has(member)),
  };
}
